"""Objects that live while something else happens: an exported block."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.amd.dmabuf.generators import discover, export, exportable_block
from hsa_conformance.topics.amd.dmabuf.state import FEATURE
from hsa_conformance.topics.amd.pools.fixtures import known_pools


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    needs = ("hsa_amd_memory_pool_allocate", "hsa_amd_portable_export_dmabuf")
    if (
        all(map(f.session.offers, needs))
        and known_pools(f, lambda p: p.allocatable and p.location == "gpu")
        and _lets_export(f)
    ):
        yield ObjectKind("exported block", lambda: _exported(f))


def _lets_export(f: Fixtures) -> bool:
    """Return whether GPUs can export memory, which only releases with the function can be asked."""
    discover(f)
    return f.session.model.supports(FEATURE)


def _exported(f: Fixtures) -> None:
    block = exportable_block(f)
    export(f, block.address, block.size)
