"""Waits for several signals, and handlers of signals, while threads handle the system's signals."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.amd.signals.objects import HANDLER
from hsa_conformance.topics.amd.signals.properties.waiting import ALL, ANY, Wait, written
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.core.signals.properties.waits import FOREVER
from hsa_conformance.topics.shared.signals import (
    MOMENT,
    interrupt,
    invocations,
    store,
)

proves = Proofs()

#: Fewer examples than usual: each lasts as long as its interruptions.
FEW: Final = 0.5
#: Seconds after which a wait would give up, far more than an example lasts.
TIMEOUT: Final = 30.0
#: Seconds after which a wait gives up that need not end: far more than it takes to see a change.
GIVES_UP: Final = 4.0
#: Seconds after which a thread sleeps that began to wait.
ASLEEP: Final = 0.05
_EQUAL, _MET, _UNMET = 0, 1, 0


def _met(place: int) -> int:
    """Return the value that meets the condition of a signal, and that of no other."""
    return _MET + place


def _answer(scene: Scene, function: str, count: int, meant: Sequence[int]) -> Answer:
    """Interrupt a wait for signals none of which meets its condition; return its answer.

    Args:
        scene: the property's scene.
        function: what waits.
        count: for how many signals.
        meant: the places of those that meet their conditions in the end.

    """
    wait = Wait(scene)
    for place in range(count):
        wait.put(_UNMET, _EQUAL, _met(place))
    given = wait.arguments(function, TIMEOUT)
    limits = {"some": given["timeout_hint"], "none": FOREVER}
    scene.session.start(function, {**given, "timeout_hint": scene.each("limit", limits)})
    interrupt(scene)
    for place in meant:
        store(scene, wait.handles[place], _met(place))
    return scene.session.join()


@proves("hsa_amd_signal_wait_any/returns-index", examples=FEW)
def an_interrupted_wait_for_any_names_the_one_that_is_met(scene: Scene) -> None:
    """A wait for any whose thread handles signals of the system gives the index of what is met.

    No signal meets its condition until one is stored, after the interruptions.
    """
    place = scene.position("met condition", 2)
    result = _answer(scene, ANY, 2, [place]).status % 2**32
    scene.require(result == place, "the result is not the index of the met one", f"{result:#x}")


@proves("hsa_amd_signal_wait_all/returns-zero", examples=FEW)
def an_interrupted_wait_for_all_ends_when_all_are_met(scene: Scene) -> None:
    """A wait for all whose thread handles signals of the system returns 0 once all are met.

    None meets its condition until they are stored one by one, in the order of the list, after the
    interruptions. The values that are written are those, each in the place of its signal.
    """
    count = scene.elements("signals", 3)
    answer = _answer(scene, ALL, count, range(count))
    result = answer.status % 2**32
    scene.require(
        result == 0, "the result is not 0 although every condition is met", f"{result:#x}"
    )
    values = written(answer, "satisfying_values")
    scene.require(_UNMET not in values, "the result is 0 before every condition is met", values)
    _require_met(scene, values, count)


def _require_met(scene: Scene, values: list[int], count: int) -> None:
    wanted = [_met(place) for place in range(count)]
    scene.require(values == wanted, "the values are not those of the signals", values)


# A runtime may use the driver's events again, which then have been met before.
@proves("hsa_amd_signal_wait_all/returns-zero", examples=FEW, fresh=True)
def a_wait_for_all_ends_when_the_last_is_met(scene: Scene) -> None:
    """A wait for all returns 0 once its last condition is met, where the others were met before.

    The signals of the others keep their values during the wait, by either hint.
    """
    count = scene.elements("signals", 3, least=2)
    last = scene.position("last met condition", count)
    hint = scene.each("wait_hint", {"active": 1, "blocked": 0})
    wait = Wait(scene)
    for place in range(count):
        wait.put(_UNMET if place == last else _met(place), _EQUAL, _met(place))
    scene.session.start(ALL, {**wait.arguments(ALL, GIVES_UP), "wait_hint": hint})
    time.sleep(ASLEEP)
    begun = time.monotonic()
    store(scene, wait.handles[last], _met(last))
    answer = scene.session.join()
    slept = time.monotonic() - begun > GIVES_UP / 2
    summary = "the wait goes on until its time is over, although every condition is met"
    scene.require(not slept, summary, f"more than {GIVES_UP / 2:g} s")
    result = answer.status % 2**32
    scene.require(
        result == 0, "the result is not 0 although every condition is met", f"{result:#x}"
    )
    _require_met(scene, written(answer, "satisfying_values"), count)


@proves("hsa_amd_signal_async_handler/called-once-met", examples=FEW)
def a_handler_is_called_although_threads_are_interrupted(scene: Scene) -> None:
    """A handler is called once its condition is met, and not while threads are interrupted.

    Every thread handles signals of the system meanwhile, also those of the library.
    """
    data, handle = scene.choose([1, 2**64 - 1]), signal(scene, _UNMET)
    scene.set_up(
        "hsa_amd_signal_async_handler",
        signal=handle,
        cond=_EQUAL,
        value=_MET,
        handler=Callback(HANDLER, (0,)),
        arg=data,
    )
    interrupt(scene)
    early = [found for found, _ in invocations(scene, data, 0)]
    scene.require(not early, "the handler was called before its condition was met", early)
    store(scene, handle, _MET)
    invocations(scene, data, 1)
    time.sleep(MOMENT)
    calls = [found for found, _ in invocations(scene, data, 1)]
    scene.require(calls == [_MET], "the handler was not called once with the value", calls)
