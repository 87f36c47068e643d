"""Initialisation and shut-down of the runtime."""

from __future__ import annotations

import os
from threading import current_thread

from hsa_reference.effects import LOCK, RuntimeThread, unlocked
from hsa_reference.state import State
from hsa_reference.status import NOT_INITIALIZED, OUT_OF_RESOURCES, SUCCESS, Answer


def hsa_init(state: State) -> Answer:
    """Take a reference to the runtime, after an end that another thread has begun."""
    # A thread that the end waits for must not wait for the end; nor is there one in a forked child.
    while state.ending == os.getpid() and not isinstance(current_thread(), RuntimeThread):
        state.ended.wait()
    if state.references == 0:
        try:
            state.begin()
        except OSError:
            return OUT_OF_RESOURCES
    state.references += 1
    return SUCCESS


@unlocked
def hsa_shut_down(state: State) -> Answer:
    """Give a reference back; the last one takes every resource with it."""
    if state.references == 1:
        for tell in state.farewells:
            tell()
    with LOCK:
        if state.references == 0 or state.ending == os.getpid():  # another thread was faster
            return NOT_INITIALIZED
        if state.references > 1:  # the application that was told may have called hsa_init
            state.references -= 1
            return SUCCESS
        state.ending = os.getpid()
    # What stands on others was made after them, and ends before them. Nobody holds the lock: what
    # the application's callbacks do until then is done in a runtime that is still initialised.
    for end in reversed(state.before_end):
        end()
    with LOCK:
        state.references -= 1
        state.ending = 0
        state.ended.notify_all()
        state.release_everything()
    return SUCCESS
