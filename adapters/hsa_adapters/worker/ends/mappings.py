"""The files that are mapped into this process as code, and what stands in them."""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
from dataclasses import dataclass
from functools import lru_cache

# Numbers and layouts of ELF: chapters 4 and 5 of the System V ABI, as in <elf.h>.
_LOAD, _UNWINDING = 1, 0x6474E550
_EXECUTABLE = 1
_SYMBOLS, _DYNAMIC_SYMBOLS = 2, 11
_FUNCTION, _INDIRECT = 2, 10
_SYMBOL = struct.Struct("<IBBHQQ")
_OURS = "hsa_"


@dataclass(frozen=True)
class Segment:
    """A part of a file as it is meant to be mapped; all in bytes."""

    kind: int
    flags: int
    offset: int
    address: int
    size: int


class Code:
    """An ELF file for this machine.

    Args:
        path: the file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is something else; struct.error where it is damaged.

    """

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:  # noqa: PTH123
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self.data[:5] != b"\x7fELF\x02":
            raise ValueError(f"{path} is no ELF file of 64 bits")
        (table,) = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 54)
        self.segments = []
        for place in range(table, table + size * count, size):
            kind, flags, offset, address, _, length = struct.unpack_from(
                "<IIQQQQ", self.data, place
            )
            self.segments.append(Segment(kind, flags, offset, address, length))

    def address(self, offset: int) -> int | None:
        """Return which address code has that is at an offset of the file; None: there is none."""
        for part in self.segments:
            is_code = part.kind == _LOAD and part.flags & _EXECUTABLE
            if is_code and part.offset <= offset < part.offset + part.size:
                return offset - part.offset + part.address
        return None

    def offset(self, address: int) -> int:
        """Return the offset in the file of an address that `address` has returned."""
        for part in self.segments:
            if part.kind == _LOAD and part.address <= address < part.address + part.size:
                return address - part.address + part.offset
        raise ValueError(f"{address:#x} is not in the file")

    @property
    def unwinding(self) -> Segment | None:
        """The table by which a function's entry in .eh_frame is found."""
        return next((part for part in self.segments if part.kind == _UNWINDING), None)

    def function(self, address: int) -> str | None:
        """Return the name of the function whose symbol covers an address, as the file spells it."""
        with contextlib.suppress(struct.error, IndexError):  # tables that are damaged
            for kind in (_SYMBOLS, _DYNAMIC_SYMBOLS):
                names = [
                    self.data[name : self.data.find(b"\0", name)].decode(errors="replace")
                    for start, size, name in self._functions(kind)
                    if start <= address < start + size
                ]
                if names:  # aliases have the name, too, and something after it
                    return min(names, key=lambda name: (len(name), name))
        return None

    def exported(self) -> dict[str, int]:
        """Return the addresses in the file of the functions of HSA that it exports, by name."""
        found = {}
        with contextlib.suppress(struct.error, IndexError):  # tables that are damaged
            for start, _, name in self._functions(_DYNAMIC_SYMBOLS):
                spelt = self.data[name : self.data.find(b"\0", name)].decode(errors="replace")
                if spelt.startswith(_OURS):
                    found[spelt] = start
        return found

    def _functions(self, kind: int) -> list[tuple[int, int, int]]:
        """Return address, size and the place of the name of each function in a table."""
        (table,) = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        sections = [
            struct.unpack_from("<IIQQQQII", self.data, table + size * n) for n in range(count)
        ]
        found = []
        for _, is_, _, _, offset, length, link, _ in sections:
            if is_ != kind:
                continue
            names = sections[link][4]
            for symbol in _SYMBOL.iter_unpack(self.data[offset : offset + length]):
                name, about, _, section, start, covers = symbol
                if about & 15 in (_FUNCTION, _INDIRECT) and section and covers:
                    found.append((start, covers, names + name))
        return found


@lru_cache(maxsize=64)
def code(path: str) -> Code | None:
    """Return a file of code, None where it cannot be read as one."""
    try:
        return Code(path)
    except (OSError, ValueError, struct.error):
        return None


@dataclass(frozen=True)
class Place:
    """Where an instruction is.

    Args:
        path: the file that it was mapped from.
        code: the same file.
        address: its address in the file.

    """

    path: str
    code: Code
    address: int


class Mappings:
    """What is mapped as code into this process now, and into those that are forked from it."""

    def __init__(self) -> None:
        self._parts = []
        with open("/proc/self/maps") as file:  # noqa: PTH123
            for line in file:
                words = line.split(maxsplit=5)
                if "x" in words[1]:
                    start, end = (int(word, 16) for word in words[0].split("-"))
                    path = words[5].rstrip("\n") if len(words) > 5 else ""
                    self._parts.append((start, end, int(words[2], 16), path))

    def place(self, address: int) -> Place | None:
        """Return where the instruction at an address comes from; None where no file is known."""
        for start, end, offset, path in self._parts:
            if start <= address < end:
                file = code(path) if os.path.isabs(path) else None  # noqa: PTH117
                own = file.address(address - start + offset) if file else None
                return None if file is None or own is None else Place(path, file, own)
        return None

    def holds(self, address: int) -> bool:
        """Return whether there is any code at an address."""
        return any(start <= address < end for start, end, _, _ in self._parts)


def exported_beside(address: int) -> dict[str, int] | None:
    """Return where the file with the code at an address exports functions of HSA, by name.

    Returns:
        Nothing where the code is in no file, or in one that exports none; None where no code is.

    """
    mapped = Mappings()
    if not mapped.holds(address):
        return None
    place = mapped.place(address)
    if place is None:
        return {}
    begin = address - place.address
    return {name: begin + own for name, own in place.code.exported().items()}
