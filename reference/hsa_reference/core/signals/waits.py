"""Waits for one signal."""

from __future__ import annotations

from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import unlocked
from hsa_reference.state import State


@unlocked
def hsa_signal_wait_scacquire(
    state: State,
    signal: int,
    condition: int,
    compare_value: int,
    timeout_hint: int,
    wait_state_hint: int,
) -> int:
    """Wait until the value meets a condition, or time is over, and return it."""
    signals = state.part(Signals)
    signals.check(signal)
    limit, active = signals.limit(timeout_hint), signals.is_active(wait_state_hint)
    return signals.native.signal_wait(signal, condition, compare_value, limit, active)[1]


#: The order of a wait is that of the strongest name.
hsa_signal_wait_acquire = hsa_signal_wait_relaxed = hsa_signal_wait_scacquire
