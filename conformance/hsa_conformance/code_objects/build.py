"""Puts a code object together: kernels, variables, and names that others define."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from typing import Final

from hsa_conformance.code_objects import elf, notes
from hsa_conformance.code_objects.elf import Section
from hsa_conformance.code_objects.kernels import (
    DESCRIPTOR,
    TEXT,
    Kernel,
    descriptor,
    instructions,
    metadata,
)
from hsa_conformance.code_objects.targets import Target

MACHINE: Final = 224
_ABI: Final = 64
_ABSOLUTE: Final = 3  # a relocation: 64 bits, the address of a symbol
_WORD: Final = 8
_OLD: Final = 2
_NOTHING, _OBJECT, _FUNCTION = 0, 1, 2
_GLOBAL: Final = 1
_PROTECTED: Final = 3


@dataclass(frozen=True)
class Variable:
    """A variable of eight bytes.

    Attributes:
        name: its name.
        value: what it holds; of no account with `points_to`.
        constant: whether it lies in memory that is only read.
        points_to: a name whose address it holds once the code is loaded, defined by others.

    """

    name: str
    value: int = 0
    constant: bool = False
    points_to: str = ""


@dataclass(frozen=True)
class Code:
    """What a code object holds.

    Attributes:
        target: the processor that it is for.
        kernels: its kernels.
        variables: its variables.
        version: the version of code objects, 2, 4 or 5; version 2 has no kernels here.
        profile: for version 2, the number of the profile that the code asks for.
        filling: bytes of no meaning that come before all else.

    """

    target: Target
    kernels: tuple[Kernel, ...] = (Kernel("kernel"),)
    variables: tuple[Variable, ...] = ()
    version: int = 4
    profile: int = 0
    filling: int = 0

    @property
    def symbols(self) -> list[str]:
        """The names of what it defines, as a runtime knows them."""
        return [*(f"{k.name}.kd" for k in self.kernels), *(v.name for v in self.variables)]

    @property
    def undefined(self) -> list[str]:
        """The names that others have to define."""
        return list(dict.fromkeys(v.points_to for v in self.variables if v.points_to))


@dataclass(frozen=True)
class _Symbol:
    name: str
    type: int
    section: str = ""
    offset: int = 0
    size: int = 0


#: What was made so far, by content: who meets the bytes again learns what they are.
MADE: Final[dict[bytes, Code]] = {}


@cache
def build(code: Code) -> bytes:
    """Return the code object as a file."""
    content = _Layout(code).file()
    MADE[content] = code
    return content


class _Layout:
    def __init__(self, code: Code) -> None:
        self.code = code
        self.constants = [v for v in code.variables if v.constant]
        self.mutable = [v for v in code.variables if not v.constant]
        self.pointers = [v for v in self.mutable if v.points_to]
        self.symbols = self._symbols()
        names = [s.name for s in self.symbols]
        strtab, self.names = elf.strings(names)
        symtab = 24 * (len(self.symbols) + 1)
        read, run, change = elf.ALLOC, elf.ALLOC | elf.EXECUTE, elf.ALLOC | elf.WRITE
        note = _notes(code)
        rodata = DESCRIPTOR * len(code.kernels) + _WORD * len(self.constants)
        self.sections = [
            *([Section(".filling", elf.PROGBITS, read, bytes(code.filling))] * bool(code.filling)),
            Section(".note", elf.NOTE, read, note, align=4),
            Section(".dynsym", elf.DYNSYM, read, self._symtab, symtab, 8, ".dynstr", 1, 24),
            Section(".hash", elf.HASH, read, self._hash(), link=".dynsym", align=4, entry=4),
            Section(".dynstr", elf.STRTAB, read, strtab, align=1),
            Section(
                ".rela.dyn",
                elf.RELA,
                read,
                self._rela,
                24 * len(self.pointers),
                8,
                ".dynsym",
                0,
                24,
            ),
            Section(".rodata", elf.PROGBITS, read, self._rodata, rodata, 64),
            Section(
                ".text", elf.PROGBITS, run, instructions(code.target) * len(code.kernels), align=256
            ),
            Section(
                ".dynamic", elf.DYNAMIC, change, self._dynamic, 16 * 9, link=".dynstr", entry=16
            ),
            Section(".data", elf.PROGBITS, change, self._data()),
            Section(".symtab", elf.SYMTAB, 0, self._symtab, symtab, 8, ".strtab", 1, 24),
            Section(".strtab", elf.STRTAB, 0, strtab, align=1),
        ]
        elf.place(self.sections)
        self.places = {s.name: s for s in self.sections}

    def file(self) -> bytes:
        abi = (_ABI, self.code.version - 2)
        flags = self.code.target.flags if self.code.version > _OLD else 0
        return elf.write(self.sections, machine=MACHINE, abi=abi, flags=flags)

    def _symbols(self) -> list[_Symbol]:
        kernels = self.code.kernels
        start = DESCRIPTOR * len(kernels)
        return [
            *(_Symbol(k.name, _FUNCTION, ".text", TEXT * i, TEXT) for i, k in enumerate(kernels)),
            *(
                _Symbol(f"{k.name}.kd", _OBJECT, ".rodata", DESCRIPTOR * i, DESCRIPTOR)
                for i, k in enumerate(kernels)
            ),
            *(
                _Symbol(v.name, _OBJECT, ".rodata", start + _WORD * i, _WORD)
                for i, v in enumerate(self.constants)
            ),
            *(
                _Symbol(v.name, _OBJECT, ".data", _WORD * i, _WORD)
                for i, v in enumerate(self.mutable)
            ),
            *(_Symbol(name, _NOTHING) for name in self.code.undefined),
        ]

    def _symtab(self) -> bytes:
        numbers = {s.name: i for i, s in enumerate(self.sections, 1)}
        entries = [
            struct.pack(
                "<IBBHQQ",
                self.names[s.name],
                _GLOBAL << 4 | s.type,
                _PROTECTED if s.section else 0,
                numbers.get(s.section, 0),
                self.places[s.section].address + s.offset if s.section else 0,
                s.size,
            )
            for s in self.symbols
        ]
        return bytes(24) + b"".join(entries)

    def _hash(self) -> bytes:
        """Return a hash table with one bucket, whose chain has every symbol."""
        count = len(self.symbols) + 1
        chain = [0, *range(2, count), 0][:count]
        return struct.pack(f"<III{count}I", 1, count, int(count > 1), *chain)

    def _rela(self) -> bytes:
        number = {s.name: i for i, s in enumerate(self.symbols, 1)}
        place = {v.name: _WORD * i for i, v in enumerate(self.mutable)}
        base = self.places[".data"].address
        return b"".join(
            struct.pack("<QQq", base + place[v.name], number[v.points_to] << 32 | _ABSOLUTE, 0)
            for v in self.pointers
        )

    def _rodata(self) -> bytes:
        own, text = self.places[".rodata"].address, self.places[".text"].address
        descriptors = [
            descriptor(k, self.code.target, text + TEXT * i - own - DESCRIPTOR * i)
            for i, k in enumerate(self.code.kernels)
        ]
        return b"".join(descriptors) + b"".join(_word(v.value) for v in self.constants)

    def _data(self) -> bytes:
        return b"".join(_word(0 if v.points_to else v.value) for v in self.mutable)

    def _dynamic(self) -> bytes:
        hashes, texts, symbols, relocations = 4, 5, 6, 7
        at = {name: section.address for name, section in self.places.items()}
        entries = [
            (hashes, at[".hash"]),
            (texts, at[".dynstr"]),
            (10, self.places[".dynstr"].size),
            (symbols, at[".dynsym"]),
            (11, 24),
            (relocations, at[".rela.dyn"]),
            (8, self.places[".rela.dyn"].size),
            (9, 24),
            (0, 0),
        ]
        return b"".join(struct.pack("<QQ", *entry) for entry in entries)


def _word(value: int) -> bytes:
    return value.to_bytes(_WORD, "little")


def _notes(code: Code) -> bytes:
    if code.version == _OLD:
        return notes.old(code.target, code.profile)
    return notes.modern(metadata(code.kernels, code.target, (1, code.version - 3)))
