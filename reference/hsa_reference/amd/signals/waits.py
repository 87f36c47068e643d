"""Waits for several signals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_reference import memory
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import unlocked
from hsa_reference.state import State

_NONE = 2**32 - 1
#: No signal has met its condition.
AT_ONCE: Mapping[str, str] = dict.fromkeys(
    ("hsa_amd_signal_wait_any", "hsa_amd_signal_wait_all"), "UINT32_MAX"
)


@unlocked
def hsa_amd_signal_wait_any(
    state: State,
    signal_count: int,
    signals: int,
    conds: int,
    values: int,
    timeout_hint: int,
    wait_hint: int,
    satisfying_value: int,
) -> int:
    """Wait until any of the signals meets its condition, and return its index."""
    known = state.part(Signals)
    found, value = known.native.signal_wait_any(
        *_lists(known, signal_count, signals, conds, values),
        known.limit(timeout_hint),
        known.is_active(wait_hint),
    )
    if found is None:
        return _NONE
    if satisfying_value:
        memory.store(satisfying_value, value, 8, signed=True)
    return found


@unlocked
def hsa_amd_signal_wait_all(
    state: State,
    signal_count: int,
    signals: int,
    conds: int,
    values: int,
    timeout_hint: int,
    wait_hint: int,
    satisfying_values: int,
) -> int:
    """Wait until each of the signals has met its condition, and return 0."""
    known = state.part(Signals)
    found = known.native.signal_wait_all(
        *_lists(known, signal_count, signals, conds, values),
        known.limit(timeout_hint),
        known.is_active(wait_hint),
    )
    if found is None:
        return _NONE
    if satisfying_values:
        for index, value in enumerate(found):
            memory.store(satisfying_values + 8 * index, value, 8, signed=True)
    return 0


def _lists(
    known: Signals, count: int, signals: int, conds: int, values: int
) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Return the lists of a wait, with 0 for what is no live signal."""
    handles = known.live(memory.words(signals, count))
    return handles, memory.numbers(conds, count), memory.words(values, count)
