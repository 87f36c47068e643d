"""The state of one runtime. It answers the questions of hsa_spec.world.World."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from collections.abc import Mapping as Table
from itertools import count
from typing import Any

from hsa_reference import memory
from hsa_reference.catalogue import MEMORY_HANDLES, catalogue
from hsa_reference.machine import Machine
from hsa_reference.objects import Agent, Allocation, Mapping, MemoryHandle, Pool, Reservation
from hsa_reference.ranges import Ranges
from hsa_spec import Registry

_FEATURES = {"virtual memory": "HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED"}


class State:
    """What one runtime knows.

    Args:
        machine: the machine that it models.
        registry: the specification that it follows.

    """

    def __init__(self, machine: Machine, registry: Registry) -> None:
        self.machine = machine
        self.registry = registry
        self.catalogue = catalogue(machine, registry)
        self.references = machine.references
        self.page_size = memory.PAGE
        self.agents: Table[int, Agent] = {a.handle: a for a in self.catalogue.agents}
        self.pools: Table[int, Pool] = {p.handle: p for p in self.catalogue.pools}
        self.allocations: Ranges[Allocation] = Ranges()
        self.reservations: Ranges[Reservation] = Ranges()
        self.mappings: Ranges[Mapping] = Ranges()
        self.handles: dict[int, MemoryHandle] = {}
        self.handle_of: dict[tuple[int, int], MemoryHandle] = {}  # by identity of the memory
        # Values are never used again, so a released handle stays an invalid one.
        self.new_handles = count(MEMORY_HANDLES + 1)
        # A runtime that nobody shuts down must not keep memory of a process that made another one.
        tables = (self.allocations, self.reservations, self.handles)
        weakref.finalize(self, _release, *tables).atexit = False

    def release_everything(self) -> None:
        """Give back every resource, as the last hsa_shut_down does."""
        _release(self.allocations, self.reservations, self.handles)
        for table in (self.allocations, self.reservations, self.mappings):
            table.clear()
        self.handles.clear()
        self.handle_of.clear()
        for pool in self.catalogue.pools:
            pool.used = 0

    # hsa_spec.world.World

    def agent(self, handle: int) -> Agent | None:
        """Return the agent with this handle."""
        return self.agents.get(handle)

    def pool(self, handle: int) -> Pool | None:
        """Return the memory pool with this handle."""
        return self.pools.get(handle)

    def pool_access(self, agent: int, pool: int) -> str:
        """Return "never", "default" or "on_request": how the agent reaches buffers in the pool."""
        return self.catalogue.access.get((agent, pool), "never")

    def memory_handle(self, handle: int) -> MemoryHandle | None:
        """Return the virtual-memory handle with this value, while references are held to it."""
        found = self.handles.get(handle)
        return found if found is not None and found.references > 0 else None

    def reservation(self, address: int) -> Reservation | None:
        """Return the reservation that starts at this address."""
        return self.reservations.at(address)

    def reservation_around(self, address: int) -> Reservation | None:
        """Return the reservation that contains this address."""
        return self.reservations.around(address)

    def mapping(self, address: int) -> Mapping | None:
        """Return the mapping that starts at this address."""
        return self.mappings.at(address)

    def mapping_around(self, address: int) -> Mapping | None:
        """Return the mapping that contains this address."""
        return self.mappings.around(address)

    def allocation(self, address: int) -> Allocation | None:
        """Return the pool allocation that starts at this address."""
        return self.allocations.at(address)

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return `count` 64-bit words of the caller's memory; `address` is readable."""
        return memory.words(address, count)

    def supports(self, feature: str) -> bool:
        """Tell whether the machine's driver offers this feature, such as "virtual memory"."""
        return any(self.catalogue.system[self.registry.constants[_FEATURES[feature]]])

    def exhausted(self, resource: str) -> bool:
        """Tell whether the machine was told to run out of this resource."""
        return resource in self.machine.exhausted

    def find(self, kind: str, *key: int) -> object | None:
        """Return the live object of a kind, such as the "pool" with this handle."""
        look_up = _LOOK_UPS.get(kind)
        return look_up(self, *key) if look_up else None

    def overlapping(self, kind: str, address: int, size: int) -> Sequence[Any]:
        """Return the live objects of a kind that any of these bytes lie in, by address."""
        return _RANGES[kind](self).overlapping(address, size)

    def holds(self, fact: str, *arguments: int) -> bool:
        """Return whether a named fact holds; those of topics that are not here do not."""
        known = _FACTS.get(fact)
        return known is not None and known(self, *arguments)


def _access_was_set(state: State, address: int, agent: int) -> bool:
    mapping = state.mapping_around(address)
    return mapping is not None and mapping.access_was_set(agent)


def _is_shareable(state: State, descriptor: int) -> bool:
    shared = memory.describe(descriptor)
    return shared is not None and shared.pool < len(state.catalogue.pools)


_LOOK_UPS: Table[str, Callable[..., object | None]] = {
    "agent": State.agent,
    "pool": State.pool,
    "memory_handle": State.memory_handle,
    "reservation": State.reservation,
    "mapping": State.mapping,
    "allocation": State.allocation,
}

_RANGES: Table[str, Callable[[State], Ranges[Any]]] = {
    "reservation": lambda state: state.reservations,
    "mapping": lambda state: state.mappings,
    "allocation": lambda state: state.allocations,
}

_FACTS: Table[str, Callable[..., bool]] = {
    "access_was_set": _access_was_set,
    "is_open": lambda _, descriptor: memory.is_open(descriptor),
    "is_shareable": _is_shareable,
    "reaches_pool": lambda state, agent, pool: state.pool_access(agent, pool) != "never",
}


def _release(
    allocations: Ranges[Allocation],
    reservations: Ranges[Reservation],
    handles: Table[int, MemoryHandle],
) -> None:
    for block in allocations:
        memory.unmap(block.address, block.size)
    for reservation in reservations:
        memory.unmap(reservation.address, reservation.size)
    for handle in handles.values():
        os.close(handle.descriptor)
