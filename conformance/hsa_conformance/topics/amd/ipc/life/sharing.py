"""What two processes share by name, and how GPUs reach it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.random_programs.player import Player
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
class SharedSignal:
    """A signal that one of the processes created to be shared, and what it holds."""

    value: int
    names: list[int] = field(default_factory=list)
    destroyed: bool = False


@dataclass(eq=False)
class SignalHandle:
    """A handle that a process has of a signal."""

    signal: SharedSignal
    handle: int
    attached: bool


#: A block as a process reaches it: where, and by which GPU.
Place = tuple[Block, int, int]


class Sharing:
    """What one of two processes shares with the other, and what it knows of the other's.

    Attributes:
        own: the blocks that it has allocated and not freed.
        known: blocks of the other process, each with the address of a name for it.
        attached: what it has attached, once for each time.
        heard_of: signals of the other process, each with the address of a name for it.
        held: its handles of shared signals, once for each time.
        rooms: memory of GPUs for copies of each.
        host: memory of the host that each GPU can copy to, whose it is, and a signal for copies.

    """

    def __init__(self, _: Player) -> None:
        self.own: list[Block] = []
        self.known: list[tuple[Block, int]] = []
        self.attached: list[Attachment] = []
        self.heard_of: list[tuple[SharedSignal, int]] = []
        self.held: list[SignalHandle] = []
        self.rooms: dict[int, int] = {}
        self.host: tuple[tuple[int, Agent], int] | None = None


def sharing(p: Player) -> Sharing:
    """Return what a process shares."""
    return p.notes(Sharing)


def places(p: Player) -> list[Place]:
    """Return where a process reaches blocks."""
    pools = {q.handle: q.agent for q in known_pools(p, lambda q: q.location == "gpu")}
    mine = [(b, b.allocation.address, pools[b.allocation.pool]) for b in sharing(p).own]
    theirs = [(a.block, a.address, min(a.agents)) for a in sharing(p).attached if a.agents]
    return mine + theirs


def read(p: Player, address: int, size: int, gpu: int) -> bytes | None:
    """Return what a GPU finds at an address.

    Raises:
        Blocked: the GPU does not copy.

    """
    room, agent = _room(p, gpu), _agent(p, gpu)
    (back, host), done = _back(p)
    # What an earlier copy left there must not look like what is to come.
    left = p.session.read(back, size)
    if left is None or not p.session.write(back, bytes(byte ^ 0xFF for byte in left)):
        raise Blocked("hsa_amd_memory_pool_allocate/usable-by-host", "a fault")
    copied(p, (room, agent), (address, host), size, done)
    copied(p, (back, host), (room, agent), size, done)
    return p.session.read(back, size)


def write(p: Player, address: int, content: bytes, gpu: int) -> None:
    """Let a GPU write bytes; see `read`."""
    room, agent = _room(p, gpu), _agent(p, gpu)
    (back, host), done = _back(p)
    if not p.session.write(back, content):
        raise Blocked("hsa_amd_memory_pool_allocate/usable-by-host", "a fault")
    copied(p, (room, agent), (back, host), len(content), done)
    copied(p, (address, host), (room, agent), len(content), done)


def _agent(p: Player, handle: int) -> Agent:
    return next(a for a in known_agents(p, "gpu") if a.handle == handle)


def _room(p: Player, gpu: int) -> int:
    rooms = sharing(p).rooms
    if gpu not in rooms:
        pools = known_pools(p, lambda q: q.allocatable and q.agent == gpu)
        rooms[gpu] = allocate(p, p.one_of(pools), p.model.page_size)
    return rooms[gpu]


def _back(p: Player) -> tuple[tuple[int, Agent], int]:
    own = sharing(p)
    if own.host is None:
        own.host = host_room(p), signal(p, 1)
    return own.host
