"""What single operations make of a signal's value, and what they return."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.signals.generators import VALUES, any_signal
from hsa_conformance.topics.core.signals.properties.operations import (
    ARITHMETIC,
    LOADS,
    functions,
    operation_of,
)
from hsa_conformance.topics.shared.signals import wrapped
from hsa_reports.demands import Returns

proves = Proofs()


def load(scene: Scene, handle: int) -> Answer:
    """Read a signal's value with one of the functions that do."""
    return scene.call(f"hsa_signal_load_{scene.choose(LOADS)}", signal=handle)


def require_value(scene: Scene, answer: Answer, *wanted: int) -> None:
    """Demand what the last call returned."""
    words = " or ".join(str(value) for value in wanted)
    scene.require(
        answer.status in wanted,
        f"{answer.function.name} returned {answer.status} instead of {words}",
        answer.status,
        Returns(wanted),
    )


def _operand(scene: Scene, operation: str, old: int) -> int:
    """Draw an operand whose result fits into 64 bits."""
    least, most = -(1 << 63), (1 << 63) - 1
    if operation == "add":
        least, most = max(least, least - old), min(most, most - old)
    elif operation == "subtract":
        least, most = max(least, old - most), min(most, old - least)
    return int(scene.draw(drawing.integers(least, most)))


@proves.each(functions(*ARITHMETIC), "value")
def the_signal_has_what_the_operation_makes(scene: Scene) -> None:
    """After one or more operations the signal has the value that arithmetic gives."""
    operation, value = operation_of(scene), scene.draw(VALUES)
    handle = any_signal(scene, value)
    for _ in range(scene.draw(drawing.integers(1, 3))):
        operand = _operand(scene, operation, value)
        scene.call(scene.clause.function, signal=handle, value=operand)
        value = ARITHMETIC[operation](value, operand)
        require_value(scene, load(scene, handle), value)


@proves.each(functions("add", "subtract"), "wraps")
def a_result_that_does_not_fit_wraps_around(scene: Scene) -> None:
    """A result beyond 64 bits wraps around, as two's complement has it."""
    operation = operation_of(scene)
    edge = scene.choose([(1 << 63) - 1, -(1 << 63)])
    past = scene.draw(drawing.integers(1, 1 << 62)) * (1 if edge > 0 else -1)
    operand = past if operation == "add" else -past
    handle = any_signal(scene, edge)
    scene.call(scene.clause.function, signal=handle, value=operand)
    require_value(scene, load(scene, handle), wrapped(edge + past))


@proves.each(functions("exchange"), "returns-previous")
def an_exchange_returns_the_value_before(scene: Scene) -> None:
    """Each of several exchanges and the same again, returns the value that was set before."""
    value = scene.draw(VALUES)
    handle = any_signal(scene, value)
    for _ in range(scene.draw(drawing.integers(1, 3))):
        following = scene.draw(VALUES)
        for previous in (value, following):
            answer = scene.call(scene.clause.function, signal=handle, value=following)
            require_value(scene, answer, previous)
        value = following


@proves.each(functions("load"), "value")
def a_load_returns_the_value(scene: Scene) -> None:
    """A load returns the value that the signal was created with, or was set to last."""
    value = scene.draw(VALUES)
    handle = any_signal(scene, value)
    for _ in range(2):
        require_value(scene, scene.call(scene.clause.function, signal=handle), value)
    if scene.choose([False, True]):
        value = scene.draw(VALUES)
        scene.call("hsa_signal_store_screlease", signal=handle, value=value)
        require_value(scene, scene.call(scene.clause.function, signal=handle), value)


def _another(scene: Scene, value: int) -> int:
    """Draw a value that differs from another, if only in one bit."""
    bit = scene.draw(drawing.integers(0, 63))
    anything: int = scene.draw(VALUES.filter(value.__ne__))
    return scene.choose([wrapped(value ^ (1 << bit)), anything])


@proves.each(functions("cas"), "sets-when-expected")
def the_value_is_set_when_it_is_the_expected_one(scene: Scene) -> None:
    """A compare-and-swap that expects the signal's value sets the new one."""
    value, following = scene.draw(VALUES), scene.draw(VALUES)
    handle = any_signal(scene, value)
    scene.call(scene.clause.function, signal=handle, expected=value, value=following)
    require_value(scene, load(scene, handle), following)


@proves.each(functions("cas"), "keeps-otherwise")
def the_value_stays_when_it_is_another(scene: Scene) -> None:
    """A compare-and-swap that expects another value, by one bit, leaves the signal."""
    value = scene.draw(VALUES)
    handle = any_signal(scene, value)
    scene.call(
        scene.clause.function,
        signal=handle,
        expected=_another(scene, value),
        value=_another(scene, value),
    )
    require_value(scene, load(scene, handle), value)


@proves.each(functions("cas"), "returns-previous")
def a_comparison_returns_the_value_before(scene: Scene) -> None:
    """A compare-and-swap, made twice, returns the value before it, expected or not."""
    value = scene.draw(VALUES)
    handle = any_signal(scene, value)
    expected, following = scene.choose([value, _another(scene, value)]), _another(scene, value)
    for previous in (value, following if expected == value else value):
        answer = scene.call(
            scene.clause.function, signal=handle, expected=expected, value=following
        )
        require_value(scene, answer, previous)
