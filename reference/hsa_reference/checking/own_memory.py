"""The process's own memory, read without a fault, and what is mapped at an address."""

from __future__ import annotations

import os
import struct
from pathlib import Path

_MEMORY, _MAPS = "/proc/self/mem", Path("/proc/self/maps")
#: No array of a client is longer than this; what a wrong count leads to is not read.
LONGEST = 4096
#: Where a signal's value is, in bytes from its handle, as ROCr has it.
_VALUE = 8


def read(address: int, size: int) -> bytes | None:
    """Return these bytes, None where they cannot be read."""
    if not 0 < address < 1 << 63:
        return None
    try:
        descriptor = os.open(_MEMORY, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        found = os.pread(descriptor, size, address)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return found if len(found) == size else None


def words(address: int, count: int) -> tuple[int, ...] | None:
    """Return `count` 64-bit words, None where they cannot be read, or are more than `LONGEST`."""
    found = read(address, 8 * count) if 0 <= count <= LONGEST else None
    return None if found is None else struct.unpack(f"={count}Q", found)


def word(address: int) -> int | None:
    """Return a 64-bit word, None where it cannot be read."""
    found = words(address, 1)
    return found[0] if found else None


def value_of(signal: int) -> int | None:
    """Return the value of a signal, None where it cannot be read."""
    return word(signal + _VALUE)


def mapping_at(address: int) -> str | None:
    """Return the line of the mapping at an address, None where nothing is mapped."""
    for line in _MAPS.read_text(encoding="utf-8", errors="replace").splitlines():
        start, _, end = line.split(maxsplit=1)[0].partition("-")
        if int(start, 16) <= address < int(end, 16):
            return line
    return None


def is_of_a_file(mapping: str) -> bool:
    """Return whether the line of a mapping names a file, so that no other memory has this line."""
    return mapping.split(maxsplit=5)[4] != "0"
