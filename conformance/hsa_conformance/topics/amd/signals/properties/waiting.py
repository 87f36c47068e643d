"""Waiting for several signals at once. All that is waited for has come, or never comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.comparing import equal, some
from hsa_conformance.engine.calls.values import Answer, Data, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.signals import MEETS, ticks
from hsa_reports.demands import Returns

proves = Proofs()

ANY: Final = "hsa_amd_signal_wait_any"
ALL: Final = "hsa_amd_signal_wait_all"

#: What stands for the end of time, and for no signal.
NONE: Final = 2**32 - 1
#: Seconds that a wait in vain lasts.
SHORT_WAIT: Final = 0.01

_SMALL: Final = drawing.integers(-3, 3)


class Wait:
    """A wait that is being put together: a signal's handle, value, condition and operand each.

    It can be made more than once.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.handles: list[int] = []
        self.values: list[int] = []
        self.conditions: list[int] = []
        self.operands: list[int] = []
        self._lists: dict[str, int] = {}  # where they lie, as arguments of the call

    def add(self, *, met: bool) -> None:
        """Add a signal whose condition is met, or is not."""
        draw = self.scene.draw
        condition, operand = draw(drawing.integers(0, 3)), draw(_SMALL)
        holds = MEETS[condition]
        fitting = [n for n in range(-5, 6) if holds(n, operand) is met]
        found = draw(drawing.sampled_from(fitting))
        self._append(signal(self.scene, found), found, condition, operand)

    def add_none(self) -> None:
        """Add a handle that is zero or no signal, with a condition that nothing meets by chance."""
        handle = self.scene.choose([0, self.scene.readable()])
        self._append(handle, 0, 0, self.scene.draw(drawing.integers(1, 5)))

    def put(self, found: int, condition: int, operand: int) -> None:
        """Add a signal of a value."""
        self._append(signal(self.scene, found), found, condition, operand)

    def _append(self, handle: int, found: int, condition: int, operand: int) -> None:
        self.handles.append(handle)
        self.values.append(found)
        self.conditions.append(condition)
        self.operands.append(operand)

    def met(self) -> list[int]:
        """Return the values that meet their conditions."""
        each = zip(self.conditions, self.values, self.operands, strict=True)
        return [found for condition, found, operand in each if MEETS[condition](found, operand)]

    def call(self, function: str, *, output: bool = True) -> Answer:
        """Wait as long as it takes to look once, or briefly where the time has to end it."""
        return self.scene.call(function, **self.arguments(function, SHORT_WAIT, output=output))

    def arguments(
        self, function: str, seconds: float, *, output: bool = True
    ) -> Mapping[str, Value]:
        """Return the arguments of a wait that gives up after some seconds."""
        count = len(self.handles)
        if not self._lists:
            lists = {
                "signals": handle_array(self.handles),
                "conds": _numbers(self.conditions, 4),
                "values": _numbers(self.operands, 8),
            }
            self._lists = {name: self.scene.session.lay_out(each) for name, each in lists.items()}
        name = "satisfying_values" if function == ALL else "satisfying_value"
        room = 8 * count if function == ALL else 8
        return {
            "signal_count": count,
            "timeout_hint": ticks(self.scene, seconds),
            "wait_hint": self.scene.choose([0, 1]),
            **self._lists,
            name: Out(room) if output else 0,
        }


def _numbers(numbers: list[int], size: int) -> Data:
    content = b"".join(n.to_bytes(size, "little", signed=True) for n in numbers)
    return Data(content, f"[{', '.join(map(str, numbers))}]")


def written(answer: Answer, name: str) -> list[int]:
    """Return the values of signals that a wait wrote to an output."""
    content = answer.outputs[name] or b""
    return [
        int.from_bytes(content[i : i + 8], "little", signed=True) for i in range(0, len(content), 8)
    ]


def _some(scene: Scene) -> int:
    number: int = scene.draw(drawing.integers(1, 12))
    return number


def _one_apart(scene: Scene, count: int, position: str, *, met: bool) -> Wait:
    """Return a wait for signals of which one alone has met its condition, or all have.

    That one would not, if it had the value, the condition or the operand of any other.

    Args:
        scene: the property's scene.
        count: of how many signals.
        position: what the place of the one is called.
        met: whether the others have met theirs.

    """
    equal, unequal = 0, 1
    special = scene.position(position, count)
    apart, common, unlike = scene.draw(drawing.permutations(range(-3, 4)))[:3]
    wait = Wait(scene)
    for place in range(count):
        if met:
            one, other = (apart, equal, apart), (common, unequal, unlike)
        else:
            one, other = (apart, unequal, common), (common, equal, apart)
        wait.put(*(one if place == special else other))
    return wait


def _all_met(scene: Scene) -> Wait:
    wait = Wait(scene)
    for _ in range(_some(scene)):
        wait.add(met=True)
    return wait


def _none_met(scene: Scene) -> Wait:
    wait = Wait(scene)
    for _ in range(_some(scene)):
        wait.add(met=False)
    return wait


def _mixed(scene: Scene) -> Wait:
    """Return a wait for a few signals of which one at least has met its condition."""
    wait = Wait(scene)
    met = scene.draw(drawing.lists(drawing.booleans(), max_size=2))
    for each in [*met, True]:
        wait.add(met=each)
    return wait


@proves("hsa_amd_signal_wait_all/returns-zero")
def waiting_for_all_gives_0_when_all_are_met(scene: Scene) -> None:
    """Waiting for all signals returns 0 when all conditions are met, with or without values."""
    _require_all_met(scene, _all_met(scene))


@proves("hsa_amd_signal_wait_all/returns-zero")
def each_signal_of_a_wait_for_all_has_its_own_condition(scene: Scene) -> None:
    """Waiting for all gives 0 where one would not meet the condition of any other."""
    number = scene.elements("signals", least=2)
    _require_all_met(scene, _one_apart(scene, number, "other signal", met=True))


def _require_all_met(scene: Scene, wait: Wait) -> None:
    output = scene.draw(drawing.booleans())
    for _ in range(2):
        found = wait.call(ALL, output=output).status % 2**32
        summary = "the result is not 0 although every condition is met"
        scene.require(found == 0, summary, f"{found:#x}")


@proves("hsa_amd_signal_wait_all/writes-values")
def waiting_for_all_gives_the_values(scene: Scene) -> None:
    """Waiting for all signals writes the value of each, in the order of the list."""
    wait = _all_met(scene)
    found = written(wait.call(ALL), "satisfying_values")
    scene.require(found == wait.values, f"the values are not {wait.values}", found)


@proves("hsa_amd_signal_wait_all/timeout", examples=0.5)
def waiting_for_all_ends_with_the_time(scene: Scene) -> None:
    """When one condition is never met, waiting for all ends with a result of all bits set."""
    wait = Wait(scene)
    met = scene.draw(drawing.lists(drawing.booleans(), max_size=6))
    position = scene.position("unmet condition", len(met) + 1)
    for each in [*met[:position], False, *met[position:]]:
        wait.add(met=each)
    _require_in_vain(scene, wait)


@proves("hsa_amd_signal_wait_all/timeout", examples=0.5)
def one_of_many_signals_is_waited_for(scene: Scene) -> None:
    """Waiting for many signals ends with the time where one alone has not met its condition."""
    number = scene.elements("signals", least=2)
    special = scene.position("unmet condition", number)
    wait = Wait(scene)
    for place in range(number):
        wait.put(value := scene.draw(_SMALL), 1 if place == special else 0, value)
    _require_in_vain(scene, wait)


def _require_in_vain(scene: Scene, wait: Wait) -> None:
    found = wait.call(ALL).status % 2**32
    scene.require(found == NONE, "the result of a wait in vain is not the largest", f"{found:#x}")


@proves("hsa_amd_signal_wait_any/timeout", examples=0.5)
def waiting_for_any_ends_with_the_time(scene: Scene) -> None:
    """When no condition is met, waiting for any ends with a result that is no index."""
    wait = _none_met(scene)
    found = wait.call(ANY).status % 2**32
    scene.require(found >= len(wait.handles), "a wait in vain gives an index", f"{found:#x}")


@proves("hsa_amd_signal_wait_all/invalid-counts-as-met")
def what_is_no_signal_counts_as_met(scene: Scene) -> None:
    """In a wait for all, a handle that is no signal counts as met, with the value 0."""
    wait = Wait(scene)
    for is_signal in scene.draw(drawing.lists(drawing.booleans(), max_size=6)):
        wait.add(met=True) if is_signal else wait.add_none()
    wait.add_none()
    answer = wait.call(ALL)
    result, found = answer.status % 2**32, written(answer, "satisfying_values")
    scene.require(result == 0, "the result is not 0", f"{result:#x}", Returns((0,)))
    scene.require(found == wait.values, f"the values are not {wait.values}", found)


@proves("hsa_amd_signal_wait_any/returns-index")
def waiting_for_any_names_one_that_is_met(scene: Scene) -> None:
    """Waiting for any signal returns the index of one whose condition was met."""
    wait, output = _mixed(scene), scene.draw(drawing.booleans())
    for _ in range(2):
        _require_met(scene, wait, wait.call(ANY, output=output).status % 2**32)


@proves("hsa_amd_signal_wait_any/returns-index")
def each_signal_of_a_wait_for_any_has_its_own_condition(scene: Scene) -> None:
    """Waiting for any names the only signal that meets its own condition, but none of another."""
    # ROCr writes behind the end of a block of memory for each signal but the first.
    # That is where a thread sleeps, which none does here.
    wait = _one_apart(scene, scene.elements("signals", least=2), "met condition", met=False)
    _require_met(scene, wait, wait.call(ANY).status % 2**32)


@proves("hsa_amd_signal_wait_any/writes-value")
def waiting_for_any_gives_its_value(scene: Scene) -> None:
    """Waiting for any signal writes the value of the signal that the result names."""
    wait = _mixed(scene)
    answer = wait.call(ANY)
    result = answer.status % 2**32
    _require_met(scene, wait, result)
    found = written(answer, "satisfying_value")[0]
    wanted = wait.values[result]
    # Which of several it finds may be another one next time.
    right = some(*(equal(answer["satisfying_value"], value) for value in set(wait.met())))
    demand = None if right else right.demand
    scene.require(found == wanted, f"the value is not {wanted}", found, demand)


def _require_met(scene: Scene, wait: Wait, result: int) -> None:
    scene.require(
        result < len(wait.handles)
        and MEETS[wait.conditions[result]](wait.values[result], wait.operands[result]),
        "the result is no index of a signal that met its condition",
        f"{result:#x}",
    )


@proves("hsa_amd_signal_wait_any/ignores-invalid")
def waiting_for_any_passes_over_what_is_no_signal(scene: Scene) -> None:
    """Waiting for any passes over a handle that is no signal, and counts it in the index."""
    wait = Wait(scene)
    for _ in range(scene.draw(drawing.integers(1, 3))):
        wait.add_none()
    wait.add(met=True)
    result = wait.call(ANY).status % 2**32
    _require_met(scene, wait, result)
    wanted = len(wait.handles) - 1
    scene.require(result == wanted, f"the result is not {wanted}", f"{result:#x}")


@proves("hsa_amd_signal_wait_any/no-valid-signal")
def waiting_for_no_signal_at_all_gives_the_largest(scene: Scene) -> None:
    """A wait with no valid signal returns UINT32_MAX and writes no value."""
    wait = Wait(scene)
    for _ in range(scene.draw(drawing.integers(1, 4))):
        wait.add_none()
    answer = wait.call(ANY)
    result = answer.status % 2**32
    scene.require(result == NONE, "the result is not the largest number", f"{result:#x}")
    untouched = answer.untouched("satisfying_value")
    scene.require(untouched, "a value was written", answer.number("satisfying_value"))
