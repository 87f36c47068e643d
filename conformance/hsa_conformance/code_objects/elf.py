"""Lays sections out as an ELF file of 64 bits.

Numbers and layouts are those of chapters 4 and 5 of the System V ABI, as in <elf.h>.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

PROGBITS: Final = 1
SYMTAB: Final = 2
STRTAB: Final = 3
RELA: Final = 4
HASH: Final = 5
DYNAMIC: Final = 6
NOTE: Final = 7
NOBITS: Final = 8
DYNSYM: Final = 11

WRITE: Final = 1
ALLOC: Final = 2
EXECUTE: Final = 4

_HEADER: Final = 64
_SEGMENT: Final = 56
_PAGE: Final = 0x1000
_SHARED_OBJECT: Final = 3


@dataclass
class Section:
    """A section; `place` fills in where it lies in the file and in memory.

    Attributes:
        name: its name.
        type: its type.
        flags: its flags; with ALLOC it is loaded.
        data: its content, or what returns it once all sections are placed.
        size: its size in bytes where `data` is a function.
        align: its alignment in bytes.
        link: the name of the section that it refers to.
        info: the number that goes with its type.
        entry: the size in bytes of the things in it.

    """

    name: str
    type: int
    flags: int = 0
    data: bytes | Callable[[], bytes] = b""
    size: int = 0
    align: int = 8
    link: str = ""
    info: int = 0
    entry: int = 0
    offset: int = field(default=0, init=False)
    address: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if isinstance(self.data, bytes):
            self.size = len(self.data)


def strings(names: Sequence[str]) -> tuple[bytes, dict[str, int]]:
    """Return a table of texts, and where in it each of them starts."""
    table, places = b"\0", {"": 0}
    for name in names:
        if name not in places:
            places[name] = len(table)
            table += name.encode() + b"\0"
    return table, places


def place(sections: Sequence[Section], *, with_headers: bool = True) -> None:
    """Give each section its place; those with equal flags share a segment, a page from the next.

    Args:
        sections: the sections; those of NOBITS are the last that are loaded.
        with_headers: whether the first segment begins with the headers of the file; otherwise it
            begins with the first section, at address 0.

    """
    page = _page(sections)
    offset = _HEADER + _SEGMENT * (len(_segments(sections)) + 2) if with_headers else page
    distance, flags = 0 if with_headers else -page, ALLOC
    for section in sections:
        if section.flags & ALLOC and section.flags != flags:
            distance += page
            flags = section.flags
        offset = -(-offset // section.align) * section.align
        section.offset = offset
        section.address = offset + distance if section.flags & ALLOC else 0
        if section.type != NOBITS:
            offset += section.size


def write(sections: Sequence[Section], *, machine: int, abi: tuple[int, int], flags: int) -> bytes:
    """Return the file.

    Args:
        sections: placed sections, those that are loaded first, the names of all not among them.
        machine: the number of the architecture.
        abi: the numbers of the ABI and of its version.
        flags: what the architecture says of the code.

    """
    table, names = strings([*(s.name for s in sections), ".shstrtab"])
    shstrtab = Section(".shstrtab", STRTAB, data=table, align=1)
    last = sections[-1]
    shstrtab.offset = last.offset + last.size
    every = [*sections, shstrtab]
    numbers = {s.name: i for i, s in enumerate(every, 1)}
    start = -(-(shstrtab.offset + shstrtab.size) // 8) * 8
    segments = _program_headers(sections)
    file = bytearray(start)
    file[:_HEADER] = struct.pack(
        "<16sHHIQQQIHHHHHH",
        bytes([0x7F, *b"ELF", 2, 1, 1, *abi]),
        _SHARED_OBJECT,
        machine,
        1,
        0,
        _HEADER,
        start,
        flags,
        _HEADER,
        _SEGMENT,
        len(segments),
        64,
        len(every) + 1,
        numbers[".shstrtab"],
    )
    file[_HEADER : _HEADER + _SEGMENT * len(segments)] = b"".join(segments)
    for section in (s for s in every if s.type != NOBITS):
        data = section.data if isinstance(section.data, bytes) else section.data()
        file[section.offset : section.offset + section.size] = data
    headers = [bytes(64), *(_section_header(s, names, numbers) for s in every)]
    return bytes(file) + b"".join(headers)


def _section_header(section: Section, names: dict[str, int], numbers: dict[str, int]) -> bytes:
    return struct.pack(
        "<IIQQQQIIQQ",
        names[section.name],
        section.type,
        section.flags,
        section.address,
        section.offset,
        section.size,
        numbers.get(section.link, 0),
        section.info,
        section.align,
        section.entry,
    )


def _segments(sections: Sequence[Section]) -> list[list[Section]]:
    """Return the loaded sections by the segment that they belong to."""
    found: list[list[Section]] = []
    for section in sections:
        if section.flags & ALLOC:
            if not found or found[-1][0].flags != section.flags:
                found.append([])
            found[-1].append(section)
    return found


def _page(sections: Sequence[Section]) -> int:
    """Return what segments are aligned to."""
    return max(_PAGE, *(s.align for s in sections))


def _program_headers(sections: Sequence[Section]) -> list[bytes]:
    load, dynamic, note = 1, 2, 4
    parts, page = _segments(sections), _page(sections)
    first = parts[0] if parts[0][0].address else None
    headers = [_program_header(load, p, page, headed=p is first) for p in parts]
    headers += [_program_header(dynamic, [s], s.align) for s in sections if s.type == DYNAMIC]
    headers += [_program_header(note, [s], s.align) for s in sections if s.type == NOTE]
    return headers


def _program_header(
    type_: int, members: Sequence[Section], align: int, *, headed: bool = False
) -> bytes:
    """Return the header of a segment, which may begin with the headers of the file."""
    head = members[0]
    offset, address = (0, 0) if headed else (head.offset, head.address)
    filled = max(s.offset + s.size for s in members if s.type != NOBITS) - offset
    size = max(s.address + s.size for s in members) - address
    access = 4 | 2 * bool(head.flags & WRITE) | bool(head.flags & EXECUTE)
    return struct.pack("<IIQQQQQQ", type_, access, offset, address, address, filled, size, align)
