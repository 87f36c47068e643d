"""Initialisation and shut-down of the runtime."""

from __future__ import annotations

from hsa_reference.effects import LOCK, unlocked
from hsa_reference.state import State
from hsa_reference.status import NOT_INITIALIZED, SUCCESS, Answer


def hsa_init(state: State) -> Answer:
    """Take a reference to the runtime."""
    state.references += 1
    return SUCCESS


@unlocked
def hsa_shut_down(state: State) -> Answer:
    """Give a reference back; the last one takes every resource with it."""
    # What stands on others was made after them, and ends before them.
    for tell in reversed(state.before_end):
        if state.references == 1:  # the application that is told may have called hsa_init
            tell()
    with LOCK:
        if state.references == 0:  # another thread was faster
            return NOT_INITIALIZED
        state.references -= 1
        if state.references == 0:
            state.release_everything()
    return SUCCESS
