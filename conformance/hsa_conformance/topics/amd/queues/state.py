"""Queues that share hardware, and the compute units that queues may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.core.agents.state import find_agent
from hsa_conformance.topics.core.queues.state import Queue

#: Attributes that every queue of a GPU's compute engine has.
AGENT, DOORBELL, USE_COUNT, HARDWARE_ID = range(4)
_COMMON: Final = frozenset({AGENT, DOORBELL, USE_COUNT, HARDWARE_ID})
#: What only copy queues have, and the model knows none of them.
ENGINE: Final = 14


_AIE: Final = 2  # no queue of this engine can be created as yet


@dataclass(frozen=True)
class Units:
    """The compute units of an agent: how many, and whether only pairs of them can be chosen."""

    count: int
    in_pairs: bool


def units_of(model: Model, queue: int) -> Units | None:
    """Return the compute units of a queue's agent, None for what no agent reads.

    Raises:
        ProvesNothing: nobody has asked the agent.

    """
    owner = model.find("queue", queue)
    if not isinstance(owner, Queue) or not owner.on_gpu:
        return None
    found = model.find("units", owner.agent)
    if not isinstance(found, Units):
        raise ProvesNothing("the suite has not asked the agent for its compute units")
    return found


def _acquire(model: Model, answer: Answer) -> None:
    handle, args = answer["queue"], answer.args
    agent = find_agent(model, args["agent"])
    on_gpu = agent is not None and agent.device == "gpu"
    model.add("queue", handle, thing=Queue(handle, args["agent"], 0, args["type"], on_gpu))
    model.add("counted_queue", handle, thing=handle)


def _release(model: Model, answer: Answer) -> None:
    model.remove("counted_queue", answer.args["queue"])
    model.remove("queue", answer.args["queue"])


def _intercept(model: Model, answer: Answer) -> None:
    handle, args = answer["queue"], answer.args
    thing = Queue(handle, args["agent_handle"], args["size"], args["type"], on_gpu=True)
    model.add("queue", handle, thing=thing)
    model.add("intercepted_queue", handle, thing=thing)


def _interceptable(model: Model, queue: int) -> bool:
    found = model.find("queue", queue)  # another one may have its handle by now
    return found is not None and model.find("intercepted_queue", queue) is found


def _create(model: Model, _: Answer) -> None:
    model.lasting = True  # the queues are named in memory that the model does not read


def _register(model: Model, _: Answer) -> None:
    model.lasting = True  # a second function is another matter, and none can be taken back


def _counted(model: Model, queue: int) -> bool:
    return model.find("counted_queue", queue) is not None


def _in_pairs(model: Model, queue: int, count: int, mask: int) -> bool:
    units = units_of(model, queue)
    if units is None or not units.in_pairs or not mask:
        return True
    content = model.read(mask, count // 8) or b""
    pairs = (byte >> shift & 3 for byte in content for shift in (0, 2, 4, 6))
    return all(pair in (0, 3) for pair in pairs)


def _enables_masked(_: Model, *__: int) -> bool:
    return False  # the suite sets no HSA_CU_MASK


def _descriptors_supported(model: Model, agent: int, descriptors: int, count: int) -> bool:
    """Return whether an agent has all the queues: a GPU has those for computing."""
    owner = find_agent(model, agent)
    engines = [word >> 32 & 0xFF for word in model.words(descriptors, 12 * count)[::12]]
    if owner is None or owner.device != "gpu" or _AIE in engines:
        return False
    if any(engines):
        raise ProvesNothing("whether a GPU has copy queues depends on the device")
    return True


def _has_attribute(model: Model, queue: int, attribute: int) -> bool:
    owner = model.find("queue", queue)
    if attribute in _COMMON:
        return isinstance(owner, Queue) and owner.on_gpu
    if attribute == ENGINE and isinstance(owner, Queue):
        return False
    raise ProvesNothing("which queues have the attribute depends on the device")


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_queue_intercept_create": _intercept,
    "hsa_amd_queue_create": _create,
    "hsa_amd_counted_queue_acquire": _acquire,
    "hsa_amd_counted_queue_release": _release,
    "hsa_amd_runtime_queue_create_register": _register,
}

#: Before plain queues: each of these counts as one of them too.
CLEAN_UP = (
    CleanUp(
        "counted_queue",
        "hsa_amd_counted_queue_release",
        "queue",
        makers=["hsa_amd_counted_queue_acquire"],
    ),
)

FACTS: Mapping[str, Fact] = {
    "is_counted_queue": _counted,
    "units_in_pairs": _in_pairs,
    "enables_masked_units": _enables_masked,
    "interceptable": _interceptable,
    "queue_has_attribute": _has_attribute,
    "queue_descriptors_supported": _descriptors_supported,
}
