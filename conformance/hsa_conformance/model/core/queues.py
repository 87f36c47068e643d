"""The queues that live, and what the machine says of its queues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hsa_conformance.findings import ProvesNothing
from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


@dataclass(frozen=True)
class QueueLimits:
    """What an agent says of the queues that can be created on it; sizes in packets."""

    types: frozenset[int]
    least: int
    most: int


@dataclass(frozen=True)
class Queue:
    """A queue; `agent` is 0 where the application itself processes the packets.

    `size` is what was asked for.
    """

    handle: int
    agent: int
    size: int
    type: int
    on_gpu: bool


def _create(model: Model, answer: Answer) -> None:
    handle, args = answer["queue"], answer.args
    agent = model.agent(args["agent"])
    on_gpu = agent is not None and agent.device == "gpu"
    queue = Queue(handle, args["agent"], args["size"], args["type"], on_gpu)
    model.keep("queue", handle, thing=queue)


def _create_soft(model: Model, answer: Answer) -> None:
    handle, args = answer["queue"], answer.args
    model.keep("queue", handle, thing=Queue(handle, 0, args["size"], args["type"], on_gpu=False))


def _destroy(model: Model, answer: Answer) -> None:
    model.drop("queue", answer.args["queue"])


def _limits(model: Model, agent: int) -> QueueLimits:
    if model.agent(agent) is None:
        return QueueLimits(frozenset(), 0, 0)
    found = model.find("queue_limits", agent)
    if not isinstance(found, QueueLimits):
        raise ProvesNothing("the suite has not asked the agent for its queues")
    return found


def _type_supported(model: Model, agent: int, kind: int) -> bool:
    return kind in _limits(model, agent).types


def _size_supported(model: Model, agent: int, size: int) -> bool:
    return 1 <= size <= _limits(model, agent).most


RECORD: Mapping[str, Callable[[Model, Answer], None]] = {
    "hsa_queue_create": _create,
    "hsa_soft_queue_create": _create_soft,
    "hsa_queue_destroy": _destroy,
}

RELEASE: Mapping[str, tuple[str, str]] = {"queue": ("hsa_queue_destroy", "queue")}

FACTS: Mapping[str, Fact] = {
    "queue_type_supported": _type_supported,
    "queue_size_supported": _size_supported,
}
