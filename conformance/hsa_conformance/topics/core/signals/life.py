"""Signals and groups of them in random sequences: what each holds, whatever becomes of others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.session.model import Model
from hsa_conformance.topics.core.signals.properties.operations import ARITHMETIC, functions
from hsa_conformance.topics.core.signals.state import Signal
from hsa_conformance.topics.shared.signals import VALUES, wrapped

_CREATING: Final = ("hsa_signal_create", "hsa_amd_signal_create")
_LOAD: Final = "hsa_signal_load_scacquire"


def held(model: Model, signal: Signal) -> int:
    """Return what a signal holds, as the suite has set it."""
    found = model.find("value", signal.handle)
    return signal.initial if found is None or found[0] is not signal else int(found[1])


def hold(model: Model, signal: Signal, value: int) -> None:
    """Note what the suite has set a signal to."""
    model.add("value", signal.handle, thing=(signal, value))


def change(p: Player) -> None:
    """Change the value of a signal by some operation, and demand that it has the new value.

    It had the old value just before, so no other call has changed it.
    """
    signal: Signal = p.one_of(p.model.live("signal"))
    _look_at_value(p, signal, f"{_LOAD}/value")
    operation = p.one_of(list(ARITHMETIC))
    muted = p.session.skipped_clauses
    offered = [
        name
        for name in functions(operation)
        if p.session.offers(name) and f"{name}/value" not in muted
    ]
    operand = p.one_of(VALUES)
    name = p.one_of(offered)
    p.session.call(name, signal=signal.handle, value=operand)
    value = wrapped(ARITHMETIC[operation](held(p.model, signal), operand))
    hold(p.model, signal, value)
    _look_at_value(p, signal, f"{name}/value")


def look_at_values(p: Player) -> None:
    """Load each signal, and demand the value that it was given last."""
    for signal in p.some(p.model.live("signal")):
        _look_at_value(p, signal, f"{_LOAD}/value")


def look_at_all_values(p: Player, clause: str = f"{_LOAD}/value") -> None:
    """Load all signals."""
    for signal in p.model.live("signal"):
        _look_at_value(p, signal, clause)


def look_at_the_newest(clause: str, p: Player) -> None:
    """Load a new signal."""
    _look_at_value(p, p.model.live("signal")[-1], clause)


def _look_at_value(p: Player, signal: Signal, clause: str) -> None:
    wanted = held(p.model, signal)
    found = wrapped(p.session.call(_LOAD, signal=signal.handle).status)
    p.demand(clause).require(
        found == wanted, f"{signal.handle} does not hold {wanted:#x}, as it should", f"{found:#x}"
    )


def in_group(model: Model, arguments: Mapping[str, int]) -> bool:
    """Return whether the signal of a call is in a group."""
    return any(arguments["signal"] in group.signals for group in model.live("signal_group"))


LIFE = Life(
    clause="hsa_signal_destroy/success",
    functions=(
        "hsa_signal_create",
        "hsa_amd_signal_create",
        "hsa_signal_group_create",
        "hsa_signal_destroy",
        "hsa_signal_group_destroy",
    ),
    openings=(("hsa_signal_create", "hsa_signal_create", "hsa_amd_signal_create"),),
    acts=(change, change),
    distinct={"signal": "hsa_signal_create/distinct"},
    looks=(look_at_values,),
    after={
        **{name: partial(look_at_the_newest, f"{name}/initial-value") for name in _CREATING},
        "hsa_signal_destroy": look_at_all_values,
    },
    keeps={
        "hsa_signal_group_destroy": (
            look_at_all_values,
            "hsa_signal_group_destroy/signals-live-on",
        ),
    },
    values={f"{name}.initial_value": lambda _: VALUES for name in _CREATING},
    exclusions={"hsa_signal_destroy": in_group},
)
