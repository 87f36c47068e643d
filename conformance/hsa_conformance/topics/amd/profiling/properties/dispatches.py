"""Times of dispatches."""

from __future__ import annotations

import time
from typing import Final

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.profiling.generators import (
    profile,
    profiled_dispatch,
    profiled_queue,
)
from hsa_conformance.topics.amd.profiling.properties.clock import frequency, now
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.kernels import (
    Kernel,
    await_end,
    begin,
    loaded,
    packet,
    run,
    set_word,
    words,
)
from hsa_conformance.topics.shared.queues import submit
from hsa_conformance.topics.shared.signals import MOMENT

proves = Proofs()

TIME: Final = "hsa_amd_profiling_get_dispatch_time"


def _asked(scene: Scene, kernel: Kernel, done: int) -> Answer:
    return scene.call(TIME, agent=kernel.agent, signal=done, time=Out(16))


def _times(scene: Scene, kernel: Kernel, done: int) -> tuple[int, int]:
    """Return start and end of the dispatch that a signal was the completion signal of."""
    answer = scene.set_up(TIME, agent=kernel.agent, signal=done, time=Out(16))
    content = answer.outputs["time"] or b""
    return int.from_bytes(content[:8], "little"), int.from_bytes(content[8:], "little")


@proves("hsa_amd_profiling_set_profiler_enabled/times-available")
def the_times_of_a_dispatch_can_be_read(scene: Scene) -> None:
    """While profiling of a queue is enabled, the times of each of its dispatches can be read.

    It is enabled at first, or after a dispatch, or once more after it was disabled.
    """
    kernel = loaded(scene, "nothing")
    queue = queues.queue(scene, agent=kernel.agent).handle
    before = scene.one_of(["nothing", "a dispatch", "enabled and disabled"])
    if before == "a dispatch":
        run(scene, queue, kernel)
    if before == "enabled and disabled":
        profile(scene, queue)
        profile(scene, queue, enable=False)
    profile(scene, queue)
    done = [run(scene, queue, kernel) for _ in range(scene.draw(drawing.integers(1, 3)))]
    for each in scene.shuffled(done):
        answer = _asked(scene, kernel, each)
        scene.require_status(answer, SUCCESS)
        scene.require(not answer.untouched("time"), "the times were not written", "untouched")


@proves("hsa_amd_profiling_get_dispatch_time/ordered")
def a_dispatch_does_not_end_before_it_starts(scene: Scene) -> None:
    """The end of a dispatch is not before its start, whichever of several dispatches it is."""
    queue, kernel = profiled_queue(scene)
    count = scene.draw(drawing.integers(1, 3))
    done = [profiled_dispatch(scene, queue, kernel) for _ in range(count)]
    for each in scene.shuffled(done):
        start, end = _times(scene, kernel, each)
        scene.require(start <= end, "the dispatch ended before it started", f"{start} to {end}")


@proves("hsa_amd_profiling_get_dispatch_time/system-clock", fresh=True, examples=0.5)
def the_times_are_on_the_clock_of_the_system(scene: Scene) -> None:
    """The times of a dispatch are those of the system's timestamps before and after it.

    Profiling of the queue may have been disabled meanwhile.
    """
    queue, kernel = profiled_queue(scene)
    for _ in range(scene.draw(drawing.integers(0, 2))):
        profiled_dispatch(scene, queue, kernel)
    before = now(scene)
    done = profiled_dispatch(scene, queue, kernel)
    after = now(scene)
    if scene.draw(drawing.booleans()):
        profile(scene, queue, enable=False)
    # Two clocks are never read at the same moment: a tenth of a second is far more than that takes,
    # and far less than clocks of different starts or frequencies are apart.
    _require_within(scene, _times(scene, kernel, done), (before, after), frequency(scene) // 10)


@proves("hsa_amd_profiling_get_dispatch_time/within-wait")
def the_times_lie_between_submission_and_wait(scene: Scene) -> None:
    """A kernel that waits until the host sets a word starts after its submission.

    It has not ended before the word is set, and has ended when a wait for its signal returns.
    """
    kernel = loaded(scene, "wait")
    queue = queues.queue(scene, agent=kernel.agent).handle
    profile(scene, queue)
    gate = words(scene, 0, 0)
    before = now(scene)
    done = begin(scene, queue, kernel, gate, gate + 8, 1)
    time.sleep(MOMENT)
    opened = now(scene)
    set_word(scene, gate)
    await_end(scene, done)
    after = now(scene)
    # Ticks of an agent are translated: a millisecond is far more than that may be wrong.
    slack = frequency(scene) // 1000
    start, end = _times(scene, kernel, done)
    _require_within(scene, (start, end), (before, after), slack)
    scene.require(
        end >= opened - slack,
        "the dispatch is said to have ended before what it waited for",
        f"an end at {end}, and the word was set at {opened} or later",
    )


@proves("hsa_amd_profiling_get_dispatch_time/within-wait")
def a_signal_has_the_times_of_its_last_dispatch(scene: Scene) -> None:
    """A signal that is used for dispatches in turn gives the times of the last of them.

    Some time passes between two dispatches.
    """
    queue, kernel = profiled_queue(scene)
    done = signal(scene, 1)
    slack = frequency(scene) // 1000
    for _ in range(scene.draw(drawing.integers(2, 4))):
        time.sleep(MOMENT)
        before = now(scene)
        scene.set_up("hsa_signal_store_screlease", signal=done, value=1)
        submit(scene, queue, packet(kernel, 0, done))
        await_end(scene, done)
        _require_within(scene, _times(scene, kernel, done), (before, now(scene)), slack)


def _require_within(
    scene: Scene, times: tuple[int, int], around: tuple[int, int], slack: int
) -> None:
    (start, end), (before, after) = times, around
    scene.require(
        before - slack <= start <= after + slack and before - slack <= end <= after + slack,
        "the times of the dispatch are not those at which it was processed",
        f"{start} to {end}, for a dispatch between {before} and {after}",
    )
