"""Whether what runs on a thread of the runtime runs one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.signals.objects import HANDLER
from hsa_conformance.topics.amd.signals.properties.handlers import FEW, FUNCTION, REGISTER
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.signals import LET_GO, MOMENT, invocations, store

proves = Proofs()

LATER: Final = "hsa_amd_async_function"


@proves("hsa_amd_signal_async_handler/serial", fresh=True, examples=FEW)
def a_handler_waits_until_another_one_ends(scene: Scene) -> None:
    """While a handler runs, others whose conditions are met are not called; then they are."""
    later = scene.draw(drawing.lists(drawing.just(REGISTER), min_size=1, max_size=3))
    _run_in_turn(scene, [REGISTER, *later])


@proves("hsa_amd_async_function/like-a-handler", fresh=True, examples=FEW)
def a_function_and_a_handler_wait_for_each_other(scene: Scene) -> None:
    """While an asynchronous function runs, a handler or another function waits until it ends.

    A function waits for a handler, too.
    """
    first = scene.each("first", {"a function": LATER, "a handler": REGISTER})
    others = {"a handler": REGISTER, "a function": LATER}
    other = LATER if first == REGISTER else scene.each("second", others)
    _run_in_turn(scene, [first, other])


def _run_in_turn(scene: Scene, ways: list[str]) -> None:
    """Let the first callback run while the others are due, and demand that these run after it.

    Args:
        scene: the property's scene.
        ways: for each, the function that it is handed to.

    """
    word = scene.session.place(bytes(8), "word")
    data: list[int] = scene.draw(
        drawing.lists(
            drawing.integers(1, 2**64 - 1), min_size=len(ways), max_size=len(ways), unique=True
        )
    )
    # What can be made before is: to make it while a handler runs is another clause's matter.
    due = [
        _prepared(scene, way, number, until)
        for way, number, until in zip(ways, data, [word, *[0] * len(ways)], strict=False)
    ]
    due[0]()
    if not invocations(scene, data[0], 1):
        raise Blocked(_CALLED[ways[0]], "the first callback is not called")
    if any(invocations(scene, number, 0) for number in data[1:]):
        raise Blocked(_CALLED[ways[1]], "a callback is called before it is due")
    for let_run in due[1:]:
        let_run()
    time.sleep(MOMENT)
    early = [number for number in data[1:] if invocations(scene, number, 0)]
    scene.require(not early, "a callback was called while another one ran", early)
    scene.session.write(word, LET_GO)
    for way, number in zip(ways[1:], data[1:], strict=True):
        if not invocations(scene, number, 1):
            raise Blocked(_CALLED[way], "a callback is not called after another one")


_CALLED: Final = {REGISTER: f"{REGISTER}/called-once-met", LATER: f"{LATER}/called-once"}


def _prepared(scene: Scene, way: str, data: int, until: int) -> Callable[[], object]:
    """Return what lets a callback be called on a thread of the runtime as soon as that may be."""
    if way == LATER:
        callback = Callback(FUNCTION, (), until=until)
        return lambda: scene.set_up(LATER, callback=callback, arg=data)
    equal = scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"]
    handler = Callback(HANDLER, until=until)
    subject = signal(scene, 0)
    scene.set_up(REGISTER, signal=subject, cond=equal, value=1, handler=handler, arg=data)
    return lambda: store(scene, subject, 1)
