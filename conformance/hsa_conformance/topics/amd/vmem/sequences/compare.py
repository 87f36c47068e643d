"""Comparisons of what can be seen with what the model says: bytes and permissions."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.vmem.fixtures import READ_WRITE
from hsa_conformance.topics.amd.vmem.properties.memory import NONE, READ_ONLY, gives_permission
from hsa_conformance.topics.amd.vmem.sequences.player import Player
from hsa_conformance.topics.amd.vmem.state import Mapping, find_mapping, handles
from hsa_conformance.topics.core.agents.state import find_agent
from hsa_reports.demands import Permits, Shows


def compare_access(p: Player, address: int, agent: int) -> None:
    """Ask for a permission and compare it with the one that was set last."""
    mapping, known = find_mapping(p.model, address), find_agent(p.model, agent)
    if mapping is not None and p.left_open(mapping, agent):
        return
    answer = p.ask("hsa_amd_vmem_get_access", va=address, perms=Out(), agent_handle=agent)
    if mapping is None or known is None:
        return
    found = answer.number("perms") if answer.ok else answer.name
    if agent not in mapping.access:
        p.claim("hsa_amd_vmem_get_access/never-set-is-none").require(
            not answer.ok or found == NONE, "an agent was never given access", found
        )
        return
    clause = "set_access/reported" if known.device == "gpu" else "get_access/host-agent"
    if known.device == "gpu" and agent not in p.named.get(address, [agent]):
        clause = "set_access/others-kept"
    p.claim(f"hsa_amd_vmem_{clause}").require(
        found == mapping.access[agent],
        f"the permission of {agent} is not {mapping.access[agent]}, which was set last",
        found,
        gives_permission(mapping.access[agent]),
    )


def write(p: Player) -> None:
    """Write through a mapping that the host may write to."""
    able = [
        m
        for m in p.model.live("mapping")
        if p.host_permission(m) == READ_WRITE and not (p.host and p.left_open(m, p.host.handle))
    ]
    mapping = p.choose(able)
    memory = p.mapped[mapping.address]
    content = bytes([next(p.tags)]) * p.draw(drawing.integers(1, 8))
    offset = p.one_of([0, mapping.size - len(content)])
    done = p.session.write(mapping.address + offset, content)
    p.claim("hsa_amd_vmem_set_access/host-read-write").require(
        done, "the host may write, and a write faults", "a fault", Permits(True)
    )
    memory.write(offset, content)


def look(p: Player) -> None:
    """Compare a mapping with what it must show."""
    compare_bytes(p, p.some_mapping())


def compare_bytes(p: Player, mapping: Mapping, shown: str = "hsa_amd_vmem_map/same-bytes") -> None:
    """Read a mapping, if the host may.

    Args:
        p: who reads.
        mapping: what is read.
        shown: the clause that what was written is there.

    """
    if p.host and p.left_open(mapping, p.host.handle):
        return
    permission = p.host_permission(mapping)
    memory = p.mapped[mapping.address]
    if permission in (READ_ONLY, READ_WRITE):
        for where in memory.written:
            found = p.session.read(mapping.address + where.start, len(where))
            p.claim(shown).require(
                found == memory.at(where),
                f"the memory does not show {memory.at(where).hex(' ')}",
                "a fault" if found is None else found.hex(" "),
                Shows(memory.at(where)),
            )
        return
    clause = "map/no-access" if permission is None else "set_access/host-none"
    p.claim(f"hsa_amd_vmem_{clause}").require(
        p.session.read(mapping.address, 1) is None,
        "the host reads without permission",
        "readable memory",
        Shows(None),
    )


def inspect(p: Player) -> None:
    """Compare everything that can be seen."""
    for mapping in p.model.live("mapping"):
        compare_bytes(p, mapping)
        for agent in p.spoken_of:
            if agent.device == "gpu" or agent.handle in mapping.access:
                compare_access(p, mapping.address, agent.handle)


def give_back(p: Player) -> None:
    """Unmap, release and free all that is left; each call must succeed."""
    for mapping in p.model.live("mapping"):
        p.call("hsa_amd_vmem_unmap", va=mapping.address, size=mapping.size)
    for handle in handles(p.model):
        for _ in range(handle.references):
            p.call("hsa_amd_vmem_handle_release", memory_handle=handle.handle)
    for taken in p.model.live("reservation"):
        p.call("hsa_amd_vmem_address_free", va=taken.address, size=taken.size)
