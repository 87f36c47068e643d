"""Signals and groups of signals: what creating and destroying them changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition


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
    model.add("signal", handle, thing=Signal(handle, answer.args["initial_value"]))


def _destroy(model: Model, answer: Answer) -> None:
    model.remove("signal", answer.args["signal"])


def _create_group(model: Model, answer: Answer) -> None:
    handle, args = answer["signal_group"], answer.args
    signals = model.words(args["signals"], args["num_signals"])
    model.add("signal_group", handle, thing=SignalGroup(handle, signals))


def _destroy_group(model: Model, answer: Answer) -> None:
    model.remove("signal_group", answer.args["signal_group"])


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_signal_create": _create,
    "hsa_signal_destroy": _destroy,
    "hsa_signal_group_create": _create_group,
    "hsa_signal_group_destroy": _destroy_group,
}

#: Groups first: they refer to signals.
CLEAN_UP = (
    CleanUp(
        "signal_group",
        "hsa_signal_group_destroy",
        "signal_group",
        makers=["hsa_signal_group_create"],
    ),
    CleanUp(
        "signal",
        "hsa_signal_destroy",
        "signal",
        makers=["hsa_signal_create", "hsa_amd_signal_create", "hsa_amd_ipc_signal_attach"],
    ),
)
