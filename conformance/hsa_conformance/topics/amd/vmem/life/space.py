"""What a process of a random sequence has of virtual memory, to act on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hsa_conformance.engine.checks.random_programs.player import Player
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.state import Pool, pool_access
from hsa_conformance.topics.amd.vmem.state import Mapping, MemoryHandle, handles
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent


@dataclass
class Memory:
    """The bytes of one piece of memory, as far as the suite wrote them."""

    size: int
    content: dict[int, int] = field(default_factory=dict)
    written: list[range] = field(default_factory=list)

    def write(self, offset: int, content: bytes) -> None:
        """Keep what was written."""
        self.written.append(range(offset, offset + len(content)))
        self.content.update(enumerate(content, offset))

    def at(self, where: range) -> bytes:
        """Return what was written last at these offsets."""
        return bytes(self.content[o] for o in where)


class Space:
    """The memory that handles, addresses and descriptors of a process stand for."""

    def __init__(self, p: Player) -> None:
        self.player = p
        self.model = p.model
        self.plain = p.readable() if p.wrong else 0
        # Lists to draw from may depend on earlier choices only, never on which addresses and values
        # the library gives out: what is given out again stays in here, and the judge knows better.
        self.freed: list[int] = []
        self.released: list[MemoryHandle] = []
        self.unmapped: list[int] = []
        self.named: dict[int, set[int]] = {}  # the agents of the last list, by where a mapping is
        self.memory: dict[int, Memory] = {}
        self.mapped: dict[int, Memory] = {}
        self.shared: dict[int, Memory] = {}
        # What several agents of the host may do together is nothing that the text speaks of.
        self.host = next(iter(known_agents(p, "cpu")), None)
        self.spoken_of = [*known_agents(p, "gpu"), *([self.host] if self.host else [])]

    # things that are there, and things that are not any more

    def held(self) -> list[int]:
        """Return the handles with references."""
        return [h.handle for h in handles(self.model) if h.references > 0]

    def no_handles(self) -> list[int]:
        """Return values that are no handles: released ones, zero, plain memory."""
        return [0, self.plain, *(r.handle for r in self.released)]

    def unknown_handles(self) -> list[int]:
        """Return values that no memory has: of one that is mapped, something may still be told."""
        return [0, self.plain, *(r.handle for r in self.released if not r.mappings)]

    def no_ranges(self) -> list[int]:
        """Return addresses at which no reservation starts."""
        inside = [r.address + self.model.page_size for r in self.model.live("reservation")]
        return [self.plain, *self.freed, *inside]

    def hints(self) -> list[int]:
        """Return addresses to wish for: none, taken ones, and free ones."""
        return [0, *(r.address for r in self.model.live("reservation")), *self.freed]

    def some_mapping(self) -> Mapping:
        """Draw a mapping that is there."""
        mappings: list[Mapping] = self.model.live("mapping")
        return self.player.choose(mappings)

    def reaching(self, mapping: Mapping) -> list[int]:
        """Return the agents to speak of for a mapping: one of the host, and GPU agents."""
        return [a.handle for a in self.spoken_of if self._reaches(a, mapping.pool)]

    def host_pools(self) -> list[Pool]:
        """Return the pools that handles can come from and the host reaches."""
        return [p for p in self.handle_pools() if self.host and self._reaches(self.host, p.handle)]

    def handle_pools(self) -> list[Pool]:
        """Return the pools that handles can come from."""
        return known_pools(self.player, lambda p: p.allocatable and p.location == "gpu")

    def _reaches(self, agent: Agent, pool: int) -> bool:
        # Which pool imported memory lies in is not known; any answer is right then.
        return pool == 0 or pool_access(self.model, agent.handle, pool) != "never"

    def left_open(self, mapping: Mapping, agent: int) -> bool:
        """Return whether the text leaves open what an agent may do whom the last list left out."""
        last = self.named.get(mapping.address)
        kept = self.player.judge.in_force("hsa_amd_vmem_set_access/others-kept")
        return last is not None and agent in mapping.access and agent not in last and not kept

    def name(self, address: int, size: int, agents: Iterable[int]) -> None:
        """Note the agents of a list of permissions that was set for mappings."""
        named = {int(agent) for agent in agents}
        for mapping in self.model.live("mapping"):
            if address <= mapping.address < address + size:
                self.named[mapping.address] = named

    def host_permission(self, mapping: Mapping) -> int | None:
        """Return what the host may do, or None when nothing was said."""
        return mapping.access.get(self.host.handle) if self.host else None


def space(p: Player) -> Space:
    """Return what a process has of virtual memory."""
    return p.notes(Space)
