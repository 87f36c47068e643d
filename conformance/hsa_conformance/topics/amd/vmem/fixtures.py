"""Reservations, memory handles, mappings and exports for calls to be made with."""

from __future__ import annotations

from collections.abc import Mapping as Table
from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.values.geometry import sizes, within
from hsa_conformance.engine.session.state_rules import MemoryKind
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.state import Pool
from hsa_conformance.topics.amd.vmem.state import Mapping, MemoryHandle, Reservation
from hsa_reports import Verdict

READ_WRITE: Final = 3

#: What reports call memory that a handle of virtual memory is mapped to.
MAPPED: Final = "mapped memory"


def handle_pool(fixtures: Fixtures) -> Pool:
    """Return a pool that virtual-memory handles can come from: an allocatable one of a GPU.

    Raises:
        Unavailable: no GPU has one.

    """
    pools = known_pools(fixtures, lambda p: p.allocatable and p.location == "gpu")
    if not pools:
        raise Unavailable(Verdict.NOT_APPLICABLE, "no GPU agent has an allocatable memory pool")
    return fixtures.choose(pools)


def reserve(fixtures: Fixtures, size: int) -> Reservation:
    """Reserve a range of this size, in bytes.

    Raises:
        Unavailable: the machine has no virtual memory API.

    """
    model = fixtures.session.model
    if not model.supports("virtual memory"):
        raise Unavailable(Verdict.NOT_APPLICABLE, "the driver offers no virtual memory API")
    answer = fixtures.session.set_up(
        "hsa_amd_vmem_address_reserve", va=Out(), size=size, address=0, flags=0
    )
    found: Reservation = model.find("reservation", answer["va"])
    return found


def create_handle(
    fixtures: Fixtures, size: int | None = None, pool: Pool | None = None
) -> MemoryHandle:
    """Create a virtual-memory handle.

    Args:
        fixtures: where valid things come from.
        size: in bytes; a granule of the pool, pages or more by default.
        pool: where the memory comes from; some pool of a GPU by default.

    """
    pool = pool or handle_pool(fixtures)
    answer = fixtures.session.set_up(
        "hsa_amd_vmem_handle_create",
        pool=pool.handle,
        size=size or fixtures.draw(sizes(pool.granule, within(pool.size), pool.granule)),
        type=0,
        flags=0,
        memory_handle=Out(),
    )
    found: MemoryHandle = fixtures.session.model.find("memory_handle", answer["memory_handle"])
    return found


def map_handle(fixtures: Fixtures, handle: MemoryHandle, address: int) -> Mapping:
    """Map a handle at an address inside a reservation."""
    fixtures.session.set_up(
        "hsa_amd_vmem_map",
        va=address,
        size=handle.size,
        in_offset=0,
        memory_handle=handle.handle,
        flags=0,
    )
    found: Mapping = fixtures.session.model.find("mapping", address)
    return found


def new_mapping(fixtures: Fixtures, pool: Pool | None = None) -> Mapping:
    """Reserve, create and map, with room left in the reservation behind the mapping."""
    handle = create_handle(fixtures, pool=pool)
    return map_handle(fixtures, handle, reserve(fixtures, 2 * handle.size).address)


def grant_access(
    fixtures: Fixtures, mapping: Mapping, agent: int, permission: int = READ_WRITE
) -> None:
    """Set one agent's permission for one mapping."""
    fixtures.session.set_up(
        "hsa_amd_vmem_set_access",
        va=mapping.address,
        size=mapping.size,
        desc=access_descriptors([(agent, permission)]),
        desc_cnt=1,
    )


def export_handle(fixtures: Fixtures) -> int:
    """Create a handle, export it, and return the descriptor."""
    answer = fixtures.session.set_up(
        "hsa_amd_vmem_export_shareable_handle",
        dmabuf_fd=Out(),
        handle=create_handle(fixtures).handle,
        flags=0,
    )
    return answer["dmabuf_fd"]


def access_descriptors(access: Sequence[tuple[int, int]]) -> Data:
    """Return an array of hsa_amd_memory_access_desc_t.

    Args:
        access: agent and permission, in the order of the array.

    """
    content = b"".join(
        permission.to_bytes(8, "little") + int(agent).to_bytes(8, "little")
        for agent, permission in access
    )
    words = ", ".join(f"{{{permission}, {agent}}}" for agent, permission in access)
    return Data(content, f"[{words}]", {16 * i + 8: agent for i, (agent, _) in enumerate(access)})


def _memory(fixtures: Fixtures, size: int, _: bool) -> int:
    pool = handle_pool(fixtures)
    handle = create_handle(fixtures, -(-size // pool.granule) * pool.granule, pool)
    return map_handle(fixtures, handle, reserve(fixtures, handle.size).address).address


def _there(fixtures: Fixtures, on_host: bool) -> bool:
    """Return whether there is memory to map; it is of GPUs, so the host need not reach it."""
    able = fixtures.session.model.supports("virtual memory") and not on_host
    return able and bool(known_pools(fixtures, lambda p: p.allocatable and p.location == "gpu"))


MEMORY: Table[str, MemoryKind] = {MAPPED: MemoryKind(_memory, "hsa_amd_vmem_map", _there)}
