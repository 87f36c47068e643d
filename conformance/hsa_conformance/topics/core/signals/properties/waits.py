"""Waits for a signal: conditions met before and during them, and hints of time."""

from __future__ import annotations

import time
from typing import Final

from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.core.signals.generators import VALUES, signal
from hsa_conformance.topics.core.signals.properties.operations import (
    ARITHMETIC,
    functions,
    operation_of,
)
from hsa_conformance.topics.core.signals.properties.values import require_value
from hsa_conformance.topics.shared.signals import FALLING_ASLEEP, wrapped

proves = Proofs()

LEAST: Final = -(1 << 63)
MOST: Final = (1 << 63) - 1

#: A hint of time that says: never give up.
FOREVER: Final = (1 << 64) - 1

#: The hint that a wait may sleep: HSA_WAIT_STATE_BLOCKED, hsa.h.
BLOCKED: Final = 0

#: What changes a signal and wakes who waits for it.
_WAKING: Final = ("store", "exchange", "cas", "add", "subtract", "and", "or", "xor")


def conditions(value: int) -> list[tuple[str, int, int]]:
    """Return conditions that a value meets: a name, and the range of what it is compared with."""
    found = [("EQ", value, value), ("GTE", LEAST, value)]
    if value > LEAST:
        found.append(("NE", LEAST, value - 1))
    if value < MOST:
        found += [("NE", value + 1, MOST), ("LT", value + 1, MOST)]
    return found


def unmet(value: int) -> list[tuple[str, int, int]]:
    """Return conditions that a value does not meet, as `conditions` does."""
    opposite = {"EQ": "NE", "NE": "EQ", "LT": "GTE", "GTE": "LT"}
    return [(opposite[name], least, most) for name, least, most in conditions(value)]


def met_by_change(old: int, new: int) -> list[tuple[str, int, int]]:
    """Return conditions that a value does not meet and another one does."""
    found = [("EQ", new, new), ("NE", old, old)]
    found.append(("LT", new + 1, old) if new < old else ("GTE", old + 1, new))
    return found


def drawn(scene: Scene, options: list[tuple[str, int, int]]) -> dict[str, int]:
    """Draw one of several conditions, as two arguments of a wait."""
    name, least, most = scene.choose(options)
    return {
        "condition": scene.session.registry.constants[f"HSA_SIGNAL_CONDITION_{name}"],
        "compare_value": scene.choose([least, most, scene.draw(drawing.integers(least, most))]),
    }


def waiting(scene: Scene, handle: int, condition: dict[str, int], hint: int) -> dict[str, Value]:
    """Return the arguments of a wait."""
    states = ("HSA_WAIT_STATE_BLOCKED", "HSA_WAIT_STATE_ACTIVE")
    state = scene.session.registry.constants[scene.choose(states)]
    return {"signal": handle, **condition, "timeout_hint": hint, "wait_state_hint": state}


def _little_time(scene: Scene) -> int:
    """Draw a hint of some ticks: a tenth of a second at most, for the slowest clock there is."""
    return int(scene.draw(drawing.sampled_from([0, 1]) | drawing.integers(0, 100_000)))


@proves.each(functions("wait"), "returns-meeting-value")
def a_wait_returns_the_value(scene: Scene) -> None:
    """A wait for a signal that nothing changes returns its value.

    Where the value does not meet the condition, the hint lets the wait end.
    """
    value = scene.draw(VALUES)
    handle = signal(scene, value)
    if scene.choose([True, False]):
        hint, condition = FOREVER, conditions(value)
    else:
        hint, condition = _little_time(scene), unmet(value)
    named = scene.each("condition", {name: name for name, *_ in condition})
    condition = [each for each in condition if each[0] == named]
    arguments = waiting(scene, handle, drawn(scene, condition), hint)
    for _ in range(2):
        require_value(scene, scene.call(scene.clause.function, **arguments), value)


@proves.each(functions("wait"), "returns-meeting-value")
def a_wait_compares_with_the_sign(scene: Scene) -> None:
    """A wait compares signed values: with operands either side of zero it ends at once."""
    value = scene.draw(VALUES)
    condition = ("GTE", LEAST, -1) if value >= 0 else ("LT", 0, MOST)
    handle = signal(scene, value)
    arguments = waiting(scene, handle, drawn(scene, [condition]), FOREVER)
    require_value(scene, scene.call(scene.clause.function, **arguments), value)


@proves.each(functions("wait"), "returns-at-once")
def a_wait_ends_when_its_condition_is_met(scene: Scene) -> None:
    """A wait ends when its condition is met, from the start or by a store meanwhile."""
    old, new = scene.draw(VALUES), scene.draw(VALUES)
    handle = signal(scene, old)
    if old == new or scene.choose([True, False]):
        condition = drawn(scene, conditions(old))
        scene.call(scene.clause.function, **waiting(scene, handle, condition, FOREVER))
        scene.has_ended()
        return
    condition = drawn(scene, met_by_change(old, new))
    scene.session.start(scene.clause.function, waiting(scene, handle, condition, FOREVER))
    _let_it_fall_asleep(scene)
    scene.call("hsa_signal_store_screlease", signal=handle, value=new)
    scene.session.join()
    scene.has_ended()


@proves.each(functions("wait"), "timeout")
def a_wait_for_little_time_ends(scene: Scene) -> None:
    """A wait with a short hint ends although its condition is never met."""
    value = scene.draw(VALUES)
    handle = signal(scene, value)
    condition = drawn(scene, unmet(value))
    scene.call(scene.clause.function, **waiting(scene, handle, condition, _little_time(scene)))
    scene.has_ended()


@proves.each(functions(*_WAKING), "wakes")
def a_change_ends_a_wait_that_is_under_way(scene: Scene) -> None:
    """An operation that makes a signal meet a condition ends a wait under way for it."""
    operation = operation_of(scene)
    old, operand = scene.draw(VALUES), scene.draw(VALUES)
    new = operand if operation == "cas" else wrapped(ARITHMETIC[operation](old, operand))
    if new == old:
        raise CannotMake("nothing would change")
    handle = signal(scene, old)
    condition = drawn(scene, met_by_change(old, new))
    wait = scene.choose(list(functions("wait")))
    scene.session.start(wait, waiting(scene, handle, condition, FOREVER))
    _let_it_fall_asleep(scene)
    expected = {"expected": old} if operation == "cas" else {}
    scene.call(scene.clause.function, signal=handle, value=operand, **expected)
    scene.session.join()
    scene.has_ended()


def _let_it_fall_asleep(scene: Scene) -> None:
    time.sleep(scene.choose([FALLING_ASLEEP, 0]))
