"""Initialisation and shut-down of the runtime."""

from __future__ import annotations

from hsa_reference.state import State
from hsa_reference.status import SUCCESS, Answer


def hsa_init(state: State) -> Answer:
    """Take a reference to the runtime."""
    state.references += 1
    return SUCCESS


def hsa_shut_down(state: State) -> Answer:
    """Give a reference back; the last one takes every resource with it."""
    state.references -= 1
    if state.references == 0:
        state.release_everything()
    return SUCCESS
