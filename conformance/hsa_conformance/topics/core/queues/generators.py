"""Queues, on agents that process packets and for packets that the application processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.generation.builder import UNKNOWN_SIZE, Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import Generators, known_values
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.memory.generators import regions
from hsa_conformance.topics.core.queues.state import Queue, QueueLimits
from hsa_conformance.topics.core.signals.generators import signal
from hsa_reports import Verdict

MULTI: Final = 0
SINGLE: Final = 1
COOPERATIVE: Final = 2
COOPERATION: Final = "HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES"

KERNEL_DISPATCH: Final = 1
AGENT_DISPATCH: Final = 2

#: Bytes of a hsa_queue_t.
STRUCTURE: Final = 40


def discover(fixtures: Fixtures) -> None:
    """Ask each agent, once, what it says of its queues."""
    model = fixtures.session.model
    if not model.live("queue_limits"):
        with fixtures.session.learning():
            for agent in known_agents(fixtures):
                model.add("queue_limits", agent.handle, thing=_limits(fixtures, agent.handle))


def _limits(fixtures: Fixtures, agent: int) -> QueueLimits:
    def ask(attribute: str) -> int:
        answer = fixtures.session.set_up(
            "hsa_agent_get_info",
            agent=agent,
            attribute=fixtures.session.registry.constants[attribute],
            value=Out(),
        )
        return answer.number("value")

    number = ask("HSA_AGENT_INFO_QUEUES_MAX")
    if not number:
        return QueueLimits(frozenset(), 0, 0)
    types = {SINGLE, MULTI} if ask("HSA_AGENT_INFO_QUEUE_TYPE") == MULTI else {SINGLE}
    cooperates = _cooperates(fixtures, agent)
    if cooperates:
        types.add(COOPERATIVE)
    unsaid = {COOPERATIVE} if cooperates is None else set[int]()
    least, most = (ask(f"HSA_AGENT_INFO_QUEUE_{which}_SIZE") for which in ("MIN", "MAX"))
    return QueueLimits(frozenset(types), least, most, number, frozenset(unsaid))


def _cooperates(fixtures: Fixtures, agent: int) -> bool | None:
    """Return whether an agent says that it has cooperative queues, None where it does not say.

    The type is HSA's, and the attribute AMD's alone.
    """
    session = fixtures.session
    if not session.offered_api.has_attribute(COOPERATION):
        return None
    attribute = session.registry.constants[COOPERATION]
    answer = session.call("hsa_agent_get_info", agent=agent, attribute=attribute, value=Out())
    return bool(answer.number("value")) if answer.ok else None


def limits(fixtures: Fixtures, agent: int) -> QueueLimits:
    """Return what an agent says of its queues."""
    discover(fixtures)
    found: QueueLimits = fixtures.session.model.objects["queue_limits"][agent,]
    return found


#: Packets of rings: of a page, and of more than 64 KiB and 2 MiB.
RINGS: Final = (64, 2048, 1 << 16)


def agents_with_queues(fixtures: Fixtures, slots: int = 1, type: int | None = None) -> list[int]:
    """Return the agents that process packets, in queues of a type that hold at least so many."""
    handles = [a.handle for a in known_agents(fixtures)]
    offered = [(handle, limits(fixtures, handle)) for handle in handles]
    return [
        handle
        for handle, said in offered
        if said.most >= slots and (said.types if type is None else type in said.types)
    ]


def queue(
    fixtures: Fixtures,
    size: int | None = None,
    callback: Callback | int = 0,
    data: int = 0,
    agent: int | None = None,
    slots: int = 1,
    type: int | None = None,
) -> Queue:
    """Create a queue that an agent reads.

    Args:
        fixtures: where valid things come from.
        size: how many packets it is to hold; some number that the agent offers by default.
        callback: what is called for its errors.
        data: what the callback gets.
        agent: who reads it; any that can by default.
        slots: how many packets it has to hold at once.
        type: which type it has to have; by default one for several threads, if there is one.

    Raises:
        Unavailable: no agent of the machine processes packets, or so many at once, or in a queue
            of that type.

    """
    agent = agent or fixtures.available(
        agents_with_queues(fixtures, slots, type), "agent that processes packets"
    )
    offered = limits(fixtures, agent)
    if type is None:
        type = MULTI if MULTI in offered.types else SINGLE
    least = max(offered.least, 1 << (slots - 1).bit_length())
    size = size or fixtures.choose([least, min(4 * least, offered.most)])
    values = {**arguments(agent, size, type), "callback": callback, "data": data}
    answer = fixtures.session.set_up("hsa_queue_create", **values)
    found: Queue = fixtures.session.model.objects["queue"][answer["queue"],]
    return found


def arguments(
    agent: int, size: int, type: int, segments: tuple[int, int] = (UNKNOWN_SIZE, UNKNOWN_SIZE)
) -> dict[str, Value]:
    """Return the arguments of hsa_queue_create, for a queue whose errors nobody is told.

    Args:
        agent: who reads it.
        size: how many packets it is to hold.
        type: which type it has.
        segments: the bytes of private and of group memory that its dispatches need at most.

    """
    private, group = segments
    return {
        "agent": agent,
        "size": size,
        "type": type,
        "callback": 0,
        "data": 0,
        "private_segment_size": private,
        "group_segment_size": group,
        "queue": Out(),
    }


def soft_queue(
    fixtures: Fixtures, size: int = 16, features: int = AGENT_DISPATCH, type: int | None = None
) -> Queue:
    """Create a queue whose packets the application processes.

    Args:
        fixtures: where choices come from.
        size: how many packets it has room for.
        features: which packets it is for.
        type: whether several threads may write packets; None: that is drawn.

    Raises:
        Unavailable: the host can allocate in no region.

    """
    region = fixtures.available(host_regions(fixtures), "region of a CPU to allocate in")
    type = fixtures.choose([MULTI, SINGLE]) if type is None else type
    values = soft_arguments(region, size, type, features, signal(fixtures))
    answer = fixtures.session.set_up("hsa_soft_queue_create", **values)
    found: Queue = fixtures.session.model.objects["queue"][answer["queue"],]
    return found


def soft_arguments(
    region: int, size: int, type: int, features: int, doorbell: int
) -> dict[str, Value]:
    """Return the arguments of hsa_soft_queue_create; see `soft_queue`."""
    return {
        "region": region,
        "size": size,
        "type": type,
        "features": features,
        "doorbell_signal": doorbell,
        "queue": Out(),
    }


def host_regions(fixtures: Fixtures) -> list[int]:
    """Return the global regions of CPUs in which memory can be allocated."""
    found = regions(fixtures).values()
    return [r.handle for r in found if r.allocatable and r.device == "cpu" and r.segment == 0]


def any_queue(fixtures: Fixtures, type: int | None = None) -> Queue:
    """Create a queue of either kind, as far as the machine has both.

    Args:
        fixtures: where choices come from.
        type: which type it has to have; None: any.

    Raises:
        Blocked: the library creates none.
        Unavailable: the machine has none.

    """
    return fixtures.either(
        lambda: soft_queue(fixtures, type=type), lambda: queue(fixtures, type=type)
    )


def shared_queue(fixtures: Fixtures) -> Queue:
    """Create a queue that several threads may write to: each kind that the machine has is tried.

    Args:
        fixtures: where choices come from.

    Raises:
        Blocked: the library creates none of the kind.
        Unavailable: the machine has none.

    """
    kinds: dict[str, Callable[[], Queue]] = {}
    if host_regions(fixtures) and fixtures.session.offers("hsa_soft_queue_create"):
        kinds["of the application"] = lambda: soft_queue(fixtures, type=MULTI)
    for words, type in (("for many producers", MULTI), ("cooperative", COOPERATIVE)):
        if agents_with_queues(fixtures, type=type):
            kinds[words] = partial(queue, fixtures, type=type)
    if not kinds:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the machine has no queue for several threads")
    return fixtures.each("queue", kinds)()


def _queue(b: Builder, x: str) -> None:
    b.values[x] = any_queue(b).handle


def _no_queue(b: Builder, x: str) -> None:
    b.values[x] = b.choose([b.readable(), _copy(b)])


def _copy(b: Builder) -> int:
    """Return the address of a copy of a queue's structure: it reads like a queue, and is none."""
    structure = b.session.read(any_queue(b).handle, STRUCTURE)
    if structure is None:
        raise CannotMake("a queue cannot be read")
    room = bytes(2 * b.session.model.page_size)
    return b.session.place(structure + room, "a copy of a queue")


def _supported_type(b: Builder, agent: str, kind: str) -> None:
    types = limits(b, b.number(agent)).types
    if not types:
        b.values[agent] = b.available(agents_with_queues(b), "agent that processes packets")
        types = limits(b, b.number(agent)).types
    b.values[kind] = b.choose(sorted(types))


def _unsupported_type(b: Builder, agent: str, kind: str) -> None:
    types = known_values(b.session, "hsa_queue_type_t")
    offered = {a.handle: limits(b, a.handle) for a in known_agents(b)}
    pairs = [
        (handle, t)
        for handle, said in offered.items()
        for t in types
        if t not in said.types | said.unsaid
    ]
    if not pairs:
        raise NotOnMachine("every agent supports every type of queue")
    b.values[agent], b.values[kind] = b.choose(pairs)


def _supported_size(b: Builder, agent: str, size: str) -> None:
    offered = limits(b, b.number(agent))
    if not offered.most:
        b.values[agent] = b.available(agents_with_queues(b), "agent that processes packets")
        offered = limits(b, b.number(agent))
    powers = [1 << n for n in range(32) if offered.least <= 1 << n <= offered.most]
    b.values[size] = b.choose(powers)


def _unsupported_size(b: Builder, agent: str, size: str) -> None:
    most = limits(b, b.number(agent)).most
    larger = [1 << n for n in range(32) if 1 << n > most]
    b.values[size] = b.choose([larger[0], larger[-1]])


GENERATORS: Mapping[str, Generators] = {
    "is_queue": Generators(_queue, _no_queue),
    "queue_type_supported": Generators(_supported_type, _unsupported_type),
    "queue_size_supported": Generators(_supported_size, _unsupported_size),
}
