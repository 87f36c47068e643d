"""One of two processes that share blocks and signals by name, and what it knows of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.random_programs.sequences import Actor
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.pools.device_copies import copied, host_room
from hsa_conformance.topics.amd.pools.fixtures import allocate, known_pools
from hsa_conformance.topics.amd.pools.state import Allocation
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.core.signals.generators import signal


@dataclass(eq=False)
class Block:
    """A block that one of the processes allocated, and what either wrote to it, by offset."""

    allocation: Allocation
    content: dict[int, bytes] = field(default_factory=dict)
    names: list[int] = field(default_factory=list)
    freed: bool = False


@dataclass(eq=False)
class Attachment:
    """A block of the other process, and the GPUs that have to have access to it."""

    block: Block
    address: int
    agents: frozenset[int]
    listed: bool


@dataclass(eq=False)
class Shared:
    """A signal that one of the processes created to be shared, and what it holds."""

    value: int
    names: list[int] = field(default_factory=list)
    destroyed: bool = False


@dataclass(eq=False)
class Held:
    """A handle that a process has of a signal."""

    signal: Shared
    handle: int
    attached: bool


#: A block as a process reaches it: where, and by which GPU.
Place = tuple[Block, int, int]


class Player(Actor):
    """One process.

    Args:
        session: the process and what is known of it.
        draw: Hypothesis's source of choices.
        judge: knows what the registry says of a call.
        tags: bytes to write, each another one.

    Attributes:
        other: the other process.
        last: the function that one of the two has called last.
        own: the blocks that it has allocated and not freed.
        known: blocks of the other process, each with the address of a name for it.
        attached: what it has attached, once for each time.
        heard_of: signals of the other process, each with the address of a name for it.
        held: its handles of shared signals, once for each time.

    """

    other: Player

    def __init__(self, session: Session, draw: Draw, judge: Judge, tags: Iterator[int]) -> None:
        super().__init__(session, draw, judge, wrong=False)
        self.model = session.model
        self.tags = tags
        self.last = ""
        self.own: list[Block] = []
        self.known: list[tuple[Block, int]] = []
        self.attached: list[Attachment] = []
        self.heard_of: list[tuple[Shared, int]] = []
        self.held: list[Held] = []
        self._rooms: dict[int, int] = {}
        self._host: tuple[int, Agent] | None = None
        self._done = 0

    def did(self, function: str) -> None:
        """Note what was called last."""
        self.last = self.other.last = function

    def places(self) -> list[Place]:
        """Return where the process reaches blocks."""
        pools = {p.handle: p.agent for p in known_pools(self, lambda p: p.location == "gpu")}
        mine = [(b, b.allocation.address, pools[b.allocation.pool]) for b in self.own]
        theirs = [(a.block, a.address, min(a.agents)) for a in self.attached if a.agents]
        return mine + theirs

    def read(self, address: int, size: int, gpu: int) -> bytes | None:
        """Return what a GPU finds at an address.

        Raises:
            Blocked: the GPU does not copy.

        """
        room, (back, host), agent = self._room(gpu), self._back(), self._agent(gpu)
        copied(self, (room, agent), (address, host), size, self._done)
        copied(self, (back, host), (room, agent), size, self._done)
        return self.session.read(back, size)

    def write(self, address: int, content: bytes, gpu: int) -> None:
        """Let a GPU write bytes; see `read`."""
        room, (back, host), agent = self._room(gpu), self._back(), self._agent(gpu)
        if not self.session.write(back, content):
            raise Blocked("hsa_amd_memory_pool_allocate/usable-by-host", "a fault")
        copied(self, (room, agent), (back, host), len(content), self._done)
        copied(self, (address, host), (room, agent), len(content), self._done)

    def _agent(self, handle: int) -> Agent:
        return next(a for a in known_agents(self, "gpu") if a.handle == handle)

    def _room(self, gpu: int) -> int:
        """Return memory of a GPU for copies of it."""
        if gpu not in self._rooms:
            pools = known_pools(self, lambda p: p.allocatable and p.agent == gpu)
            self._rooms[gpu] = allocate(self, self.one_of(pools), self.model.page_size)
        return self._rooms[gpu]

    def _back(self) -> tuple[int, Agent]:
        """Return memory of the host that each GPU can copy to, and whose it is."""
        if self._host is None:
            self._host = host_room(self)
            self._done = signal(self, 1)
        return self._host
