"""The runtime started and shut down by several threads at one time."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import NOT_INITIALIZED, SUCCESS
from hsa_conformance.engine.session.threads import overlap
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.shared.histories import MOST, histories

proves = Proofs()

#: Threads that start the runtime.
FIRST: Final = 16
#: How often each of two threads starts it later: a start that takes next to no time is over before
#: the other thread begins its own.
LATER: Final = 8

_START: Final[Task] = ("hsa_init", {})
_END: Final[Task] = ("hsa_shut_down", {})


@proves("hsa_init/threads", initialised=False, examples=0.5, once=True, chance=True)
def threads_start_one_runtime(scene: Scene) -> None:
    """Sixteen threads initialise the runtime: each can ask it at once, and each start counts.

    So does each of those that two threads make one after the other.
    """
    registry = scene.session.registry
    question: dict[str, Value] = {
        "attribute": registry.constants["HSA_SYSTEM_INFO_VERSION_MAJOR"],
        "value": Out(),
    }
    asks = scene.session.offers("hsa_system_get_info")
    lane: list[Task] = [_START, ("hsa_system_get_info", question)] if asks else [_START]
    session = scene.session
    for number in range(MOST):
        lanes = [lane * LATER] * 2 if number else [lane] * FIRST
        for event in session.together(lanes):
            scene.require_status(event.answer, SUCCESS)
        starts = sum(each.count(_START) for each in lanes)
        session.model.references += starts
        session.model.initialised_once = True
        _end(scene, starts)
        if number and overlap.is_enough(session.overlapping, session.timed):
            break


@proves("hsa_shut_down/threads", initialised=False, examples=0.5, once=True, chance=True)
def threads_count_together(scene: Scene) -> None:
    """While the runtime stays initialised, threads start and shut it down; the count is right.

    Then as many threads as there were starts shut it down: each of them succeeds.
    """
    kept = scene.draw(drawing.integers(1, 4))
    for _ in range(kept):
        scene.set_up("hsa_init")
    pairs = scene.draw(drawing.integers(1, 6))
    for _ in histories(scene):
        for event in scene.session.together([[_START, _END] * pairs] * 2):
            scene.require_status(event.answer, SUCCESS)
    if scene.draw(drawing.booleans()):
        for event in scene.session.together([[_END]] * kept):
            scene.require_status(event.answer, SUCCESS)
        scene.session.model.references = 0
        scene.session.model.forget_machine()
        kept = 0
    _end(scene, kept)


def _end(scene: Scene, count: int) -> None:
    """Shut the runtime down as often as it was initialised, which has to be just so often."""
    for done in range(count):
        answer = scene.call("hsa_shut_down")
        scene.require(
            answer.ok, f"hsa_shut_down is refused after {done} of {count} calls", answer.name
        )
    scene.require_status(scene.call("hsa_shut_down"), NOT_INITIALIZED)
