"""Memory with machine code in it, for what Python is too slow or too late for."""

from __future__ import annotations

import ctypes
import mmap
import platform


def executable(code: bytes) -> mmap.mmap | None:
    """Return a page of this process that begins with code for x86-64 and may be written as well.

    Args:
        code: at most a page.

    Returns:
        None on another processor, and where the system allows no such memory.

    """
    if platform.machine() != "x86_64":
        return None
    try:
        page = mmap.mmap(
            -1,
            mmap.PAGESIZE,
            flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
            prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC,
        )
    except OSError:
        return None
    page.write(code)
    return page


def address(memory: mmap.mmap) -> int:
    """Return where memory is in this process."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))
