"""Signals with attributes, and handlers that wait for signals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hsa_conformance.model.core.signals import Signal
from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


@dataclass(frozen=True)
class AttributedSignal(Signal):
    """A signal with bits of hsa_amd_signal_attribute_t."""

    attributes: int = 0


def _create(model: Model, answer: Answer) -> None:
    handle = answer["signal"]
    thing = AttributedSignal(handle, answer.args["initial_value"], answer.args["attributes"])
    model.keep("signal", handle, thing=thing)


def _handler(model: Model, _: Answer) -> None:
    # No function takes a handler back, and it may not outlive its signal.
    model.lasting = True


def _has_attributes(model: Model, signal: int) -> bool:
    found = model.find("signal", signal)
    return isinstance(found, AttributedSignal) and found.attributes != 0


RECORD: Mapping[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_signal_create": _create,
    "hsa_amd_signal_async_handler": _handler,
}

FACTS: Mapping[str, Fact] = {"signal_has_attributes": _has_attributes}
