"""Signals: real memory at their handles, operations on their values, waits, and groups."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.core.signals import operations
from hsa_reference.core.signals.groups import (
    hsa_signal_group_create,
    hsa_signal_group_destroy,
    hsa_signal_group_wait_any_relaxed,
    hsa_signal_group_wait_any_scacquire,
)
from hsa_reference.core.signals.state import Signals
from hsa_reference.core.signals.waits import (
    AT_ONCE,
    hsa_signal_wait_acquire,
    hsa_signal_wait_relaxed,
    hsa_signal_wait_scacquire,
)
from hsa_reference.state import State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer

__all__ = [
    "AT_ONCE",
    "DIRECT",
    "PART",
    "hsa_signal_create",
    "hsa_signal_destroy",
    "hsa_signal_group_create",
    "hsa_signal_group_destroy",
    "hsa_signal_group_wait_any_relaxed",
    "hsa_signal_group_wait_any_scacquire",
    "hsa_signal_wait_acquire",
    "hsa_signal_wait_relaxed",
    "hsa_signal_wait_scacquire",
]

PART = Signals
DIRECT = operations.DIRECT

globals().update(operations.effects())


def hsa_signal_create(
    state: State, initial_value: int, num_consumers: int, consumers: int, signal: int
) -> Answer:
    """Make a signal. Every agent can wait for it, whoever is listed."""
    try:
        made = state.part(Signals).create(initial_value)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(signal, made.handle, 8)
    return SUCCESS


def hsa_signal_destroy(state: State, signal: int) -> Answer:
    """End a signal."""
    state.part(Signals).destroy(signal)
    return SUCCESS
