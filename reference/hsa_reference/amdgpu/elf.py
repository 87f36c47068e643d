"""What loading needs of an ELF file, each part held against the bytes that are there."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import pairwise
from typing import Any

from hsa_reference.amdgpu.errors import FormatError

# Numbers and layouts of ELF: chapters 4 and 5 of the System V ABI, as in <elf.h>.
_PROGRAM_HEADER = 56
_EXTENDED = 0xFFFF  # a number of headers that stands elsewhere
_DYNAMIC = 2
_SHARED_OBJECT = 3
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_END = 2**64
_EXECUTE, _WRITE = 1, 2
_UNDEFINED, _ABSOLUTE, _RESERVED = 0, 0xFFF1, 0xFF00
_LOCAL, _WEAK = 0, 2
#: The numbers of notes' types that pyelftools calls by what they are to other systems.
_NAMED = {"NT_GNU_ABI_TAG": 1, "NT_GNU_HWCAP": 2, "NT_GNU_BUILD_ID": 3}
#: Names may share their ends; more often than this they do so to take memory.
_SHARED = 16


@dataclass(frozen=True)
class Segment:
    """A part of the file that is loaded.

    Args:
        offset: where it starts in the file.
        address: where it starts in memory, before it is moved.
        data: what it starts with; zeros follow.
        size: of the part in memory, in bytes.
        alignment: of the address: a power of two.
        executable: whether instructions lie in it.
        writable: whether code may write to it.

    """

    offset: int
    address: int
    data: memoryview
    size: int
    alignment: int
    executable: bool
    writable: bool

    def holds(self, address: int, size: int) -> bool:
        """Return whether all these bytes lie in it."""
        return self.address <= address and address + size <= self.address + self.size


@dataclass(frozen=True)
class Symbol:
    """A symbol that a loader sees.

    Args:
        name: its name.
        type: the number of its type.
        address: where it lies before it is moved; of an absolute one, its value.
        size: in bytes.
        defined: whether the file defines it.
        absolute: whether it stays where it is.
        weak: whether it may stay undefined.
        local: whether others do not see it.

    """

    name: bytes
    type: int
    address: int
    size: int
    defined: bool
    absolute: bool
    weak: bool
    local: bool


@dataclass(frozen=True)
class Relocation:
    """A place that depends on where things are loaded: its address, type, symbol and addend."""

    address: int
    type: int
    symbol: Symbol | None
    addend: int


@dataclass(frozen=True)
class Note:
    """A note: who wrote it, the number of its type, and what it says."""

    owner: str
    type: int
    content: bytes


@dataclass(frozen=True)
class Elf:
    """An ELF file.

    Args:
        machine: the architecture, as pyelftools names it.
        abi: the numbers of the ABI and of its version.
        flags: what the architecture says of the code.
        segments: what is loaded, by address.
        symbols: those of the dynamic table.
        relocations: what is to be done once it is loaded.
        notes: what others are told about it.

    """

    machine: str
    abi: tuple[int, int]
    flags: int
    segments: Sequence[Segment]
    symbols: Sequence[Symbol]
    relocations: Sequence[Relocation]
    notes: Sequence[Note]

    def segment(self, address: int, size: int) -> Segment:
        """Return the segment that holds all these bytes.

        Raises:
            FormatError: there is none.

        """
        index = bisect_right(self.segments, address, key=lambda s: s.address) - 1
        if index >= 0 and self.segments[index].holds(address, size):
            return self.segments[index]
        raise FormatError(f"{size} bytes at {address:#x} are not loaded")

    def read(self, address: int, size: int) -> bytes:
        """Return bytes of the file by where they are loaded.

        Raises:
            FormatError: the file does not have them all.

        """
        segment = self.segment(address, size)
        start = address - segment.address
        if start + size > len(segment.data):
            raise FormatError(f"{size} bytes at {address:#x} are not in the file")
        return bytes(segment.data[start : start + size])


def read_elf(content: bytes) -> Elf:
    """Read an ELF file of 64 bits, by its segments: a loader needs no sections.

    Raises:
        FormatError: it is none, or contradicts itself.

    """
    try:
        return _read(content)
    except FormatError:
        raise
    # pyelftools documents no list of what it raises for bytes that are no ELF file.
    except Exception as error:
        raise FormatError(f"{type(error).__name__}: {error}") from error


def _read(content: bytes) -> Elf:
    # Most programs come without code, and importing this takes longer than hsa_init.
    from elftools.elf.elffile import ELFFile

    _require_headers(content)
    file = ELFFile(BytesIO(_without_sections(content)))
    headers: list[Any] = list(file.iter_segments())
    elf = Elf(
        str(file["e_machine"]),
        (content[7], content[8]),
        file["e_flags"],
        _segments(headers, content),
        (),
        (),
        tuple(_notes(headers)),
    )
    for header in headers:
        if header["p_type"] == "PT_DYNAMIC":
            dynamic = _Dynamic(elf, header)
            return replace(elf, symbols=dynamic.symbols, relocations=dynamic.relocations())
    return elf


def _require_headers(content: bytes) -> None:
    """Raise FormatError where pyelftools would believe numbers that the bytes deny."""
    if len(content) < 64 or content[:6] != b"\x7fELF\x02\x01":
        raise FormatError("no ELF file of 64 bits, little-endian")
    type_, _, _, _, start = struct.unpack_from("<HHIQQ", content, 16)
    size, count = struct.unpack_from("<HH", content, 54)
    if type_ != _SHARED_OBJECT:
        raise FormatError("no shared object")
    if size != _PROGRAM_HEADER or count == _EXTENDED or start + size * count > len(content):
        raise FormatError("program headers that are not in the file")
    types = [struct.unpack_from("<I", content, start + size * i)[0] for i in range(count)]
    if types.count(_DYNAMIC) > 1:
        raise FormatError("more than one dynamic table")


def _without_sections(content: bytes) -> bytes:
    """Return the file with a header that speaks of no sections.

    pyelftools reads all sections for some segments, and there may be very many.
    """
    return content[:40] + bytes(8) + content[48:58] + bytes(6) + content[64:]


def _segments(headers: Sequence[Any], content: bytes) -> Sequence[Segment]:
    """Return what is loaded, by address: parts of the file and of memory that do not overlap."""
    found = [_segment(h, content) for h in headers if h["p_type"] == "PT_LOAD" and h["p_memsz"]]
    for ends in (
        sorted((s.address, s.address + s.size) for s in found),
        sorted((s.offset, s.offset + len(s.data)) for s in found if s.data),
    ):
        if any(start < end for (_, end), (start, _) in pairwise(ends)):
            raise FormatError("segments that overlap")
    return sorted(found, key=lambda s: s.address)


def _segment(header: Any, content: bytes) -> Segment:  # noqa: ANN401 - pyelftools has no types
    offset, address, filled = header["p_offset"], header["p_vaddr"], header["p_filesz"]
    size, alignment, flags = header["p_memsz"], max(header["p_align"], 1), header["p_flags"]
    if (
        offset + filled > len(content)
        or filled > size
        or address + size > _END
        or alignment.bit_count() != 1
    ):
        raise FormatError(f"a segment at {address:#x} that is not in the file")
    return Segment(
        offset,
        address,
        memoryview(content)[offset : offset + filled],
        size,
        alignment,
        bool(flags & _EXECUTE),
        bool(flags & _WRITE),
    )


def _notes(headers: Sequence[Any]) -> Iterator[Note]:
    """Yield the notes of the first segment that has some."""
    for header in headers:
        if header["p_type"] == "PT_NOTE":
            for note in header.iter_notes():
                kind: Any = note["n_type"]
                number = kind if isinstance(kind, int) else _NAMED.get(kind, 0)
                yield Note(str(note["n_name"]), number, note["n_descdata"])
            return


class _Dynamic:
    """The dynamic table: where symbols and relocations are."""

    def __init__(self, elf: Elf, segment: Any) -> None:  # noqa: ANN401 - pyelftools has no types
        self._elf = elf
        self._tags = {str(t.entry.d_tag): int(t.entry.d_val) for t in segment.iter_tags()}
        self._names = self._table("DT_STRTAB", "DT_STRSZ")
        self._room = _SHARED * len(self._names)
        self.symbols: Sequence[Symbol] = ()
        if "DT_SYMTAB" in self._tags:
            self._require("DT_SYMENT", _SYMBOL.size)
            table = elf.read(self._tags["DT_SYMTAB"], segment.num_symbols() * _SYMBOL.size)
            self.symbols = [self._symbol(*each) for each in _SYMBOL.iter_unpack(table)]

    def relocations(self) -> Sequence[Relocation]:
        table = self._table("DT_RELA", "DT_RELASZ")
        if not table:
            return ()
        self._require("DT_RELAENT", _RELOCATION.size)
        return [
            Relocation(address, info & 0xFFFFFFFF, self._at(info >> 32), addend)
            for address, info, addend in _RELOCATION.iter_unpack(table)
        ]

    def _at(self, index: int) -> Symbol | None:
        if index == 0:
            return None
        if index >= len(self.symbols):
            raise FormatError(f"a relocation of symbol {index}, of {len(self.symbols)}")
        return self.symbols[index]

    def _table(self, start: str, size: str) -> bytes:
        if not self._tags.get(size):
            return b""
        return self._elf.read(self._tags[start], self._tags[size])

    def _require(self, tag: str, size: int) -> None:
        if self._tags.get(tag) != size:
            raise FormatError(f"{tag} is not {size}")

    def _symbol(self, name: int, info: int, _: int, section: int, value: int, size: int) -> Symbol:
        return Symbol(
            self._name(name),
            info & 15,
            value,
            size,
            section == _ABSOLUTE or _UNDEFINED < section < _RESERVED,
            section == _ABSOLUTE,
            info >> 4 == _WEAK,
            info >> 4 == _LOCAL,
        )

    def _name(self, start: int) -> bytes:
        end = self._names.find(b"\0", start)
        if end < 0:
            raise FormatError("a name that is not in the file")
        self._room -= end - start
        if self._room < 0:
            raise FormatError("names that share more than names do")
        return self._names[start:end]
