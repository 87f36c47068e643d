"""Calls about several mappings that lie side by side, whose success is nobody's duty."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Player
from hsa_conformance.topics.amd.vmem.life.compare import compare_bytes
from hsa_conformance.topics.amd.vmem.life.space import space
from hsa_conformance.topics.amd.vmem.properties.memory import NONE
from hsa_conformance.topics.amd.vmem.state import Mapping, find_mapping

_UNMAP: Final = "hsa_amd_vmem_unmap"


def unmap_row(p: Player) -> None:
    """Unmap several neighbours with one call, or a range that ends inside one of them.

    Whether they go is left open. Either all of them go, and everything else stays, or none does.
    """
    here = space(p)
    rows = [row for m in p.model.live("mapping") if len(row := _row(p, m)) > 1]
    whole = p.choose(rows)
    row = whole[: p.one_of(range(2, len(whole) + 1))]
    size, page = sum(m.size for m in row), p.model.page_size
    reached = [m for m in row if here.host_permission(m) not in (None, NONE)]
    same = [
        p.keeping(partial(compare_bytes, m), f"{_UNMAP}/failure-changes-nothing") for m in whole
    ]
    others = [
        p.keeping(partial(compare_bytes, m), f"{_UNMAP}/others-stay")
        for m in p.model.live("mapping")
        if m not in row
    ]
    answer = p.call(
        _UNMAP,
        va=row[0].address,
        size=p.pick([size], [size - page, size + page]),
    )
    if not answer.ok:
        for still in same:
            still()
        return
    here.unmapped += [m.address for m in row]
    for mapping in reached:
        p.claim(f"{_UNMAP}/host-access-gone").require(
            p.session.read(mapping.address, 1) is None,
            "the host reads unmapped addresses",
            "a byte",
        )
    for still in others:
        still()


def _row(p: Player, first: Mapping) -> Sequence[Mapping]:
    """Return a mapping and those that follow it without a gap in its reservation."""
    row = [first]
    while behind := find_mapping(p.model, row[-1].address + row[-1].size):
        if behind.reservation is not first.reservation:
            break
        row.append(behind)
    return row
