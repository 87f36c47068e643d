"""The memory of this process, as the system's own list of mappings says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hsa_device.memory.ranges import Octets, Range

_MAPS = Path("/proc/self/maps")
#: What lies there is no memory, or reading it has effects.
_STRANGE = frozenset(("[vvar]", "[vvar_vclock]", "[vsyscall]", "[vdso]"))


def mapped() -> Iterator[Range]:
    """Yield the ranges that this process may read; those without a gap between them as one."""
    before: tuple[int, int, bool] | None = None
    for line in _MAPS.read_text().splitlines():
        addresses, permissions, _, _, _, *name = line.split(maxsplit=5)
        if permissions[0] != "r" or (name and name[0] in _STRANGE):
            continue
        start, end = (int(each, 16) for each in addresses.split("-"))
        writable = permissions[1] == "w"
        if before is not None and before[1] == start and before[2] == writable:
            before = before[0], end, writable
            continue
        if before is not None:
            yield _range(*before)
        before = start, end, writable
    if before is not None:
        yield _range(*before)


def _range(start: int, end: int, writable: bool) -> Range:
    return Range(start, content_at(start, end - start), writable)


class _ArrayInterface:
    """Bytes of this process, as numpy takes them."""

    def __init__(self, address: int, size: int) -> None:
        self.__array_interface__ = {
            "shape": (size,),
            "typestr": "|u1",
            "data": (address, False),
            "version": 3,
        }


def content_at(address: int, size: int) -> Octets:
    """Return the bytes at an address of this process; nobody owns them but who mapped them."""
    return np.asarray(_ArrayInterface(address, size))
