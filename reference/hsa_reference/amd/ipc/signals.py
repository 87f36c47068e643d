"""Names by which other processes attach to signals."""

from __future__ import annotations

import ctypes

from hsa_reference import memory
from hsa_reference.amd.signals import Attributes
from hsa_reference.core.signals import shared_signals
from hsa_reference.core.signals.state import Signals
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer


class SharedSignals(Part):
    """What conditions ask about names of signals."""

    def __init__(self, state: State) -> None:
        state.facts["is_ipc_signal"] = lambda handle: shared_signals.is_name(_name_at(handle))


def hsa_amd_ipc_signal_create(state: State, signal: int, handle: int) -> Answer:
    """Write the name of a signal, which is the same each time."""
    descriptor = state.part(Signals).by_handle[signal].descriptor
    assert descriptor is not None, "a signal that can be shared is in shared memory"
    ctypes.memmove(handle, shared_signals.name_of(descriptor), shared_signals.NAME)
    return SUCCESS


def hsa_amd_ipc_signal_attach(state: State, handle: int, signal: int) -> Answer:
    """Map the signal of another process. Each call gives a handle of its own to destroy."""
    try:
        made = state.part(Signals).attach(_name_at(handle), state.part(Attributes).shareable)
    except FileNotFoundError:  # it was destroyed since the name was looked at
        return INVALID_ARGUMENT
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(signal, made.handle, 8)
    return SUCCESS


def _name_at(address: int) -> bytes:
    return ctypes.string_at(address, shared_signals.NAME)
