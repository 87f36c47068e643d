"""A world that is nothing but tables of small numbers, and strategies that fill it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st


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
    agents: frozenset[int]

    def access_was_set(self, agent: int) -> bool:
        return agent in self.agents


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
    out_of_reach: set[tuple[int, int]] = field(default_factory=set)
    shareable: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    memory: list[int] = field(default_factory=lambda: [0])
    features: set[str] = field(default_factory=set)
    things: set[int] = field(default_factory=set)

    def agent(self, handle):
        return _first(a for a in self.agents if a.handle == handle)

    def pool(self, handle):
        return _first(p for p in self.pools if p.handle == handle)

    def pool_access(self, agent, pool):
        return "never" if (agent, pool) in self.out_of_reach else "default"

    def memory_handle(self, handle):
        return _first(h for h in self.handles if h.handle == handle)

    def reservation(self, address):
        return _first(r for r in self.reservations if r.address == address)

    def reservation_around(self, address):
        return _first(r for r in self.reservations if r.address <= address < r.address + r.size)

    def mapping(self, address):
        return _first(m for m in self.mappings if m.address == address)

    def mapping_around(self, address):
        return _first(m for m in self.mappings if m.address <= address < m.address + m.size)

    def overlaps_mapping(self, address, size):
        return any(
            m.address < address + size and address < m.address + m.size for m in self.mappings
        )

    def fully_mapped(self, address, size):
        return any((m.address, m.size) == (address, size) for m in self.mappings)

    def allocation(self, address):
        return _first(a for a in self.allocations if a.address == address)

    def is_shareable(self, descriptor):
        return descriptor in self.shareable

    def is_open(self, descriptor):
        return descriptor in self.opened

    def words(self, address, count):
        # Memory repeats, so that every address is readable; no test needs a longer array.
        return tuple(self.memory[(address + i) % len(self.memory)] for i in range(min(count, 50)))

    def supports(self, feature):
        return feature in self.features

    def exhausted(self, resource):
        return resource in self.features

    def find(self, kind, handle):
        return _Thing(handle) if (len(kind) + handle) % 3 and handle in self.things else None

    def holds(self, fact, *arguments):
        return (len(fact) + sum(arguments)) % 2 == 0


@dataclass(frozen=True)
class _Thing:
    """An object of any kind: every attribute that is asked for follows from the handle."""

    handle: int

    def __getattr__(self, name):
        if name in {"value", "size", "agent", "max_size"}:
            return self.handle + len(name)
        return (self.handle + len(name)) % 2 == 0


def _first(found):
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
        mappings=st.lists(
            st.builds(Mapping, SMALL, SMALL, SMALL, st.frozensets(SMALL)), max_size=4
        ),
        allocations=st.lists(st.builds(Allocation, SMALL, SMALL, SMALL), max_size=6),
        out_of_reach=st.sets(st.tuples(SMALL, SMALL), max_size=20),
        shareable=st.sets(SMALL),
        opened=st.sets(SMALL),
        memory=st.lists(SMALL, min_size=1, max_size=8),
        features=st.sets(st.sampled_from(TEXTS)),
        things=st.sets(SMALL),
    )
