"""Code objects with one thing wrong: a number of a table, or the end that is missing.

Each number is known by the table that it stands in, so that every table can be tried.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hsa_conformance.code_objects import elf

#: Bytes of the header of a file.
HEADER: Final = 64

_LOAD: Final = 1

#: Where the fields of each structure of <elf.h> stand, by offset and size in bytes.
_OF_FILE: Final = {
    "class": (4, 1),
    "byte order": (5, 1),
    "type": (16, 2),
    "machine": (18, 2),
    "program headers' place": (32, 8),
    "section headers' place": (40, 8),
    "flags": (48, 4),
    "size of a program header": (54, 2),
    "program headers": (56, 2),
    "size of a section header": (58, 2),
    "section headers": (60, 2),
    "section of names": (62, 2),
}
_SEGMENT: Final = {
    "type": (0, 4),
    "place": (8, 8),
    "address": (16, 8),
    "size in the file": (32, 8),
    "size in memory": (40, 8),
    "alignment": (48, 8),
}
_SECTION: Final = {
    "name": (0, 4),
    "type": (4, 4),
    "flags": (8, 8),
    "address": (16, 8),
    "place": (24, 8),
    "size": (32, 8),
    "link": (40, 4),
    "info": (44, 4),
    "alignment": (48, 8),
    "size of an entry": (56, 8),
}
_SYMBOL: Final = {"name": (0, 4), "section": (6, 2), "value": (8, 8), "size": (16, 8)}
_RELOCATION: Final = {"place": (0, 8), "type": (8, 4), "symbol": (12, 4), "addend": (16, 8)}
_ENTRY: Final = {"tag": (0, 8), "value": (8, 8)}
_NOTE: Final = {"size of the name": (0, 4), "size": (4, 4), "type": (8, 4)}

#: The structures that a section is an array of, with the size of one of them.
_ARRAYS: Final[Mapping[int, tuple[str, Mapping[str, tuple[int, int]], int]]] = {
    elf.SYMTAB: ("symbols", _SYMBOL, 24),
    elf.DYNSYM: ("dynamic symbols", _SYMBOL, 24),
    elf.RELA: ("relocations", _RELOCATION, 24),
    elf.DYNAMIC: ("dynamic entries", _ENTRY, 16),
}


#: What was spoilt so far: who meets the bytes again learns that they need not be code.
SPOILT: Final[set[bytes]] = set()


def spoilt(content: bytes) -> bytes:
    """Return bytes that look like code, and remember that they need not be."""
    SPOILT.add(content)
    return content


@dataclass(frozen=True)
class Field:
    """A number in a code object.

    Attributes:
        table: what it stands in, such as "section headers".
        name: what it says there, such as "size".
        place: where it is, in bytes.
        size: how many bytes it has.

    """

    table: str
    name: str
    place: int
    size: int

    def read(self, content: bytes) -> int:
        """Return what it holds."""
        return int.from_bytes(content[self.place : self.place + self.size], "little")

    def written(self, content: bytes, value: int) -> bytes:
        """Return the code object with another number there, of which the lowest bytes count."""
        data = (value % (1 << 8 * self.size)).to_bytes(self.size, "little")
        return spoilt(content[: self.place] + data + content[self.place + self.size :])


def fields(content: bytes) -> Mapping[str, Sequence[Field]]:
    """Return the fields of a code object that is right, by their tables and names."""
    found: dict[str, list[Field]] = {}
    for field in _fields(content):
        found.setdefault(f"{field.table}: {field.name}", []).append(field)
    return found


def _fields(content: bytes) -> Iterator[Field]:
    yield from _of("header", _OF_FILE, 0)
    for start in _segments(content):
        yield from _of("program headers", _SEGMENT, start)
    for start in _sections(content):
        yield from _of("section headers", _SECTION, start)
        (kind,) = struct.unpack_from("<I", content, start + 4)
        place, size = struct.unpack_from("<QQ", content, start + 24)
        if kind in _ARRAYS:
            table, structure, each = _ARRAYS[kind]
            for at in range(0, size, each):
                yield from _of(table, structure, place + at)
        if kind == elf.NOTE:
            yield from _of("notes", _NOTE, place)
        if kind == elf.HASH:
            for at in range(0, size, 4):
                yield Field("hash table", "word", place + at, 4)


def _of(table: str, structure: Mapping[str, tuple[int, int]], start: int) -> Iterator[Field]:
    for name, (offset, size) in structure.items():
        yield Field(table, name, start + offset, size)


def _segments(content: bytes) -> range:
    (first,), (size, count) = (
        struct.unpack_from("<Q", content, 32),
        struct.unpack_from("<HH", content, 54),
    )
    return range(first, first + size * count, size)


def _sections(content: bytes) -> range:
    (first,), (size, count) = (
        struct.unpack_from("<Q", content, 40),
        struct.unpack_from("<HH", content, 58),
    )
    return range(first, first + size * count, size)


def headers(content: bytes) -> int:
    """Return how many bytes the header and the program headers of a code object take."""
    return _segments(content).stop


def needed(content: bytes) -> int:
    """Return how many bytes of a code object that is right what is loaded takes, headers too."""
    ends = [_segments(content).stop]
    for start in _segments(content):
        kind, place, size = struct.unpack_from("<I4xQ16xQ", content, start)
        if kind == _LOAD:
            ends.append(place + size)
    return max(ends)


def unended(content: bytes) -> Iterator[bytes]:
    """Yield code objects of which one table of names is at the end, and has no NUL there."""
    for start in _sections(content):
        (kind,) = struct.unpack_from("<I", content, start + 4)
        place, size = struct.unpack_from("<QQ", content, start + 24)
        if kind == elf.STRTAB:
            changed = bytearray(content + content[place : place + size].rstrip(b"\0"))
            struct.pack_into("<QQ", changed, start + 24, len(content), len(changed) - len(content))
            yield spoilt(bytes(changed))


def values(field: Field, content: bytes) -> Sequence[int]:
    """Return numbers to put into a field: edges of its size, of the file, and next to its own."""
    own, top = field.read(content), 1 << 8 * field.size
    size = len(content)
    near = (own + 1, own - 1, own + 0x1000, own ^ 1)
    edges = (0, 1, top - 1, top - 8, top >> 1, (top >> 1) - 1, 0xFFFFFFFF, 1 << 31)
    of_file = (size, size - 1, size + 1, size - 8, top - size)
    every = {value % top for value in (*near, *edges, *of_file)}
    return sorted(every - {own})
