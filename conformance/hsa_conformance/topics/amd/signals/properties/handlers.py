"""When handlers of signals, and plain functions, are called on another thread."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.amd.signals.objects import HANDLER
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.histories import histories
from hsa_conformance.topics.shared.signals import MOMENT, invocations, store

proves = Proofs()

REGISTER: Final = "hsa_amd_signal_async_handler"
FUNCTION: Final = "hsa_amd_async_function_callback"

#: Threads that register handlers at one time, and handlers of each.
THREADS: Final = 2
HANDLERS: Final = 2

#: Fewer examples than usual: the process of each can serve no other.
FEW: Final = 0.5


@dataclass(frozen=True)
class _Condition:
    """A condition with a value that does not meet it, and one that does."""

    code: int
    compare: int
    unmet: int
    met: int


def _condition(scene: Scene) -> _Condition:
    n: int = scene.draw(drawing.integers(-1000, 1000))
    return scene.choose(
        [
            _Condition(0, n, n + 1, n),
            _Condition(1, n, n, n - 1),
            _Condition(2, n, n, n - 1),
            _Condition(3, n, n - 1, n),
        ]
    )


def _data(scene: Scene) -> int:
    number: int = scene.draw(drawing.integers(1, 2**64 - 1))
    return number


def _register(scene: Scene, subject: int, condition: _Condition, data: int, *returns: int) -> None:
    scene.set_up(REGISTER, **_arguments(subject, condition, data, *returns))


def _arguments(subject: int, condition: _Condition, data: int, *returns: int) -> dict[str, Value]:
    return {
        "signal": subject,
        "cond": condition.code,
        "value": condition.compare,
        "handler": Callback(HANDLER, returns),
        "arg": data,
    }


def _values_after_pause(scene: Scene, data: int) -> list[int]:
    """Return the values that handlers were called with, after a moment for more of them."""
    time.sleep(MOMENT)
    return [found for found, _ in invocations(scene, data, 0)]


@proves("hsa_amd_signal_async_handler/called-once-met", examples=FEW)
def a_handler_is_called_when_its_condition_is_met(scene: Scene) -> None:
    """A handler is called with a value that meets its condition, and not before one does.

    The value may come before or after the registration.
    """
    condition, data = _condition(scene), _data(scene)
    late = scene.draw(drawing.booleans())
    subject = signal(scene, condition.unmet if late else condition.met)
    _register(scene, subject, condition, data, 0)
    if late:
        early = _values_after_pause(scene, data)
        scene.require(not early, "a handler was called before its condition was met", early)
        store(scene, subject, condition.met)
    found = [called for called, _ in invocations(scene, data, 1)]
    scene.require(
        found == [condition.met],
        f"a handler was not called once with {condition.met}",
        f"called with {found}",
    )


@proves("hsa_amd_signal_async_handler/again", examples=FEW)
def a_handler_that_answers_true_is_called_again(scene: Scene) -> None:
    """A handler that answered true is called again when its condition is met again."""
    condition, data = _condition(scene), _data(scene)
    subject = signal(scene, condition.unmet)
    _register(scene, subject, condition, data, 1, 0)
    for count in (1, 2):
        store(scene, subject, condition.unmet)
        time.sleep(MOMENT)  # to be met again, the condition has to have been seen unmet
        store(scene, subject, condition.met)
        found = [called for called, _ in invocations(scene, data, count)]
        scene.require(
            len(found) >= count and set(found) == {condition.met},
            f"a handler was not called {count} times with {condition.met}",
            f"called with {found}",
        )


@proves("hsa_amd_signal_async_handler/stops", examples=FEW)
def a_handler_that_answers_false_is_not_called_again(scene: Scene) -> None:
    """A handler that answered false is not called again, though its condition is met."""
    condition, data = _condition(scene), _data(scene)
    subject = signal(scene, condition.met)
    _register(scene, subject, condition, data, 0)
    found = invocations(scene, data, 1)
    scene.require(bool(found), "the handler was not called", "no such call")
    store(scene, subject, condition.unmet)
    store(scene, subject, condition.met)
    again = _values_after_pause(scene, data)
    scene.require(len(again) == 1, "a handler that answered false was called again", again)


@proves("hsa_amd_signal_async_handler/independent", examples=FEW)
def each_registration_counts_for_itself(scene: Scene) -> None:
    """A handler registered for two signals, or several times for one, is called for each time.

    Registrations have the same argument or another one.
    """
    data = _data(scene)
    arguments = [data, data ^ 1 or 2]
    one = _condition(scene)
    same = scene.each("signals", {"one": True, "two": False})
    other = one if same else _condition(scene)
    subject = signal(scene, one.unmet)
    beside = subject if same else signal(scene, other.unmet)
    wanted: dict[int, Counter[int]] = {subject: Counter(), beside: Counter()}
    for place in range(scene.draw(drawing.integers(2, 4))):
        at, condition = (beside, other) if place % 2 else (subject, one)
        argument = scene.one_of(arguments)
        _register(scene, at, condition, argument, 0)
        wanted[at][argument] += 1
    store(scene, subject, one.met)
    _require_called(scene, {each: wanted[subject][each] for each in arguments})
    if not same:
        store(scene, beside, other.met)
        _require_called(scene, wanted[subject] + wanted[beside])


def _require_called(scene: Scene, wanted: Mapping[int, int]) -> None:
    """Demand that handlers are called as often with each argument as they should be by now."""
    for data, times in wanted.items():  # for the calls to come
        invocations(scene, data, times)
    time.sleep(MOMENT)
    found = {data: len(invocations(scene, data, times)) for data, times in wanted.items()}
    scene.require(
        found == wanted,
        "the registrations whose conditions are met did not lead to one call each",
        f"{sum(found.values())} calls instead of {sum(wanted.values())}",
    )


@proves("hsa_amd_signal_async_handler/independent", examples=0.2, once=True, chance=True)
def handlers_that_threads_register_are_all_called(scene: Scene) -> None:
    """Threads register handlers at one time, each for a signal of its own: each one is called."""
    count = 0
    for _ in histories(scene):
        lanes: list[list[Task]] = [[] for _ in range(THREADS)]
        met: list[tuple[int, int, int]] = []
        for place in range(THREADS * HANDLERS):
            count += 1
            condition = _condition(scene)
            subject = signal(scene, condition.unmet)
            met.append((subject, condition.met, count))
            lanes[place % THREADS].append((REGISTER, _arguments(subject, condition, count, 0)))
        for event in scene.session.together(lanes):
            scene.require_status(event.answer, SUCCESS)
        for subject, value, data in met:
            store(scene, subject, value)
            found = [called for called, _ in invocations(scene, data, 1)]
            summary = f"a handler that a thread registered beside others is not called with {value}"
            scene.require(found == [value], summary, f"called with {found}")


@proves("hsa_amd_async_function/called-once", examples=FEW)
def a_function_is_called_once(scene: Scene) -> None:
    """An asynchronous function is called once for each request, with its argument."""
    data = _data(scene)
    times = scene.draw(drawing.integers(1, 3))
    for _ in range(times):
        scene.set_up("hsa_amd_async_function", callback=Callback(FUNCTION, ()), arg=data)
    invocations(scene, data, times)
    time.sleep(MOMENT)
    found = len(invocations(scene, data, times))
    scene.require(found == times, f"a function was not called {times} times", f"{found} times")
