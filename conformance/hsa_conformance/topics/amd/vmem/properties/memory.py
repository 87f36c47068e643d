"""What the virtual memory properties share: bytes to recognise memory by, and who may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import MOST_UNTOUCHED, sizes
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.state import find_pool, pool_access
from hsa_conformance.topics.amd.vmem.fixtures import (
    READ_WRITE,
    access_descriptors,
    create_handle,
    map_handle,
    reserve,
)
from hsa_conformance.topics.amd.vmem.state import Mapping, MemoryHandle
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_reports.demands import Gives, Shows

NONE, READ_ONLY = 0, 1
PERMISSIONS = (READ_WRITE, READ_ONLY, NONE)


# bytes


@dataclass(frozen=True)
class Mark:
    """Bytes that tell one piece of memory from another.

    Args:
        offset: where they stand, in bytes from the start of the memory.
        content: the bytes.

    """

    offset: int
    content: bytes


def mark(scene: Scene, size: int, tag: int = 1) -> Mark:
    """Draw a mark for memory of `size` bytes.

    Args:
        scene: where to draw from.
        size: of the memory, in bytes.
        tag: the first byte, 1 to 255; marks of different tags differ.

    """
    content = bytes([tag]) + scene.draw(drawing.binary(max_size=15))
    last = size - len(content)
    offset = scene.draw(sizes(0, last))
    return Mark(offset, content)


def write(scene: Scene, address: int, wanted: Mark) -> None:
    """Write a mark into memory at `address`, as preparation."""
    if not scene.session.write(address + wanted.offset, wanted.content):
        raise Blocked("hsa_amd_vmem_set_access/host-read-write", "a fault")


def require_bytes(scene: Scene, address: int, wanted: Mark, summary: str) -> None:
    """Demand that memory at `address` shows a mark."""
    found = scene.session.read(address + wanted.offset, len(wanted.content))
    shown = "a fault" if found is None else found.hex(" ")
    scene.require(found == wanted.content, summary, shown, Shows(wanted.content))


def require_no_read(scene: Scene, address: int, size: int, summary: str) -> None:
    """Demand that the host cannot read a byte of the range."""
    offset = scene.draw(sizes(0, size - 1))
    found = scene.session.read(address + offset, 1)
    scene.require(found is None, summary, "readable memory", Shows(None))


# who may do what


def host_memory(scene: Scene, size: int | None = None) -> MemoryHandle:
    """Create a handle whose memory the host reaches, as far as there is such memory.

    Args:
        scene: where to create it.
        size: in bytes, a multiple of every pool's granule; None to draw one.

    """
    model = scene.session.model
    reached = known_pools(
        scene,
        lambda p: (
            p.allocatable
            and p.location == "gpu"
            and any(
                pool_access(model, h.handle, p.handle) != "never"
                for h in known_agents(scene, "cpu")
            )
        ),
    )
    return create_handle(scene, size, scene.choose(reached) if reached else None)


def twin(scene: Scene, handle: MemoryHandle) -> MemoryHandle:
    """Create another handle of the same pool and size."""
    return create_handle(scene, handle.size, find_pool(scene.session.model, handle.pool or 0))


def host_of(scene: Scene, mapping: Mapping) -> Agent:
    """Return an agent of the host, one that reaches the memory if there is any."""
    hosts = known_agents(scene, "cpu")
    return scene.choose([a for a in hosts if _reaches(scene, a, mapping)] or hosts)


def reaching(scene: Scene, mapping: Mapping) -> list[Agent]:
    """Return the GPU agents that reach the memory.

    Raises:
        CannotMake: there is none.

    """
    found = [a for a in known_agents(scene, "gpu") if _reaches(scene, a, mapping)]
    if not found:
        raise CannotMake("no GPU agent reaches the memory")
    return found


def _reaches(scene: Scene, agent: Agent, mapping: Mapping) -> bool:
    return pool_access(scene.session.model, agent.handle, mapping.pool) != "never"


def set_access(scene: Scene, mapping: Mapping, access: Sequence[tuple[int, int]]) -> Answer:
    """Call hsa_amd_vmem_set_access for pairs of agent and permission, whatever it answers."""
    return scene.call(
        "hsa_amd_vmem_set_access",
        va=mapping.address,
        size=mapping.size,
        desc=access_descriptors(access),
        desc_cnt=len(access),
    )


def grant(scene: Scene, mapping: Mapping, agent: Agent, permission: int = READ_WRITE) -> None:
    """Give an agent a permission, as preparation.

    Raises:
        Blocked: it reaches the memory and is refused.
        CannotMake: it need not reach the memory and is refused, as hosts with a small window are.

    """
    answer = set_access(scene, mapping, [(agent.handle, permission)])
    if not answer.ok:
        if _reaches(scene, agent, mapping):
            raise Blocked("hsa_amd_vmem_set_access/success", answer.name)
        raise CannotMake(f"the memory is out of the agent's reach: {answer.name}")


def require_access(scene: Scene, mapping: Mapping, agent: Agent) -> None:
    """Demand that an agent can be given access to a mapping, as to others of the same memory."""
    scene.require_status(set_access(scene, mapping, [(agent.handle, READ_WRITE)]), SUCCESS)


def open_to_host(scene: Scene, mapping: Mapping) -> Agent:
    """Let the host read and write a mapping, and return the agent that may."""
    host = host_of(scene, mapping)
    grant(scene, mapping, host)
    return host


def permission_of(scene: Scene, address: int, agent: Agent) -> int | str:
    """Return what hsa_amd_vmem_get_access gives: a permission, or the name of an error."""
    answer = scene.call(
        "hsa_amd_vmem_get_access", va=address, perms=Out(), agent_handle=agent.handle
    )
    return answer.number("perms") if answer.ok else answer.name


def gives_permission(permission: int) -> Gives:
    """Return the demand that hsa_amd_vmem_get_access gives a permission."""
    return Gives("perms", (permission.to_bytes(4, "little"),))


# memory that is mapped


def mapped(scene: Scene, handle: MemoryHandle) -> Mapping:
    """Map a handle in a new reservation, at a random place of it."""
    return map_handle(scene, handle, _address(scene, handle.size))


def _address(scene: Scene, size: int) -> int:
    """Return an address in a new reservation that so many bytes follow, near its start or far."""
    offset: int = scene.draw(sizes(0, MOST_UNTOUCHED, scene.session.model.page_size))
    return reserve(scene, offset + size).address + offset


def marked(scene: Scene, handle: MemoryHandle | None = None) -> tuple[Mapping, Mark]:
    """Return a mapping that the host may read and write, and the mark that stands in it."""
    mapping = mapped(scene, handle or host_memory(scene))
    open_to_host(scene, mapping)
    wanted = mark(scene, mapping.size)
    write(scene, mapping.address, wanted)
    return mapping, wanted


def row(scene: Scene, *, least: int = 2) -> list[tuple[Mapping, Mark]]:
    """Return neighbours in one reservation, each with a handle and a mark of its own."""
    handles = [host_memory(scene) for _ in range(scene.draw(drawing.integers(least, 4)))]
    address = _address(scene, sum(h.size for h in handles))
    found = []
    for tag, handle in enumerate(handles, 1):
        mapping = map_handle(scene, handle, address)
        open_to_host(scene, mapping)
        found.append((mapping, mark(scene, mapping.size, tag)))
        address += handle.size
    for mapping, wanted in found:
        write(scene, mapping.address, wanted)
    return found


def unmap(scene: Scene, mapping: Mapping) -> None:
    """Unmap as preparation."""
    scene.set_up("hsa_amd_vmem_unmap", va=mapping.address, size=mapping.size)


# handles


def properties(scene: Scene, handle: int) -> Answer:
    """Call hsa_amd_vmem_get_alloc_properties_from_handle."""
    return scene.call(
        "hsa_amd_vmem_get_alloc_properties_from_handle",
        memory_handle=handle,
        pool=Out(),
        type=Out(),
    )


def release(scene: Scene, handle: int) -> None:
    """Give up one reference, as preparation."""
    scene.set_up("hsa_amd_vmem_handle_release", memory_handle=handle)


def tells_released_handles(scene: Scene) -> bool:
    """Return whether the library refuses a released handle; else no last reference can be seen."""
    handle = create_handle(scene).handle
    release(scene, handle)
    return not properties(scene, handle).ok


def need_released_handles_told_apart(scene: Scene) -> None:
    """Give up where the library takes a released handle for a valid one."""
    if not tells_released_handles(scene):
        raise CannotMake("the library does not tell released handles from others")
