"""Calls back into the application."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable

from hsa_reference.native import native
from hsa_reference.status import SUCCESS, Answer

_WRITER = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64)
_STATUS, _BOOL = 2**32 - 1, 2**8 - 1  # the bits of an answer that its type has


def iterate(callback: int, handles: Iterable[int], data: int, *subject: int) -> Answer:
    """Call the application with each handle until it answers anything but success.

    Args:
        callback: its function.
        handles: what it is called with.
        data: what it receives last.
        subject: what it receives first: up to two handles, of what the others belong to.

    """
    call = native().call_application[2 + len(subject)]
    for handle in handles:
        status = call(callback, *subject, handle, data) & _STATUS
        if status != 0:
            return status
    return SUCCESS


def tell_event(callback: int, event: int, data: int) -> None:
    """Tell the application of an event; what it answers changes nothing."""
    _call(callback, event, data)


def tell_freed(callback: int, address: int, data: int) -> None:
    """Tell the application that memory was given back."""
    _call(callback, address, data)


def tell_queue(callback: int, status: int, queue: int, data: int) -> None:
    """Tell the application of an error of its queue."""
    _call(callback, status, queue, data)


def intercept(callback: int, packets: int, count: int, index: int, data: int, writer: int) -> None:
    """Hand packets of a queue to the application, which passes on what it likes.

    Args:
        callback: its function.
        packets: the address of the first packet.
        count: how many there are.
        index: of the first of those that were submitted.
        data: what the application wants to get.
        writer: the address of the function that takes packets; see `packet_writer`.

    """
    _call(callback, packets, count, index, data, writer)


def packet_writer(take: Callable[[int, int], None]) -> tuple[int, object]:
    """Return the address of a function that takes packets, and what keeps it.

    Args:
        take: called with the address of the first packet, and how many there are.

    """
    writer = _WRITER(take)
    return ctypes.cast(writer, ctypes.c_void_p).value or 0, writer


def call_handler(callback: int, value: int, argument: int) -> bool:
    """Call a handler of a signal, and return whether it wants to be called again."""
    return _call(callback, value, argument) & _BOOL != 0


def call_function(callback: int, argument: int) -> None:
    """Call a function that the application wants to be called on another thread."""
    _call(callback, argument)


def allocate(callback: int, size: int) -> int:
    """Ask the application for memory of this size in bytes; 0 when it has none."""
    return _call(callback, size)


def provide(callback: int, size: int, data: int) -> tuple[int, int]:
    """Ask the application for memory of this size in bytes; return its status and the address."""
    address = ctypes.c_uint64(0)
    status = _call(callback, size, data, ctypes.addressof(address))
    return status & _STATUS, address.value


def name_coordinate(callback: int, number: int, name: int) -> int:
    """Tell the application how the coordinate with a number is called; return its status."""
    return _call(callback, number, name) & _STATUS


def tell_coordinate(callback: int, place: tuple[int, int, int, int], name: int, data: int) -> int:
    """Tell the application of a coordinate, and return its status.

    Args:
        callback: its function.
        place: the number of the call and of the coordinate, its extent, and where it is.
        name: the address of the coordinate's name.
        data: what the application receives last.

    """
    return _call(callback, *place, name, data) & _STATUS


def _call(callback: int, *arguments: int) -> int:
    """Call a function of the application, and return 64 bits, of which its answer may be a part."""
    return native().call_application[len(arguments)](callback, *arguments)
