"""Where in the client's code a call was made."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DEPTH = 48
#: How the names of files in Python begin whose frames are not the client's: ours, and what we use.
_OWN = (f"{Path(__file__).parents[1]}{os.sep}", functools.__file__, "<")
#: Files, by how their names begin, whose frames are not the client's.
_OTHERS = (
    *("libhsa-runtime64", "libhsa-reference-atomics", "libhsa-check", "libffi", "_ctypes."),
    *("libc.", "libc-", "libpthread", "ld-linux", "libgcc_s", "ld-musl"),
)


class _Place(ctypes.Structure):
    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("symbol_address", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class Stack:
    """The callers of a function, the innermost first.

    Attributes:
        addresses: where they go on, in machine code.
        lines: where they are, in Python.

    """

    addresses: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()

    def frames(self) -> Iterator[str]:
        """Yield the frames of the client, in words."""
        native = [f for a in self.addresses if (f := _frame(a)) is not None]
        yield from native or self.lines


class Stacks:
    """Takes call stacks with the C library's own `backtrace`, where it has one."""

    def __init__(self) -> None:
        # PyDLL: the call takes less than giving Python's lock away and taking it again.
        library: Any = ctypes.PyDLL(None)
        self._backtrace = getattr(library, "backtrace", None)

    def here(self) -> Stack:
        """Return the stack of the call that is being made."""
        return Stack(self._addresses(), tuple(_lines()))

    def _addresses(self) -> tuple[int, ...]:
        if self._backtrace is None:
            return ()
        found = (ctypes.c_size_t * _DEPTH)()
        return tuple(found[: self._backtrace(found, _DEPTH)])


def _lines() -> Iterator[str]:
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_OWN):
            yield f"{code.co_qualname} ({code.co_filename}:{frame.f_lineno})"
        if frame.f_back is None:
            return
        frame = frame.f_back


def _frame(address: int) -> str | None:
    """Return a frame as function, file and offset, None where it is not the client's."""
    # The instruction before the one that the function returns to is the call.
    call = address - 1
    place = _place(call)
    if place is None or place.base == _python():
        return None
    path = Path(place.file.decode(errors="replace"))
    symbol = place.symbol.decode(errors="replace") if place.symbol else ""
    if path.name.startswith(_OTHERS) or symbol == "_start":
        return None
    where = f"{path.name}+{call - (place.base or 0):#x}"
    return f"{symbol} ({where})" if symbol else where


def _place(address: int) -> _Place | None:
    """Return the file and the symbol that an address lies in, None where it lies in no file."""
    place = _Place()
    library: Any = ctypes.PyDLL(None)
    found = library.dladdr(ctypes.c_void_p(address), ctypes.byref(place))
    return place if found and place.file else None


@functools.cache
def _python() -> int | None:
    """Return where Python lies: a library, or the program itself, whatever that is called."""
    place = _place(ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value or 0)
    return place.base if place else None
