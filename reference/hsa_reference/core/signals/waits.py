"""Waits for one signal."""

from __future__ import annotations

from collections.abc import Mapping

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

#: A wait may end at any time, with the value; 0 is that of a destroyed signal.
AT_ONCE: Mapping[str, str] = dict.fromkeys(
    ("hsa_signal_wait_scacquire", "hsa_signal_wait_relaxed", "hsa_signal_wait_acquire"),
    "is_live(a1) ? signal_load(a1, __ATOMIC_SEQ_CST) : 0",
)
