"""Handlers of events of the whole system, and functions that wait for the end of a block."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import Transition
from hsa_conformance.topics.amd.pools.state import allocation_around


def _register_handler(model: Model, answer: Answer) -> None:
    model.add("event handler", len(model.live("event handler")), thing=answer.function.name)
    model.lasting = True


def _register(model: Model, answer: Answer) -> None:
    address = answer.args["ptr"]
    model.add("deallocation callback", address, thing=allocation_around(model, address))


def _deregister(model: Model, answer: Answer) -> None:
    model.remove("deallocation callback", answer.args["ptr"])


def _has_event_handler(model: Model, _: int) -> bool:
    return bool(model.live("event handler"))


def _is_deallocation_callback(model: Model, address: int, callback: int) -> bool:
    block = model.find("deallocation callback", address)
    # A block that is given back takes its callbacks with it.
    return callback != 0 and block is not None and block is allocation_around(model, address)


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_register_system_event_handler": _register_handler,
    "hsa_amd_register_deallocation_callback": _register,
    "hsa_amd_deregister_deallocation_callback": _deregister,
}

FACTS: Mapping[str, Fact] = {
    "has_event_handler": _has_event_handler,
    "is_deallocation_callback": _is_deallocation_callback,
}
