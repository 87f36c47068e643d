"""Times of packets and copies, which their completion signals hold as ROCr's do."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.amd.copies.jobs import Jobs
from hsa_reference.core.queues.state import Queues
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import ERROR, SUCCESS, Answer


class Profiling(Part):
    """Which signals hold times."""

    def __init__(self, state: State) -> None:
        self._signals = state.part(Signals)
        state.part(Jobs)
        state.facts["was_profiled"] = self.holds_times

    def holds_times(self, signal: int) -> bool:
        """Return whether a signal holds the times of an operation."""
        return signal in self._signals.by_handle and self._signals.times(signal) != (0, 0)


PART = Profiling


@unlocked
def hsa_amd_profiling_set_profiler_enabled(state: State, queue: int, enable: int) -> Answer:
    """Record the times of packets that are processed from now on, or no longer."""
    processor = state.part(Queues).by_address[queue].processor
    if processor:
        processor.record_times(bool(enable))
    return SUCCESS


@unlocked
def hsa_amd_profiling_async_copy_enable(state: State, enable: int) -> Answer:
    """Record the times of copies that start from now on, or no longer."""
    state.part(Jobs).records_times = bool(enable)
    return SUCCESS


@unlocked
def hsa_amd_profiling_get_dispatch_time(state: State, agent: int, signal: int, time: int) -> Answer:
    """Write the times that a signal holds."""
    del agent
    return _write_times(state, signal, time)


@unlocked
def hsa_amd_profiling_get_async_copy_time(state: State, signal: int, time: int) -> Answer:
    """Write the times that a signal holds."""
    return _write_times(state, signal, time)


@unlocked
def hsa_amd_profiling_convert_tick_to_system_domain(
    state: State, agent: int, agent_tick: int, system_tick: int
) -> Answer:
    """Write the tick as it is: agents have the clock of the system."""
    del state, agent
    memory.store(system_tick, agent_tick, 8)
    return SUCCESS


def _write_times(state: State, signal: int, time: int) -> Answer:
    if not state.part(Profiling).holds_times(signal):
        return ERROR
    for offset, tick in zip((0, 8), state.part(Signals).times(signal), strict=True):
        memory.store(time + offset, tick, 8)
    return SUCCESS
