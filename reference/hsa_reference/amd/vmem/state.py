"""What a runtime knows of virtual memory: reserved ranges, handles of memory, mappings."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from hsa_reference import memory
from hsa_reference.amd.pools.state import Pool, Pools
from hsa_reference.core.memory.heaps import Heap
from hsa_reference.core.memory.places import DescriptorMemory, Places
from hsa_reference.core.system import System
from hsa_reference.handles import MEMORY_HANDLES
from hsa_reference.objects import Objects
from hsa_reference.ranges import Ranges
from hsa_reference.requests import IMPORT, ask
from hsa_reference.state import Part, State
from hsa_reference.undoing import undoing


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


@dataclass(eq=False)
class Mapping(DescriptorMemory):
    """A virtual-memory handle in a reserved range, and the permissions of agents, by handle."""

    memory: MemoryHandle
    reservation: Reservation
    permissions: dict[int, int] = field(default_factory=dict)

    @property
    def heap(self) -> Heap:
        """Return where the memory is."""
        return self.memory.owner.heap

    @property
    def agents(self) -> list[int]:
        """Return the agents that can access it."""
        return [agent for agent, permission in self.permissions.items() if permission]

    @property
    def pool(self) -> int:
        """Return the handle of the pool of the memory."""
        return self.memory.owner.handle


class VirtualMemory(Part):
    """The reserved ranges, handles and mappings of a runtime.

    Attributes:
        reservations: reserved ranges.
        mappings: in these ranges.
        handles: by value.
        handle_of: handles by the identity of their memory.

    """

    def __init__(self, state: State) -> None:
        self.reservations: Ranges[Reservation] = Ranges()
        self.mappings: Ranges[Mapping] = Ranges()
        self.handles: Objects[int, MemoryHandle] = Objects()
        self.handle_of: dict[tuple[int, int], MemoryHandle] = {}
        self._pools = state.part(Pools).in_order
        # Values are never used again, so a released handle stays an invalid one.
        self._values = count(MEMORY_HANDLES + 1)
        state.part(Places).add_backed(self.mappings)
        state.ranges["reservation"] = self.reservations
        state.ranges["mapping"] = self.mappings
        state.things["memory_handle"] = self._held
        state.facts["access_was_set"] = self._access_was_set
        state.facts["is_open"] = memory.is_open
        state.facts["is_shareable"] = self._is_shareable
        offered = state.registry.constants["HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED"]
        if any(state.part(System).attributes[offered]):
            state.features.add("virtual memory")

    def add_handle(
        self, descriptor: int, shared: memory.SharedMemoryInfo, imported: bool
    ) -> MemoryHandle:
        """Add the handle of shared memory.

        Args:
            descriptor: of the memory; the handle closes it, as a failure does.
            shared: what the descriptor refers to.
            imported: whether another runtime made the memory.

        Raises:
            OSError: there is no memory for it.

        """
        handle = MemoryHandle(
            next(self._values),
            shared.size,
            self._pools[shared.pool],
            shared.type,
            descriptor,
            shared.identity,
            imported,
        )
        with undoing(lambda: os.close(descriptor)):
            self.handles[handle.handle] = handle
        self.handle_of[handle.identity] = handle
        return handle

    def hold(self, shared: memory.SharedMemoryInfo, take: Callable[[], int]) -> MemoryHandle:
        """Return the handle of memory that another one shares, with one more reference.

        Args:
            shared: the memory.
            take: returns a descriptor of it, which is wanted where there is no handle yet.

        Raises:
            OSError: the driver refuses it, or there is no such descriptor, or FileNotFoundError: it
                is of other memory now.

        """
        ask(IMPORT)
        found = self.handle_of.get(shared.identity)
        if found is not None:
            found.references += 1
            return found
        descriptor = take()
        if memory.describe(descriptor) != shared:
            os.close(descriptor)
            raise FileNotFoundError
        return self.add_handle(descriptor, shared, imported=True)

    def free_unused(self, handle: MemoryHandle) -> None:
        """Free the memory when nobody holds its handle and it is mapped nowhere."""
        if handle.references or handle.mappings:
            return
        del self.handles[handle.handle], self.handle_of[handle.identity]
        os.close(handle.descriptor)
        if not handle.imported:
            handle.owner.heap.give_back(handle.size)

    def shared(
        self, descriptor: int, process: int | str = "self"
    ) -> memory.SharedMemoryInfo | None:
        """Return what memory of this machine a descriptor of a process refers to, if it does."""
        shared = memory.describe(descriptor, process)
        return shared if shared is not None and shared.pool < len(self._pools) else None

    def release(self) -> None:
        """Give back every range and all memory."""
        for reservation in self.reservations:
            memory.unmap(reservation.address, reservation.size)
        for handle in self.handles.values():
            os.close(handle.descriptor)
            if not handle.imported:
                handle.owner.heap.give_back(handle.size)
        for ranges in (self.reservations, self.mappings):
            ranges.clear()
        self.handles.clear()
        self.handle_of.clear()

    def _held(self, value: int) -> MemoryHandle | None:
        found = self.handles.get(value)
        return found if found is not None and found.references > 0 else None

    def _access_was_set(self, address: int, agent: int) -> bool:
        mapping = self.mappings.around(address)
        return mapping is not None and agent in mapping.permissions

    def _is_shareable(self, descriptor: int) -> bool:
        return self.shared(descriptor) is not None
