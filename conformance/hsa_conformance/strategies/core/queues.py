"""Queues, on agents that process packets and for packets that the application processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_adapters.protocol import Callback
from hsa_conformance.calls import Out
from hsa_conformance.findings import Unavailable
from hsa_conformance.model.core.queues import Queue, QueueLimits
from hsa_conformance.strategies.builder import UNKNOWN_SIZE, Builder, CannotMake, Lacking, Stock
from hsa_conformance.strategies.core.memory import regions
from hsa_conformance.strategies.core.signals import signal
from hsa_conformance.strategies.makers import Makers

MULTI: Final = 0
SINGLE: Final = 1
COOPERATIVE: Final = 2

KERNEL_DISPATCH: Final = 1
AGENT_DISPATCH: Final = 2

#: Bytes of a hsa_queue_t.
STRUCTURE: Final = 40


def survey(stock: Stock) -> None:
    """Ask each agent, once, what it says of its queues."""
    model = stock.session.model
    if not model.kept("queue_limits"):
        for agent in model.agents:
            model.keep("queue_limits", agent, thing=_limits(stock, agent))


def _limits(stock: Stock, agent: int) -> QueueLimits:
    def ask(attribute: str, size: int = 4) -> int:
        answer = stock.session.must(
            "hsa_agent_get_info",
            agent=agent,
            attribute=stock.session.registry.constants[attribute],
            value=Out(size),
        )
        return answer.number("value")

    if not ask("HSA_AGENT_INFO_QUEUES_MAX"):
        return QueueLimits(frozenset(), 0, 0)
    types = {SINGLE, MULTI} if ask("HSA_AGENT_INFO_QUEUE_TYPE") == MULTI else {SINGLE}
    if ask("HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES", 1):
        types.add(COOPERATIVE)
    least, most = (ask(f"HSA_AGENT_INFO_QUEUE_{which}_SIZE") for which in ("MIN", "MAX"))
    return QueueLimits(frozenset(types), least, most)


def limits(stock: Stock, agent: int) -> QueueLimits:
    """Return what an agent says of its queues."""
    survey(stock)
    found: QueueLimits = stock.session.model.objects["queue_limits"][agent,]
    return found


def agents_with_queues(stock: Stock) -> list[int]:
    """Return the agents that process packets."""
    return [a.handle for a in stock.agents() if limits(stock, a.handle).types]


def queue(
    stock: Stock,
    size: int | None = None,
    callback: Callback | int = 0,
    data: int = 0,
    agent: int | None = None,
) -> Queue:
    """Create a queue that an agent reads.

    Args:
        stock: where valid things come from.
        size: how many packets it is to hold; some number that the agent offers by default.
        callback: what is called for its errors.
        data: what the callback gets.
        agent: who reads it; any that can by default.

    Raises:
        Unavailable: no agent of the machine processes packets.

    """
    agent = agent or stock.available(agents_with_queues(stock), "agent that processes packets")
    offered = limits(stock, agent)
    answer = stock.session.must(
        "hsa_queue_create",
        agent=agent,
        size=size or stock.choose([offered.least or 1, min(4 * offered.least, offered.most)]),
        type=MULTI if MULTI in offered.types else SINGLE,
        callback=callback,
        data=data,
        private_segment_size=UNKNOWN_SIZE,
        group_segment_size=UNKNOWN_SIZE,
        queue=Out(),
    )
    found: Queue = stock.session.model.objects["queue"][answer["queue"],]
    return found


def soft_queue(stock: Stock, size: int = 16, features: int = AGENT_DISPATCH) -> Queue:
    """Create a queue whose packets the application processes.

    Raises:
        Unavailable: the host can allocate in no region.

    """
    answer = stock.session.must(
        "hsa_soft_queue_create",
        region=stock.available(host_regions(stock), "region of a CPU to allocate in"),
        size=size,
        type=stock.choose([MULTI, SINGLE]),
        features=features,
        doorbell_signal=signal(stock),
        queue=Out(),
    )
    found: Queue = stock.session.model.objects["queue"][answer["queue"],]
    return found


def host_regions(stock: Stock) -> list[int]:
    """Return the global regions of CPUs in which memory can be allocated."""
    found = regions(stock).values()
    return [r.handle for r in found if r.allocatable and r.device == "cpu" and r.segment == 0]


def any_queue(stock: Stock) -> Queue:
    """Create a queue of either kind, as far as the machine has both."""
    kinds = ["soft"] if host_regions(stock) else []
    kinds += ["of an agent"] if agents_with_queues(stock) else []
    if not kinds:
        raise Unavailable("NOT_APPLICABLE", "the machine has no queues")
    return soft_queue(stock) if stock.choose(kinds) == "soft" else queue(stock)


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
    pairs = [
        (a.handle, t)
        for a in b.agents()
        for t in (MULTI, SINGLE, COOPERATIVE)
        if t not in limits(b, a.handle).types
    ]
    if not pairs:
        raise Lacking("every agent supports every type of queue")
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


MAKERS: Mapping[str, Makers] = {
    "is_queue": Makers(_queue, _no_queue),
    "queue_type_supported": Makers(_supported_type, _unsupported_type),
    "queue_size_supported": Makers(_supported_size, _unsupported_size),
}
