"""The suite's own record of what it did to a library: plain data, and the questions of conditions.

It shares no code with the reference, so that a mistake in one is seen by the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hsa_conformance.findings import ProvesNothing


@dataclass(frozen=True)
class Agent:
    """An agent that the library enumerated."""

    handle: int
    device: str


@dataclass(frozen=True)
class Pool:
    """A memory pool that the library enumerated; sizes in bytes."""

    handle: int
    agent: int
    location: str
    segment: int
    flags: int
    allocatable: bool
    granule: int
    alignment: int
    max_size: int
    size: int


@dataclass
class Reservation:
    """A range of addresses from hsa_amd_vmem_address_reserve or its aligned form."""

    address: int
    size: int
    mappings: int = 0


@dataclass
class MemoryHandle:
    """A virtual-memory handle: references the caller holds, and mappings that keep it alive."""

    handle: int
    size: int
    pool: int | None
    type: int | None
    references: int = 1
    mappings: int = 0


@dataclass
class Mapping:
    """A handle mapped at an address, and the permissions that were set, by agent."""

    address: int
    size: int
    handle: MemoryHandle
    reservation: Reservation
    access: dict[int, int] = field(default_factory=dict)

    @property
    def pool(self) -> int:
        """The pool of the memory, 0 when it came from an import and nobody asked."""
        return self.handle.pool or 0

    def access_was_set(self, agent: int) -> bool:
        """Return whether hsa_amd_vmem_set_access named this agent for this mapping."""
        return agent in self.access


@dataclass(frozen=True)
class Allocation:
    """A block from hsa_amd_memory_pool_allocate."""

    address: int
    size: int
    pool: int


@dataclass(frozen=True)
class File:
    """An open file: what it holds, and whether it can be read."""

    content: bytes
    readable: bool


_Range = TypeVar("_Range", Reservation, Mapping)

#: Answers a named fact about some arguments.
Fact = Callable[..., bool]


@dataclass
class Model:
    """Everything the suite knows about the process that it drives.

    Attributes:
        objects: the live objects of the topics that keep no table of their own, by kind and key.
        facts: how each topic answers the named facts of its conditions.
        released: the kinds of objects that an example has to give back.
        lasting: whether something was changed that no call changes back.

    """

    page_size: int
    read: Callable[[int, int], bytes | None]
    references: int = 0
    initialised_once: bool = False
    agents: dict[int, Agent] = field(default_factory=dict)
    pools: dict[int, Pool] = field(default_factory=dict)
    access: dict[tuple[int, int], str] = field(default_factory=dict)
    reservations: dict[int, Reservation] = field(default_factory=dict)
    handles: dict[int, MemoryHandle] = field(default_factory=dict)
    mappings: dict[int, Mapping] = field(default_factory=dict)
    allocations: dict[int, Allocation] = field(default_factory=dict)
    features: set[str] = field(default_factory=set)  # abilities that the library says it has
    descriptors: set[int] = field(default_factory=set)  # open ones that the suite knows
    shareable: dict[int, MemoryHandle | None] = field(default_factory=dict)
    objects: dict[str, dict[tuple[int, ...], Any]] = field(default_factory=dict)
    facts: Table[str, Fact] = field(default_factory=dict)
    released: Collection[str] = ()
    short_of: set[str] = field(default_factory=set)  # resources that were made to run out
    lasting: bool = False

    def agent(self, handle: int) -> Agent | None:
        """Return the agent with this handle."""
        return self.agents.get(handle)

    def pool(self, handle: int) -> Pool | None:
        """Return the memory pool with this handle."""
        return self.pools.get(handle)

    def pool_access(self, agent: int, pool: int) -> str:
        """Return "never", "default" or "on_request"."""
        return self.access.get((agent, pool), "never")

    def memory_handle(self, handle: int) -> MemoryHandle | None:
        """Return the virtual-memory handle while the caller holds a reference to it."""
        found = self.handles.get(handle)
        return found if found is not None and found.references > 0 else None

    def reservation(self, address: int) -> Reservation | None:
        """Return the reservation that starts here."""
        return self.reservations.get(address)

    def reservation_around(self, address: int) -> Reservation | None:
        """Return the reservation that contains this address."""
        return _around(self.reservations.values(), address)

    def mapping(self, address: int) -> Mapping | None:
        """Return the mapping that starts here."""
        return self.mappings.get(address)

    def mapping_around(self, address: int) -> Mapping | None:
        """Return the mapping that contains this address."""
        return _around(self.mappings.values(), address)

    def overlaps_mapping(self, address: int, size: int) -> bool:
        """Return whether any byte of the range is mapped."""
        return bool(self.overlapping("mapping", address, size))

    def row(self, address: int, size: int) -> list[Mapping] | None:
        """Return the whole mappings that make up the range without a gap, or None."""
        found, end = [], address + size
        while address < end:
            mapping = self.mappings.get(address)
            if mapping is None or address + mapping.size > end:
                return None
            found.append(mapping)
            address += mapping.size
        return found or None

    def allocation(self, address: int) -> Allocation | None:
        """Return the block that starts here."""
        return self.allocations.get(address)

    def is_open(self, descriptor: int) -> bool:
        """Tell whether the suite knows this descriptor to be open."""
        return descriptor in self.descriptors

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return 64-bit words of memory that the suite wrote."""
        data = self.read(address, 8 * count)
        if data is None:
            return ()
        return tuple(int.from_bytes(data[i : i + 8], "little") for i in range(0, 8 * count, 8))

    def exhausted(self, resource: str) -> bool:
        """Tell whether a resource was made to run out."""
        return resource in self.short_of

    def supports(self, feature: str) -> bool:
        """Tell whether the library said that the machine has this ability."""
        return feature in self.features

    def find(self, kind: str, *key: int) -> object | None:
        """Return the live object of a kind, such as the "signal" with this handle."""
        look_up = _LOOK_UPS.get(kind)
        return look_up(self, *key) if look_up else self.objects.get(kind, {}).get(key)

    def overlapping(self, kind: str, address: int, size: int) -> Sequence[Any]:
        """Return the live objects of a kind that any of these bytes lie in, by address."""
        things = _TABLES[kind](self).values() if kind in _TABLES else self.kept(kind)
        found = [
            thing
            for thing in things
            if size > 0 and thing.address < address + size and address < thing.address + thing.size
        ]
        return sorted(found, key=lambda thing: thing.address)

    def keep(self, kind: str, *key: int, thing: object) -> None:
        """Remember an object of a kind."""
        self.objects.setdefault(kind, {})[key] = thing

    def drop(self, kind: str, *key: int) -> None:
        """Forget an object of a kind, if it is known."""
        self.objects.get(kind, {}).pop(key, None)

    def kept(self, kind: str) -> list[Any]:
        """Return the live objects of a kind, the oldest first."""
        return list(self.objects.get(kind, {}).values())

    def holds(self, fact: str, *arguments: int) -> bool:
        """Tell whether a named fact holds for the arguments.

        Raises:
            ProvesNothing: nobody has found out.

        """
        known = self.facts.get(fact)
        if known is None:
            raise ProvesNothing(f"the suite does not know of {fact}")
        return known(self, *arguments)

    def forget_machine(self) -> None:
        """Drop what the runtime's end makes invalid."""
        self.agents.clear()
        self.pools.clear()
        self.access.clear()
        self.reservations.clear()
        self.handles.clear()
        self.mappings.clear()
        self.allocations.clear()
        self.shareable.clear()
        self.features.clear()
        self.objects.clear()

    def holds_nothing(self) -> bool:
        """Tell whether nothing is left that an example would have to give back."""
        return not (
            self.lasting
            or self.reservations
            or self.handles
            or self.mappings
            or self.allocations
            or any(self.objects.get(kind) for kind in self.released)
        )


#: How the kinds that have a table of their own are looked up.
_LOOK_UPS: Table[str, Callable[..., object | None]] = {
    "agent": Model.agent,
    "pool": Model.pool,
    "memory_handle": Model.memory_handle,
    "reservation": Model.reservation,
    "mapping": Model.mapping,
    "allocation": Model.allocation,
}

#: The tables of things that lie at an address.
_TABLES: Table[str, Callable[[Model], Table[int, Any]]] = {
    "reservation": lambda model: model.reservations,
    "mapping": lambda model: model.mappings,
    "allocation": lambda model: model.allocations,
}


def _around(things: Iterable[_Range], address: int) -> _Range | None:
    return next((t for t in things if t.address <= address < t.address + t.size), None)
