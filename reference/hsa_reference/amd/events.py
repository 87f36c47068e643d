"""Functions of the application that are called for events of the system, and for freed memory."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from hsa_reference.attributes import pack
from hsa_reference.callbacks import tell_event
from hsa_reference.core.memory.places import Places, Watcher
from hsa_reference.state import Part, State
from hsa_reference.status import (
    ERROR,
    INVALID_ALLOCATION,
    INVALID_ARGUMENT,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)


class Handler(NamedTuple):
    """A function of the application for events of the system, and what it is called with."""

    callback: int
    data: int


class Events(Part):
    """Who is told of what.

    Attributes:
        handler: for events of the system.

    """

    def __init__(self, state: State) -> None:
        self.handler: Handler | None = None
        self._places = state.part(Places)
        ends = {"event_type": "HSA_AMD_SYSTEM_SHUTDOWN_EVENT"}
        self._end = pack(state.registry, "hsa_amd_event_t", ends, "the event of the end")
        state.farewells.append(self._tell_of_the_end)
        state.facts["has_event_handler"] = lambda _: self.handler is not None
        state.facts["is_deallocation_callback"] = lambda *pair: bool(self.registered(*pair))

    def registered(self, address: int, callback: int) -> list[Watcher]:
        """Return what is registered for an address with a function."""
        place = self._places.around(address)
        watchers = place.watchers if place is not None else ()
        return [w for w in watchers if (w.address, w.callback) == (address, callback)]

    def release(self) -> None:
        """Forget the handler."""
        self.handler = None

    def _tell_of_the_end(self) -> None:
        if self.handler is not None:
            event = ctypes.create_string_buffer(self._end)
            tell_event(self.handler.callback, ctypes.addressof(event), self.handler.data)


PART = Events


def hsa_amd_register_system_event_handler(state: State, callback: int, data: int) -> Answer:
    """Remember whom to tell of events; there can be one."""
    events = state.part(Events)
    if events.handler is not None:
        return ERROR
    events.handler = Handler(callback, data)
    return SUCCESS


def hsa_amd_register_deallocation_callback(
    state: State, ptr: int, callback: int, user_data: int
) -> Answer:
    """Remember whom to call when the memory at an address is given back."""
    place = state.part(Places).around(ptr)
    if place is None:
        return INVALID_ALLOCATION
    try:
        place.watchers.append(Watcher(ptr, callback, user_data))
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


def hsa_amd_deregister_deallocation_callback(state: State, ptr: int, callback: int) -> Answer:
    """Forget all that is registered for an address with a function."""
    place = state.part(Places).around(ptr)
    if place is None:
        return INVALID_ARGUMENT
    gone = state.part(Events).registered(ptr, callback)
    place.watchers[:] = [w for w in place.watchers if w not in gone]
    return SUCCESS
