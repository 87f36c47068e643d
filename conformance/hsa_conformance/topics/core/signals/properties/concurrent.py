"""Calls of several threads at one time, which do not disturb each other."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Repeat
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.signals.generators import VALUES, signal

proves = Proofs()

QUERY: Final = "hsa_system_get_info"
#: Calls of the other thread, at most: far more than it has time for.
FAST: Final = 1 << 30
#: Signals that are created and destroyed meanwhile.
MOST: Final = 40


@proves("runtime/threads", examples=0.2)
def calls_of_two_threads_do_not_disturb_each_other(scene: Scene) -> None:
    """While one thread asks for the time again and again, another creates and destroys signals.

    Each call succeeds, each signal is a new one with its own value, and those that were there keep
    theirs.
    """
    kept = {signal(scene, v): v for v in scene.draw(drawing.lists(VALUES, min_size=2, max_size=6))}
    attribute = scene.session.registry.constants["HSA_SYSTEM_INFO_TIMESTAMP"]
    room = scene.session.place(bytes(8), "time")
    scene.session.start(QUERY, {"attribute": attribute, "value": room}, Repeat(FAST, 0))
    for _ in range(scene.draw(drawing.integers(1, MOST))):
        wanted = scene.draw(VALUES)
        answer = scene.call(
            "hsa_signal_create", initial_value=wanted, num_consumers=0, consumers=0, signal=Out()
        )
        scene.require_status(answer, SUCCESS)
        scene.require(answer["signal"] not in kept, "a signal is there twice", answer["signal"])
        found = scene.call("hsa_signal_load_relaxed", signal=answer["signal"]).status
        scene.require(found == wanted, f"a signal does not have its value, {wanted}", found)
        ended = scene.call("hsa_signal_destroy", signal=answer["signal"])
        scene.require_status(ended, SUCCESS)
    done = scene.session.join()
    failed = done.status - done.zeros
    scene.require(not failed, f"{QUERY} fails beside another thread", f"{failed} failed calls")
    for handle, wanted in kept.items():
        found = scene.call("hsa_signal_load_relaxed", signal=handle).status
        scene.require(found == wanted, f"a signal does not have its value, {wanted}", found)
