"""Times of copies, and what becomes of ticks of an agent."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.profiling.generators import (
    profile_copies,
    profiled_copy,
    profiled_dispatch,
    profiled_queue,
)
from hsa_conformance.topics.amd.profiling.properties.clock import frequency, now
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.signals import MOMENT
from hsa_reports import Verdict

proves = Proofs()

TIME: Final = "hsa_amd_profiling_get_async_copy_time"
CONVERT: Final = "hsa_amd_profiling_convert_tick_to_system_domain"

#: What an amd_signal_t that a client may use begins with, how long it is, and where it has the two
#: times of its last packet, in ticks of the agent (amd_hsa_signal.h).
_KIND_USER: Final = (1).to_bytes(8, "little")
_SIGNAL: Final = 64
_TIMES: Final = 32


def _times(scene: Scene, done: int) -> tuple[int, int]:
    """Return start and end of the last copy that a signal was given to."""
    answer = scene.set_up(TIME, signal=done, time=Out(16))
    content = answer.outputs["time"] or b""
    return int.from_bytes(content[:8], "little"), int.from_bytes(content[8:], "little")


def _some_copies(scene: Scene) -> None:
    for _ in range(scene.draw(drawing.integers(0, 2))):
        profiled_copy(scene)


@proves("hsa_amd_profiling_async_copy_enable/times-available")
def the_times_of_a_copy_can_be_read(scene: Scene) -> None:
    """After profiling of copies is enabled, once or again, the times of a copy can be read."""
    if scene.draw(drawing.booleans()):
        profile_copies(scene)
        profile_copies(scene, enable=False)
    done = profiled_copy(scene)
    answer = scene.call(TIME, signal=done, time=Out(16))
    scene.require_status(answer, SUCCESS)
    scene.require(not answer.untouched("time"), "the times were not written", "untouched")


@proves("hsa_amd_profiling_async_copy_enable/last-copy-counts")
def a_signal_has_the_times_of_its_last_copy(scene: Scene) -> None:
    """A signal that is used for copies in turn gives the times of the last of them.

    Some time passes between two copies.
    """
    done = signal(scene, 1)
    end = 0
    for _ in range(scene.draw(drawing.integers(2, 4))):
        # Ticks of an agent are translated, which may be wrong by less.
        time.sleep(MOMENT)
        profiled_copy(scene, done)
        start, new_end = _times(scene, done)
        scene.require(
            start >= end and new_end > end,
            "the times are not later than those of the copy before",
            f"{start} to {new_end}, before that an end at {end}",
        )
        end = new_end


@proves("hsa_amd_profiling_get_async_copy_time/ordered")
def a_copy_does_not_end_before_it_starts(scene: Scene) -> None:
    """The end of a copy is not before its start."""
    _some_copies(scene)
    start, end = _times(scene, profiled_copy(scene))
    scene.require(start <= end, "the copy ended before it started", f"{start} to {end}")


@proves("hsa_amd_profiling_get_async_copy_time/system-clock")
def the_times_are_on_the_clock_of_the_system(scene: Scene) -> None:
    """The times of a copy lie between the system's timestamps before and after it."""
    _some_copies(scene)
    before = now(scene)
    done = profiled_copy(scene)
    after = now(scene)
    start, end = _times(scene, done)
    # Two clocks are never read at the same moment: a tenth of a second is far more than that takes,
    # and far less than clocks of different starts or frequencies are apart.
    slack = frequency(scene) // 10
    scene.require(
        before - slack <= start <= after + slack and before - slack <= end <= after + slack,
        "the times are not on the clock of HSA_SYSTEM_INFO_TIMESTAMP",
        f"{start} to {end}, for a copy between {before} and {after}",
    )


def _ticks(scene: Scene, work: Callable[[], int]) -> list[int]:
    """Return when work begins and ends, on the clock of the agent that does it, again and again.

    Args:
        scene: where choices come from.
        work: has an agent do something, and returns its completion signal.

    Raises:
        Unavailable: the library keeps signals in a way of its own.

    """
    ticks: list[int] = []
    for _ in range(scene.draw(drawing.integers(2, 3))):
        time.sleep(MOMENT)
        found = scene.session.read(work(), _SIGNAL)
        if found is None or not found.startswith(_KIND_USER):
            reason = "the handle of a signal is not the address of an amd_signal_t"
            raise Unavailable(Verdict.UNTESTED, reason)
        ticks += [int.from_bytes(found[i : i + 8], "little") for i in (_TIMES, _TIMES + 8)]
    return ticks


@proves("hsa_amd_profiling_convert_tick_to_system_domain/order-kept")
def later_ticks_are_not_translated_to_earlier_times(scene: Scene) -> None:
    """Of two ticks of an agent, the later is not converted to an earlier time.

    Ticks of copies, or of dispatches, between which some time passes are not converted to one time,
    in any order.
    """
    agent = some_gpu(scene).handle
    ticks = _ticks(scene, lambda: profiled_copy(scene))
    if len(set(ticks)) == 1:  # where copies take no time
        queue, kernel = profiled_queue(scene)
        agent = kernel.agent
        ticks = _ticks(scene, lambda: profiled_dispatch(scene, queue, kernel))
    if len(set(ticks)) == 1:
        reason = "every copy and every dispatch has the same time on the machine"
        raise Unavailable(Verdict.NOT_APPLICABLE, reason)
    times = {}
    for tick in scene.shuffled(sorted(set(ticks))):
        answer = scene.set_up(CONVERT, agent=agent, agent_tick=tick, system_tick=Out())
        times[tick] = answer.number("system_tick")
    in_order = [times[tick] for tick in sorted(times)]
    scene.require(
        in_order == sorted(in_order), "a later tick was translated to an earlier time", in_order
    )
    pauses = list(pairwise(ticks[1:]))[::2]
    scene.require(
        all(times[end] < times[start] for end, start in pauses if end < start),
        "ticks between which some time passed were translated to one time",
        in_order,
    )
