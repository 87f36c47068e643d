"""Comparisons of what can be seen with what the model says: bytes and permissions."""

from __future__ import annotations

from functools import partial
from typing import Final

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.random_programs.player import Player, attempt
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.vmem.fixtures import READ_WRITE
from hsa_conformance.topics.amd.vmem.life.space import space
from hsa_conformance.topics.amd.vmem.properties.memory import NONE, READ_ONLY, gives_permission
from hsa_conformance.topics.amd.vmem.state import Mapping, find_mapping
from hsa_conformance.topics.core.agents.state import find_agent
from hsa_reports.demands import Permits, Shows

_GET: Final = "hsa_amd_vmem_get_access"


def compare_access(p: Player, address: int, agent: int) -> None:
    """Ask for a permission and compare it with the one that was set last."""
    mapping, known = find_mapping(p.model, address), find_agent(p.model, agent)
    if mapping is not None and known is not None:
        look_at_access(mapping, agent, p)
    else:
        _ask(p, address, agent)


def look_at_access(mapping: Mapping, agent: int, p: Player, clause: str = "") -> None:
    """Compare the permission of an agent with the one that was set last.

    Args:
        mapping: what the permission is for.
        agent: the agent.
        p: who asks.
        clause: the one that it was set, by default.

    """
    if space(p).left_open(mapping, agent):
        return
    answer = _ask(p, mapping.address, agent)
    found = answer.number("perms") if answer.ok else answer.name
    if agent not in mapping.access:
        p.claim(f"{_GET}/never-set-is-none").require(
            not answer.ok or found == NONE, "an agent was never given access", found
        )
        return
    known = find_agent(p.model, agent)
    on_gpu = known is not None and known.device == "gpu"
    own = "hsa_amd_vmem_set_access/reported" if on_gpu else f"{_GET}/host-agent"
    p.demand(clause or own).require(
        found == mapping.access[agent],
        f"the permission of {agent} is not {mapping.access[agent]}, which was set last",
        found,
        gives_permission(mapping.access[agent]),
    )


def _ask(p: Player, address: int, agent: int) -> Answer:
    return p.ask(_GET, va=address, perms=Out(), agent_handle=agent)


def write(p: Player) -> None:
    """Write through a mapping that the host may write to."""
    here = space(p)
    able = [
        m
        for m in p.model.live("mapping")
        if here.host_permission(m) == READ_WRITE
        and not (here.host and here.left_open(m, here.host.handle))
    ]
    mapping = p.choose(able)
    memory = here.mapped[mapping.address]
    content = bytes([next(p.tags)]) * p.draw(drawing.integers(1, 8))
    offset = p.one_of([0, mapping.size - len(content)])
    done = p.session.write(mapping.address + offset, content)
    p.claim("hsa_amd_vmem_set_access/host-read-write").require(
        done, "the host may write, and a write faults", "a fault", Permits(True)
    )
    memory.write(offset, content)


def look(p: Player) -> None:
    """Compare a mapping with what it must show."""
    compare_bytes(space(p).some_mapping(), p)


def compare_bytes(mapping: Mapping, p: Player, clause: str = "hsa_amd_vmem_map/same-bytes") -> None:
    """Read a mapping, if the host may.

    Args:
        mapping: what is read.
        p: who reads.
        clause: the one that what was written is there.

    """
    here = space(p)
    if here.host and here.left_open(mapping, here.host.handle):
        return
    permission = here.host_permission(mapping)
    memory = here.mapped[mapping.address]
    if permission in (READ_ONLY, READ_WRITE):
        for where in memory.written:
            found = p.session.read(mapping.address + where.start, len(where))
            p.demand(clause).require(
                found == memory.at(where),
                f"the memory does not show {memory.at(where).hex(' ')}",
                "a fault" if found is None else found.hex(" "),
                Shows(memory.at(where)),
            )
        return
    slug = "map/no-access" if permission is None else "set_access/host-none"
    p.demand(f"hsa_amd_vmem_{slug}").require(
        p.session.read(mapping.address, 1) is None,
        "the host reads without permission",
        "readable memory",
        Shows(None),
    )


def inspect(p: Player) -> None:
    """Compare everything that can be seen."""
    for mapping in p.model.live("mapping"):
        attempt(partial(compare_bytes, mapping), p)
        for agent in space(p).spoken_of:
            if agent.device == "gpu" or agent.handle in mapping.access:
                attempt(partial(look_at_access, mapping, agent.handle), p)
