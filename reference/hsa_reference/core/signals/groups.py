"""Groups of signals, and waits for any signal of one."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import unlocked
from hsa_reference.state import State
from hsa_reference.status import INVALID_SIGNAL_GROUP, OUT_OF_RESOURCES, SUCCESS, Answer


def hsa_signal_group_create(
    state: State,
    num_signals: int,
    signals: int,
    num_consumers: int,
    consumers: int,
    signal_group: int,
) -> Answer:
    """Make a group. Every agent can wait for every signal here."""
    try:
        group = state.part(Signals).add_group(memory.words(signals, num_signals))
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(signal_group, group, 8)
    return SUCCESS


def hsa_signal_group_destroy(state: State, signal_group: int) -> Answer:
    """Forget a group; its signals stay."""
    del state.part(Signals).groups[signal_group]
    return SUCCESS


@unlocked
def hsa_signal_group_wait_any_scacquire(
    state: State,
    signal_group: int,
    conditions: int,
    compare_values: int,
    wait_state_hint: int,
    signal: int,
    value: int,
) -> Answer:
    """Wait until a signal of the group meets its condition, and write it and its value."""
    known = state.part(Signals)
    members = known.groups[signal_group].signals
    found, seen = known.native.signal_wait_any(
        known.live(members),
        memory.numbers(conditions, len(members)),
        memory.words(compare_values, len(members)),
        active=known.is_active(wait_state_hint),
    )
    if found is None:  # each of its signals was destroyed
        return INVALID_SIGNAL_GROUP
    memory.store(signal, members[found], 8)
    memory.store(value, seen, 8, signed=True)
    return SUCCESS


#: The order of a wait is that of the strongest name.
hsa_signal_group_wait_any_relaxed = hsa_signal_group_wait_any_scacquire
