"""What AMD adds to signals: attributes, addresses of values, handlers, waits for several."""

from __future__ import annotations

import ctypes

from hsa_reference import memory
from hsa_reference.amd.signals.handlers import Handlers, Registration
from hsa_reference.amd.signals.waits import (
    AT_ONCE,
    hsa_amd_signal_wait_all,
    hsa_amd_signal_wait_any,
)
from hsa_reference.core.signals.state import EVENT_ID, VALUE, Signals
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer

__all__ = [
    "AT_ONCE",
    "PART",
    "hsa_amd_async_function",
    "hsa_amd_signal_async_handler",
    "hsa_amd_signal_create",
    "hsa_amd_signal_get_event_id",
    "hsa_amd_signal_value_pointer",
    "hsa_amd_signal_wait_all",
    "hsa_amd_signal_wait_any",
    "hsa_flag_isset64",
    "hsa_flag_set64",
]


class Attributes(Part):
    """What conditions ask about attributes of signals."""

    def __init__(self, state: State) -> None:
        state.part(Handlers)
        constants, signals = state.registry.constants, state.part(Signals)
        self.shareable = constants["HSA_AMD_SIGNAL_IPC"]
        known = constants["HSA_AMD_SIGNAL_AMD_GPU_ONLY"] | self.shareable

        def has(signal: int, of: int) -> bool:
            found = signals.by_handle.get(signal)
            return found is not None and bool(found.attributes & of)

        state.facts["signal_has_attributes"] = lambda signal: has(signal, known)
        state.facts["signal_is_shareable"] = lambda signal: has(signal, self.shareable)


PART = Attributes


def hsa_amd_signal_create(
    state: State,
    initial_value: int,
    num_consumers: int,
    consumers: int,
    attributes: int,
    signal: int,
) -> Answer:
    """Make a signal; one for other processes is in memory that can be shared."""
    signals = state.part(Signals)
    shareable = attributes & state.part(Attributes).shareable
    make = signals.create_shared if shareable else signals.create
    try:
        made = make(initial_value, attributes)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(signal, made.handle, 8)
    return SUCCESS


@unlocked
def hsa_amd_signal_value_pointer(state: State, signal: int, value_ptr: int) -> Answer:
    """Write the address of a signal's value, whatever its attributes are."""
    memory.store(value_ptr, signal + VALUE, 8)
    return SUCCESS


@unlocked
def hsa_amd_signal_get_event_id(state: State, signal: int, event_id: int) -> Answer:
    """Write the number of a signal's event in the driver: 0, since there is none."""
    memory.store(event_id, memory.load(signal + EVENT_ID, 4), 4)
    return SUCCESS


def hsa_amd_signal_async_handler(
    state: State, signal: int, cond: int, value: int, handler: int, arg: int
) -> Answer:
    """Call the application when a signal meets a condition."""
    registration = Registration(signal, cond, ctypes.c_int64(value).value, handler, arg)
    try:
        state.part(Handlers).register(registration)
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


def hsa_amd_async_function(state: State, callback: int, arg: int) -> Answer:
    """Call the application once, on the thread that calls its handlers."""
    try:
        state.part(Handlers).call_later(callback, arg)
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


@unlocked
def hsa_flag_set64(state: State, value: int, bit: int) -> int:
    """Set a bit in an array of bytes."""
    byte = value + bit // 8
    memory.store(byte, memory.load(byte, 1) | 1 << bit % 8, 1)
    return 0


@unlocked
def hsa_flag_isset64(state: State, value: int, bit: int) -> int:
    """Return whether a bit in an array of bytes is set."""
    return memory.load(value + bit // 8, 1) >> bit % 8 & 1
