"""A world that is nothing but tables of small numbers, and strategies that fill it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from hsa_spec.conditions.vocabulary import VIEWS


@dataclass(frozen=True)
class Agent:
    handle: int
    device: str


@dataclass(frozen=True)
class Pool:
    handle: int
    agent: int
    location: str
    allocatable: bool
    granule: int
    max_size: int


@dataclass(frozen=True)
class MemoryHandle:
    handle: int
    size: int
    references: int


@dataclass(frozen=True)
class Reservation:
    address: int
    size: int
    mappings: int


@dataclass(frozen=True)
class Mapping:
    address: int
    size: int
    pool: int


@dataclass(frozen=True)
class Allocation:
    address: int
    size: int
    pool: int


@dataclass
class ToyWorld:
    references: int = 0
    page_size: int = 4
    agents: list[Agent] = field(default_factory=list)
    pools: list[Pool] = field(default_factory=list)
    handles: list[MemoryHandle] = field(default_factory=list)
    reservations: list[Reservation] = field(default_factory=list)
    mappings: list[Mapping] = field(default_factory=list)
    allocations: list[Allocation] = field(default_factory=list)
    memory: list[int] = field(default_factory=lambda: [0])
    features: set[str] = field(default_factory=set)
    things: set[int] = field(default_factory=set)

    def table(self, kind: str) -> Any:
        return {
            "agent": self.agents,
            "pool": self.pools,
            "memory_handle": self.handles,
            "reservation": self.reservations,
            "mapping": self.mappings,
            "allocation": self.allocations,
        }[kind]

    def words(self, address: int, count: int) -> tuple[int, ...]:
        # Memory repeats, so that every address is readable; no test needs a longer array.
        return tuple(self.memory[(address + i) % len(self.memory)] for i in range(min(count, 50)))

    def supports(self, feature: str) -> bool:
        return feature in self.features

    def exhausted(self, resource: str) -> bool:
        return resource in self.features

    def find(self, kind: str, *key: int) -> Any:
        number = key[0]
        if kind in ("agent", "pool", "memory_handle"):
            return _first(t for t in self.table(kind) if t.handle == number)
        if kind in ("reservation", "mapping", "allocation"):
            return _first(t for t in self.table(kind) if t.address == number)
        return _Thing(number) if (len(kind) + number) % 3 and number in self.things else None

    def overlapping(self, kind: str, address: int, size: int) -> Any:
        wanted = range(address, address + size)
        found = [t for t in self.table(kind) if {*wanted} & {*range(t.address, t.address + t.size)}]
        return sorted(found, key=lambda t: t.address)

    def holds(self, fact: str, *arguments: int) -> bool:
        return (len(fact) + sum(arguments)) % 2 == 0


@dataclass(frozen=True)
class _Thing:
    """An object of any kind: every attribute that is asked for follows from the handle."""

    handle: int

    def __getattr__(self, name: str) -> int | str:
        number = self.handle + len(name)
        kinds = {attributes[name] for attributes in VIEWS.values() if name in attributes}
        if kinds == {"text"}:
            return TEXTS[number % len(TEXTS)]
        return number % 2 == 0 if kinds == {"bool"} else number


def _first(found: Any) -> Any:
    return next(found, None)


SMALL = st.integers(0, 12)
_DEVICES = st.sampled_from(["cpu", "gpu"])
TEXTS = ("memory", "virtual memory", "cpu", "gpu")


def worlds() -> st.SearchStrategy[ToyWorld]:
    """Worlds in which about half of all look-ups for small numbers find something."""
    return st.builds(
        ToyWorld,
        references=st.integers(0, 3),
        page_size=st.sampled_from([1, 4]),
        agents=st.lists(st.builds(Agent, SMALL, _DEVICES), max_size=6),
        pools=st.lists(
            st.builds(Pool, SMALL, SMALL, _DEVICES, st.booleans(), SMALL, SMALL), max_size=6
        ),
        handles=st.lists(st.builds(MemoryHandle, SMALL, SMALL, SMALL), max_size=6),
        reservations=st.lists(st.builds(Reservation, SMALL, SMALL, SMALL), max_size=4),
        mappings=st.lists(st.builds(Mapping, SMALL, SMALL, SMALL), max_size=4),
        allocations=st.lists(st.builds(Allocation, SMALL, SMALL, SMALL), max_size=6),
        memory=st.lists(SMALL, min_size=1, max_size=8),
        features=st.sets(st.sampled_from(TEXTS)),
        things=st.sets(SMALL),
    )
