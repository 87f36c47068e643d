"""The things that a runtime knows, as plain data; sizes are in bytes."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field

from hsa_reference.machine import PoolModel


@dataclass
class Pool:
    """A memory pool.

    Args:
        handle: its value.
        index: its position in the machine, the same in every process.
        agent: the handle of the agent that it belongs to.
        model: what the machine says about it.
        attributes: the packed values of its attributes, by attribute.
        used: how much of it is taken.

    """

    handle: int
    index: int
    agent: int
    model: PoolModel
    attributes: Table[int, bytes]
    used: int = 0

    @property
    def location(self) -> str:
        """Return "cpu" or "gpu"."""
        return self.model.location

    @property
    def allocatable(self) -> bool:
        """Return whether the host may allocate from it."""
        return self.model.allocatable

    @property
    def granule(self) -> int:
        """Return what allocations are rounded up to a multiple of."""
        return self.model.granule

    @property
    def max_size(self) -> int:
        """Return the size of the largest allocation."""
        return self.model.max_size

    def take(self, size: int) -> bool:
        """Count `size` bytes as taken; False where the pool has not so many left."""
        if self.used + size > self.model.size:
            return False
        self.used += size
        return True

    def give_back(self, size: int) -> None:
        """Count `size` bytes as free again."""
        self.used -= size


@dataclass
class Agent:
    """An agent: its handle, device ("cpu" or "gpu"), pools and packed attributes."""

    handle: int
    device: str
    pools: tuple[Pool, ...]
    attributes: Table[int, bytes]


@dataclass
class Allocation:
    """A block from hsa_amd_memory_pool_allocate.

    Args:
        address: its start.
        size: a multiple of the pool's granule.
        owner: the pool that it comes from.
        agents: handles of the agents that can access it.

    """

    address: int
    size: int
    owner: Pool
    agents: frozenset[int]

    @property
    def pool(self) -> int:
        """Return the handle of the pool."""
        return self.owner.handle


@dataclass
class Reservation:
    """A reserved range of addresses.

    Args:
        address: its start.
        size: of the range.
        registered: whether the driver was told about it.
        mappings: how many mappings lie in it.

    """

    address: int
    size: int
    registered: bool
    mappings: int = 0


@dataclass
class MemoryHandle:
    """A virtual-memory handle.

    Args:
        handle: its value.
        size: of the memory.
        owner: the pool of the memory.
        type: a hsa_amd_memory_type_t.
        descriptor: of the memory; nobody else closes it.
        identity: of the memory, the same in all processes.
        imported: whether another runtime made the memory, and counts it.
        references: how many releases are owed.
        mappings: how often it is mapped.

    """

    handle: int
    size: int
    owner: Pool
    type: int
    descriptor: int
    identity: tuple[int, int]
    imported: bool = False
    references: int = 1
    mappings: int = 0


@dataclass
class Mapping:
    """A virtual-memory handle in a reserved range, and the permissions of agents, by handle."""

    address: int
    size: int
    memory: MemoryHandle
    reservation: Reservation
    permissions: dict[int, int] = field(default_factory=dict)

    @property
    def pool(self) -> int:
        """Return the handle of the pool of the memory."""
        return self.memory.owner.handle

    def access_was_set(self, agent: int) -> bool:
        """Tell whether permissions of this agent were ever set for this mapping."""
        return agent in self.permissions
