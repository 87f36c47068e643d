"""Signals with attributes, and handlers that wait for signals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import Transition
from hsa_conformance.topics.core.signals.state import Signal


@dataclass(frozen=True)
class AttributedSignal(Signal):
    """A signal with bits of hsa_amd_signal_attribute_t."""

    attributes: int = 0


def _create(model: Model, answer: Answer) -> None:
    handle = answer["signal"]
    thing = AttributedSignal(handle, answer.args["initial_value"], answer.args["attributes"])
    model.add("signal", handle, thing=thing)


def _handler(model: Model, _: Answer) -> None:
    # No function takes a handler back, and it may not outlive its signal.
    model.lasting = True


def _has_attributes(model: Model, signal: int) -> bool:
    found = model.find("signal", signal)
    return isinstance(found, AttributedSignal) and found.attributes != 0


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_signal_create": _create,
    "hsa_amd_signal_async_handler": _handler,
}

FACTS: Mapping[str, Fact] = {"signal_has_attributes": _has_attributes}
