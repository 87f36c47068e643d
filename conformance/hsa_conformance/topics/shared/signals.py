"""Signals as properties of other topics use them: read, set, and waited for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.shared.attributes import number

#: Seconds after which something that has to come has not come.
PATIENCE: Final = 5.0
#: Seconds in which something that must not come would have come.
MOMENT: Final = 0.02
_STEP: Final = 0.001
#: In how many waits patience is spent, and seconds after one that did not see what it waits for.
_WAITS: Final = 20
_BETWEEN: Final = 0.02

#: What is written where a callback looks that waits until it may answer.
LET_GO: Final = (1).to_bytes(8, "little")

#: Seconds in which a wait goes from looking at the value to sleeping; missed, less is shown.
FALLING_ASLEEP: Final = 0.003
#: How often a wait is interrupted, and seconds before each time.
_INTERRUPTIONS: Final = 4
_PAUSE: Final = 0.002

#: Values that random sequences give to signals: both signs, and more bits than half of them.
VALUES: Final = (0, 1, -1, 7, 1 << 40, -(1 << 63), (1 << 63) - 1)
#: By the number of a condition, whether a value meets it with an operand.
MEETS: Final[Sequence[Callable[[int, int], bool]]] = (
    lambda value, operand: value == operand,
    lambda value, operand: value != operand,
    lambda value, operand: value < operand,
    lambda value, operand: value >= operand,
)


def wrapped(value: int) -> int:
    """Return a number as a signal holds it: 64 bits with a sign."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def value(scene: Scene, signal: int) -> int:
    """Return the value of a signal."""
    return scene.set_up("hsa_signal_load_scacquire", signal=signal).status


def store(scene: Scene, signal: int, wanted: int) -> None:
    """Set a signal."""
    scene.set_up("hsa_signal_store_screlease", signal=signal, value=wanted)


def ticks(fixtures: Fixtures, seconds: float) -> int:
    """Return how many ticks of the system's timestamp some seconds are."""
    return int(seconds * learn_frequency(fixtures))


def learn_frequency(fixtures: Fixtures) -> int:
    """Return the ticks of the system's timestamp in a second, asked once of a process."""
    model = fixtures.session.model
    known = model.find("frequency")
    if not isinstance(known, int):
        with fixtures.session.learning():
            known = number(fixtures, "hsa_system_get_info", "HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY")
        model.add("frequency", thing=known)
    return known


def wait(fixtures: Fixtures, signal: int, condition: str, operand: int, hint: int) -> int:
    """Wait once for the value of a signal to meet a condition, and return the value.

    The wait may end before, for no reason that a client sees.

    Args:
        fixtures: where to wait.
        signal: its handle.
        condition: what an enumerator of hsa_signal_condition_t ends with, such as "LT".
        operand: what the value is compared with.
        hint: how long to wait, in ticks of the system's timestamp.

    """
    constants = fixtures.session.registry.constants
    return fixtures.session.set_up(
        "hsa_signal_wait_scacquire",
        signal=signal,
        condition=constants[f"HSA_SIGNAL_CONDITION_{condition}"],
        compare_value=operand,
        timeout_hint=hint,
        wait_state_hint=constants["HSA_WAIT_STATE_BLOCKED"],
    ).status


def awaited(fixtures: Fixtures, signal: int, condition: str, operand: int) -> int:
    """Wait until the value of a signal meets a condition or patience is over; return the value.

    It is the time that counts: any wait may end early, and a runtime may bound how long each takes.

    Args:
        fixtures: where to wait.
        signal: its handle.
        condition: what an enumerator of hsa_signal_condition_t ends with, such as "LT".
        operand: what the value is compared with.

    """
    hint = ticks(fixtures, PATIENCE / _WAITS)
    end = time.monotonic() + PATIENCE
    while True:
        found = wait(fixtures, signal, condition, operand, hint)
        if _meets(fixtures, found, condition, operand) or time.monotonic() > end:
            return found
        time.sleep(_BETWEEN)


def woken(scene: Scene, signal: int, condition: str, operand: int) -> int:
    """Return the value with which a thread goes on whose wait for a signal was started.

    If that wait ends early, the thread waits again.
    """
    found = scene.session.join().status
    if _meets(scene, found, condition, operand):
        return found
    return awaited(scene, signal, condition, operand)


def _meets(fixtures: Fixtures, value: int, condition: str, operand: int) -> bool:
    """Return whether a value meets the condition that an enumerator's end names."""
    number = fixtures.session.registry.constants[f"HSA_SIGNAL_CONDITION_{condition}"]
    return MEETS[number](value, operand)


def completes(fixtures: Fixtures, completion: int) -> bool:
    """Return whether a completion signal that was 1 becomes 0 before patience is over."""
    return awaited(fixtures, completion, "LT", 1) == 0


def reaches(scene: Scene, signal: int, wanted: int) -> bool:
    """Return whether a signal gets a value before patience is over."""
    return becomes(lambda: value(scene, signal) == wanted)


def stays(scene: Scene, signal: int, wanted: int) -> bool:
    """Return whether a signal still has a value after a moment."""
    time.sleep(MOMENT)
    return value(scene, signal) == wanted


def heard(scene: Scene, data: int) -> list[tuple[int, ...]]:
    """Return how callbacks were called with some data, up to the end of the last call."""
    return [call for call in scene.session.callback_arguments if call[-1] == data]


def invocations(scene: Scene, data: int, count: int) -> list[tuple[int, ...]]:
    """Return how callbacks were called with some data in this example.

    What another thread calls shows in the answer of whatever is called next.

    Args:
        scene: the property's scene.
        data: the last argument of the calls that are meant.
        count: how many to wait for, until patience is over.

    """
    success = scene.session.registry.constants[SUCCESS]
    found: list[tuple[int, ...]] = []

    def enough() -> bool:
        # Any call will do.
        scene.set_up("hsa_status_string", status=success, status_string=Out())
        found[:] = heard(scene, data)
        return len(found) >= count

    becomes(enough)
    return found


def becomes(holds: Callable[[], bool]) -> bool:
    """Ask until something holds or patience is over, and return whether it held."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(_STEP)
    return True


def interrupt(scene: Scene) -> None:
    """Interrupt all threads a few times, those of the library as well, once they may sleep."""
    handlers = {"restarts": True, "does not restart": False}
    restart = scene.each("handler", handlers)
    time.sleep(FALLING_ASLEEP)
    scene.session.interrupt(_INTERRUPTIONS, _PAUSE, restart=restart)
