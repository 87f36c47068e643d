"""Memory of the process: scratch space, and reads and writes that may fault."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable, Iterator

SCRATCH = 1 << 20
_CHUNK = 1 << 16


def _unwatched(name: str) -> Callable[[int, int, int], int]:
    """Return `read` or `write` of the C library as it calls it itself, where it tells that name.

    In place of the other name a sanitizer puts its own, and would report what the suite looks at.
    """
    library, inner = ctypes.CDLL(None), f"__{name}"
    function = library[inner if hasattr(library, inner) else name]
    function.restype = ctypes.c_ssize_t
    function.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t]
    return function


# Prepared before a process is forked: making them touches memory that is shared until then.
_load, _store = _unwatched("write"), _unwatched("read")
_protect = ctypes.CDLL(None).mprotect
_protect.restype = ctypes.c_int
_protect.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
_NO_ACCESS = 0


class Memory:
    """Reads and writes any address; a fault is an answer, not a crash.

    The kernel copies between the address and a pipe, and reports EFAULT where a load or a store
    would raise a signal. The scratch space is known to be there and is accessed directly; the page
    behind it cannot be accessed at all.

    Args:
        pipe: reading and writing end of a pipe in non-blocking mode, kept for this purpose.
        scratch: size of the scratch space in bytes, a multiple of the page size.

    """

    def __init__(self, pipe: tuple[int, int], scratch: int = SCRATCH) -> None:
        self.size = scratch
        page = mmap.PAGESIZE
        self._arena = mmap.mmap(-1, scratch + page, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._arena))
        _protect(self.address + scratch, page, _NO_ACCESS)
        self._end = self.address + scratch
        self._out, self._in = pipe

    def read(self, address: int, size: int) -> bytes | None:
        """Return `size` bytes at `address`, or None where they cannot all be read."""
        if self.address <= address and address + size <= self._end:
            return ctypes.string_at(address, size)
        # Nothing is kept at first: copies of a heap make it longer, and a read of it endless.
        if size > _CHUNK and None in self._pieces(address, size):
            return None
        pieces = [*self._pieces(address, size)]
        return None if None in pieces else b"".join(filter(None, pieces))

    def _pieces(self, address: int, size: int) -> Iterator[bytes | None]:
        """Yield what is there piece by piece; None, and no more, where it cannot be read."""
        while size:
            count = _load(self._in, address, min(size, _CHUNK))
            if count <= 0:
                yield None
                return
            yield os.read(self._out, count)
            address, size = address + count, size - count

    def write(self, address: int, data: bytes) -> bool:
        """Write `data` at `address`; False where that fails, with the part before it written."""
        if self.address <= address and address + len(data) <= self._end:
            ctypes.memmove(address, data, len(data))
            return True
        while data:
            count = os.write(self._in, data[:_CHUNK])
            stored = _store(self._out, address, count)
            if stored != count:
                self._drain()
                return False
            address, data = address + count, data[count:]
        return True

    def _drain(self) -> None:
        try:
            while os.read(self._out, _CHUNK):
                pass
        except BlockingIOError:
            pass
