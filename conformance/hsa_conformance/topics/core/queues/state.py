"""The queues that live, and what the machine says of its queues."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.generation.fixtures import OutOfReach
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.core.agents.state import find_agent


@dataclass(frozen=True)
class QueueLimits:
    """What an agent says of the queues that can be created on it; sizes in packets.

    It has at most `number` queues at one time. Of the types in `unsaid` it says neither yes nor no.
    """

    types: frozenset[int]
    least: int
    most: int
    number: int = 0
    unsaid: frozenset[int] = frozenset()


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
    agent = find_agent(model, args["agent"])
    on_gpu = agent is not None and agent.device == "gpu"
    queue = Queue(handle, args["agent"], args["size"], args["type"], on_gpu)
    model.add("queue", handle, thing=queue)


def _create_soft(model: Model, answer: Answer) -> None:
    handle, args = answer["queue"], answer.args
    model.add("queue", handle, thing=Queue(handle, 0, args["size"], args["type"], on_gpu=False))


def _destroy(model: Model, answer: Answer) -> None:
    model.remove("queue", answer.args["queue"])


def _limits(model: Model, agent: int) -> QueueLimits:
    if find_agent(model, agent) is None:
        return QueueLimits(frozenset(), 0, 0)
    found = model.find("queue_limits", agent)
    if not isinstance(found, QueueLimits):
        raise ProvesNothing("the suite has not asked the agent for its queues")
    return found


def _type_supported(model: Model, agent: int, kind: int) -> bool:
    said = _limits(model, agent)
    if kind in said.unsaid:
        raise OutOfReach("the agent does not say whether it has queues of this type")
    return kind in said.types


def _size_supported(model: Model, agent: int, size: int) -> bool:
    return 1 <= size <= _limits(model, agent).most


def full(model: Model, args: Mapping[str, int]) -> bool:
    """Return whether the agent of a new queue has as many as HSA_AGENT_INFO_QUEUES_MAX allows."""
    agent = args["agent"]
    queues: list[Queue] = model.live("queue")
    there = sum(queue.agent == agent for queue in queues)
    return 0 < _limits(model, agent).number <= there


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_queue_create": _create,
    "hsa_soft_queue_create": _create_soft,
    "hsa_queue_destroy": _destroy,
}

CLEAN_UP = (
    CleanUp(
        "queue",
        "hsa_queue_destroy",
        "queue",
        makers=[
            "hsa_queue_create",
            "hsa_soft_queue_create",
            "hsa_amd_queue_create",
            "hsa_amd_queue_intercept_create",
        ],
    ),
)

FACTS: Mapping[str, Fact] = {
    "queue_type_supported": _type_supported,
    "queue_size_supported": _size_supported,
}
