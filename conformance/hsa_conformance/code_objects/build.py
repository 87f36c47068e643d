"""Puts a code object together: kernels, variables, and names that others define."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, Literal

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

# "ELF Code Object" in LLVM's "User Guide for AMDGPU Backend": machine, ABI, and a relocation.
MACHINE: Final = 224
_ABI: Final = 64
_ABSOLUTE: Final = 3  # R_AMDGPU_ABS64, the address of a symbol
_WORD: Final = 8
_OLD: Final = 2
# Symbols of <elf.h>: types, a binding, and a visibility.
_NOTHING, _OBJECT, _FUNCTION = 0, 1, 2
_GLOBAL: Final = 1
_PROTECTED: Final = 3


@dataclass(frozen=True)
class Variable:
    """A variable.

    Attributes:
        name: its name.
        value: what it holds, as a number; of no account with `points_to`, 0 at the end.
        constant: whether it lies in memory that is only read.
        points_to: a name whose address it holds once the code is loaded, defined by others.
        size: in bytes.
        align: of its address, in bytes: a power of two.
        place: at the start of all that is loaded, which is address 0 then, where it is constant; or
            at the end, in memory for which the file has no bytes; or among the others.

    """

    name: str
    value: int = 0
    constant: bool = False
    points_to: str = ""
    size: int = _WORD
    align: int = _WORD
    place: Literal["start", "end", ""] = ""

    @property
    def section(self) -> str:
        """The section that it lies in."""
        among = ".rodata" if self.constant else ".data"
        return {"start": ".start", "end": ".bss", "": among}[self.place]

    @property
    def content(self) -> bytes:
        """What it holds in the file."""
        return (0 if self.points_to else self.value).to_bytes(self.size, "little")


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


def addresses(code: Code) -> Mapping[str, int]:
    """Return where the code wants the symbols that it defines."""
    layout = _Layout(code)
    return {s.name: layout.address(s) for s in layout.symbols if s.section}


class _Layout:
    def __init__(self, code: Code) -> None:
        self.code = code
        self.pointers = [v for v in code.variables if v.points_to]
        self.symbols = self._symbols()
        names = [s.name for s in self.symbols]
        strtab, self.names = elf.strings(names)
        symtab = 24 * (len(self.symbols) + 1)
        read, run, change = elf.ALLOC, elf.ALLOC | elf.EXECUTE, elf.ALLOC | elf.WRITE
        text = b"".join(instructions(k, code.target) for k in code.kernels)
        relocations = 24 * len(self.pointers)
        self.sections = [
            *self._variables(".start", read),
            *([Section(".filling", elf.PROGBITS, read, bytes(code.filling))] * bool(code.filling)),
            Section(".note", elf.NOTE, read, _notes(code), align=4),
            Section(".dynsym", elf.DYNSYM, read, self._symtab, symtab, 8, ".dynstr", 1, 24),
            Section(".hash", elf.HASH, read, self._hash(), link=".dynsym", align=4, entry=4),
            Section(".dynstr", elf.STRTAB, read, strtab, align=1),
            Section(".rela.dyn", elf.RELA, read, self._rela, relocations, 8, ".dynsym", 0, 24),
            *self._variables(".rodata", read, 64),
            Section(".text", elf.PROGBITS, run, text, align=256),
            *self._variables(".data", change),
            Section(
                ".dynamic", elf.DYNAMIC, change, self._dynamic, 16 * 9, link=".dynstr", entry=16
            ),
            *self._variables(".bss", change),
            Section(".symtab", elf.SYMTAB, 0, self._symtab, symtab, 8, ".strtab", 1, 24),
            Section(".strtab", elf.STRTAB, 0, strtab, align=1),
        ]
        self.places = {s.name: s for s in self.sections}
        elf.place(self.sections, with_headers=".start" not in self.places)

    def file(self) -> bytes:
        abi = (_ABI, self.code.version - 2)
        flags = self.code.target.flags if self.code.version > _OLD else 0
        return elf.write(self.sections, machine=MACHINE, abi=abi, flags=flags)

    def _symbols(self) -> list[_Symbol]:
        kernels = self.code.kernels
        return [
            *(_Symbol(k.name, _FUNCTION, ".text", TEXT * i, TEXT) for i, k in enumerate(kernels)),
            *(
                _Symbol(f"{k.name}.kd", _OBJECT, ".rodata", DESCRIPTOR * i, DESCRIPTOR)
                for i, k in enumerate(kernels)
            ),
            *(self._symbol(v) for v in self.code.variables),
            *(_Symbol(name, _NOTHING) for name in self.code.undefined),
        ]

    def _symbol(self, variable: Variable) -> _Symbol:
        """Return the symbol of a variable, which lies behind those of its section before it."""
        offset = DESCRIPTOR * len(self.code.kernels) if variable.section == ".rodata" else 0
        for each in self._of(variable.section):
            offset = -(-offset // each.align) * each.align
            if each is variable:
                break
            offset += each.size
        return _Symbol(variable.name, _OBJECT, variable.section, offset, variable.size)

    def _of(self, section: str) -> Sequence[Variable]:
        return [v for v in self.code.variables if v.section == section]

    def _variables(self, name: str, flags: int, align: int = _WORD) -> Sequence[Section]:
        """Return the section of this name, if there is something to lie in it."""
        symbols = [s for s in self.symbols if s.section == name]
        if not symbols and name in (".start", ".bss"):
            return []
        size = max((s.offset + s.size for s in symbols), default=0)
        kind = elf.NOBITS if name == ".bss" else elf.PROGBITS
        data = bytes(size) if name == ".bss" else partial(self._contents, name, size)
        align = max(align, *(v.align for v in self._of(name)), 1)
        return [Section(name, kind, flags, data, size, align)]

    def _contents(self, name: str, size: int) -> bytes:
        """Return what the kernels' descriptors and the variables of a section hold."""
        content = bytearray(size)
        if name == ".rodata":
            descriptors = b"".join(self._descriptors())
            content[: len(descriptors)] = descriptors
        for variable in self._of(name):
            start = self._symbol(variable).offset
            content[start : start + variable.size] = variable.content
        return bytes(content)

    def address(self, symbol: _Symbol) -> int:
        return self.places[symbol.section].address + symbol.offset

    def _symtab(self) -> bytes:
        numbers = {s.name: i for i, s in enumerate(self.sections, 1)}
        entries = [
            struct.pack(
                "<IBBHQQ",
                self.names[s.name],
                _GLOBAL << 4 | s.type,
                _PROTECTED if s.section else 0,
                numbers.get(s.section, 0),
                self.address(s) if s.section else 0,
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
        return b"".join(
            struct.pack(
                "<QQq", self.address(self._symbol(v)), number[v.points_to] << 32 | _ABSOLUTE, 0
            )
            for v in self.pointers
        )

    def _descriptors(self) -> Iterator[bytes]:
        own, text = self.places[".rodata"].address, self.places[".text"].address
        for i, kernel in enumerate(self.code.kernels):
            entry = text + TEXT * i - own - DESCRIPTOR * i
            yield descriptor(kernel, self.code.target, entry)

    def _dynamic(self) -> bytes:
        # DT_HASH, DT_STRTAB, DT_SYMTAB and DT_RELA of <elf.h>; the other tags are of their sizes.
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


def _notes(code: Code) -> bytes:
    if code.version == _OLD:
        return notes.old(code.target, code.profile)
    return notes.modern(metadata(code.kernels, code.target, (1, code.version - 3)))
