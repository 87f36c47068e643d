"""Signals and groups of signals: what creating and destroying them changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hsa_conformance.model.state import Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


@dataclass(frozen=True)
class Signal:
    """A live signal, and the value that it was created with."""

    handle: int
    initial: int = 0


@dataclass(frozen=True)
class SignalGroup:
    """A live group of signals, in the order that it was made of."""

    handle: int
    signals: tuple[int, ...]


def _create(model: Model, answer: Answer) -> None:
    handle = answer["signal"]
    model.keep("signal", handle, thing=Signal(handle, answer.args["initial_value"]))


def _destroy(model: Model, answer: Answer) -> None:
    model.drop("signal", answer.args["signal"])


def _create_group(model: Model, answer: Answer) -> None:
    handle, args = answer["signal_group"], answer.args
    signals = model.words(args["signals"], args["num_signals"])
    model.keep("signal_group", handle, thing=SignalGroup(handle, signals))


def _destroy_group(model: Model, answer: Answer) -> None:
    model.drop("signal_group", answer.args["signal_group"])


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_signal_create": _create,
    "hsa_signal_destroy": _destroy,
    "hsa_signal_group_create": _create_group,
    "hsa_signal_group_destroy": _destroy_group,
}

#: Groups first: they refer to signals.
RELEASE: Mapping[str, tuple[str, str]] = {
    "signal_group": ("hsa_signal_group_destroy", "signal_group"),
    "signal": ("hsa_signal_destroy", "signal"),
}
