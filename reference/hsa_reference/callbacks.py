"""Calls back into the application."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable

from hsa_reference.status import SUCCESS, Answer

_VISIT = [
    ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_uint64] * (2 + subjects)) for subjects in range(3)
]
_FREED = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64)
_QUEUE = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)
_HANDLE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_int64, ctypes.c_uint64)
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
_PROVIDE = ctypes.CFUNCTYPE(
    ctypes.c_uint32, ctypes.c_size_t, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64)
)
_NAME = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_int, ctypes.c_uint64)
_COORDINATE = ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_int] * 4, *[ctypes.c_uint64] * 2)
_WRITER = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64)
_INTERCEPT = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * 5)
_ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_size_t)


def iterate(callback: int, handles: Iterable[int], data: int, *subject: int) -> Answer:
    """Call the application with each handle until it answers anything but success.

    Args:
        callback: its function.
        handles: what it is called with.
        data: what it receives last.
        subject: what it receives first: up to two handles, of what the others belong to.

    """
    visit = _VISIT[len(subject)](callback)
    for handle in handles:
        status: int = visit(*subject, handle, data)
        if status != 0:
            return status
    return SUCCESS


def tell_event(callback: int, event: int, data: int) -> None:
    """Tell the application of an event; what it answers changes nothing."""
    _VISIT[0](callback)(event, data)


def tell_freed(callback: int, address: int, data: int) -> None:
    """Tell the application that memory was given back."""
    _FREED(callback)(address, data)


def tell_queue(callback: int, status: int, queue: int, data: int) -> None:
    """Tell the application of an error of its queue."""
    _QUEUE(callback)(status, queue, data)


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
    _INTERCEPT(callback)(packets, count, index, data, writer)


def packet_writer(take: Callable[[int, int], None]) -> tuple[int, object]:
    """Return the address of a function that takes packets, and what keeps it.

    Args:
        take: called with the address of the first packet, and how many there are.

    """
    writer = _WRITER(take)
    return ctypes.cast(writer, ctypes.c_void_p).value or 0, writer


def call_handler(callback: int, value: int, argument: int) -> bool:
    """Call a handler of a signal, and return whether it wants to be called again."""
    again: bool = _HANDLE(callback)(value, argument)
    return again


def call_function(callback: int, argument: int) -> None:
    """Call a function that the application wants to be called on another thread."""
    _FUNCTION(callback)(argument)


def allocate(callback: int, size: int) -> int:
    """Ask the application for memory of this size in bytes; 0 when it has none."""
    address: int = _ALLOCATE(callback)(size)
    return address


def provide(callback: int, size: int, data: int) -> tuple[int, int]:
    """Ask the application for memory of this size in bytes; return its status and the address."""
    address = ctypes.c_uint64(0)
    status: int = _PROVIDE(callback)(size, data, ctypes.byref(address))
    return status, address.value


def name_coordinate(callback: int, number: int, name: int) -> int:
    """Tell the application how the coordinate with a number is called; return its status."""
    status: int = _NAME(callback)(number, name)
    return status


def tell_coordinate(callback: int, place: tuple[int, int, int, int], name: int, data: int) -> int:
    """Tell the application of a coordinate, and return its status.

    Args:
        callback: its function.
        place: the number of the call and of the coordinate, its extent, and where it is.
        name: the address of the coordinate's name.
        data: what the application receives last.

    """
    status: int = _COORDINATE(callback)(*place, name, data)
    return status
