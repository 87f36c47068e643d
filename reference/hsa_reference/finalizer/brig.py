"""Modules of HSAIL in memory (BRIG 1.0): their header, and the symbols that programs share.

Memory that is none, and offsets that lead out of a module, are errors and never read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hsa_reference import memory

_MAGIC = b"HSA BRIG"
_MAJOR = 1
_DATA, _CODE, _OPERAND = b"hsa_data", b"hsa_code", b"hsa_operand"
_PROGRAM_LINKAGE = 1
_DEFINITION = 1
_FBARRIER, _FUNCTION, _INDIRECT, _KERNEL = 0x1005, 0x1006, 0x1007, 0x1008
_MODULE, _SIGNATURE, _VARIABLE = 0x100B, 0x100D, 0x100E

# Offset and structure of what is read: see BrigModuleHeader and so on in Brig.h.
_HEADER = struct.Struct("<8sIIQ64xIIQ")
_SECTION = struct.Struct("<QII")
_ENTRY = struct.Struct("<HH")
_MODULE_ENTRY = struct.Struct("<4xIIIBBBx")
_EXECUTABLE_ENTRY = struct.Struct("<4xIHHIIIBB2x")
_VARIABLE_ENTRY = struct.Struct("<4xIIHBBIIBBBx")
_FBARRIER_ENTRY = struct.Struct("<4xIBB2x")
_LENGTH = struct.Struct("<I")


class BrigError(ValueError):
    """Memory holds no module, or one that breaks a rule of BRIG."""


@dataclass(frozen=True)
class Symbol:
    """What a module says of a name that it shares with the other modules of a program.

    Attributes:
        kind: of the directive: a variable, a kernel and so on.
        shape: what declarations and definitions of it have to agree in.
        elements: of an array, 0 where a declaration leaves that open.
        defined: whether the module has it, and does not only declare it.

    """

    kind: int
    shape: tuple[int, ...]
    elements: int = 0
    defined: bool = False

    def matches(self, other: Symbol) -> bool:
        """Return whether both can be the same symbol of one program."""
        sizes = {self.elements, other.elements} - {0}
        return (
            (self.kind, self.shape) == (other.kind, other.shape)
            and len(sizes) < 2
            and not (self.defined and other.defined)
        )


@dataclass(frozen=True)
class Module:
    """A module.

    Attributes:
        profile: a BrigProfile, which has the values of hsa_profile_t.
        machine_model: a BrigMachineModel, which has those of hsa_machine_model_t.
        rounding: a BrigRound.
        symbols: those with program linkage, by name.

    """

    profile: int
    machine_model: int
    rounding: int
    symbols: Mapping[bytes, Symbol]


def read_module(address: int) -> Module:
    """Read the module at an address.

    Raises:
        BrigError: there is none.

    """
    magic, major, _, size, _, count, index = _unpack(_HEADER, _bytes(address, _HEADER.size), 0)
    if (magic, major) != (_MAGIC, _MAJOR) or size < _HEADER.size:
        raise BrigError("not the header of a module")
    content = _bytes(address, size)
    sections = [
        _section(content, _unpack(struct.Struct("<Q"), content, index + 8 * number)[0])
        for number in range(min(count, 3))
    ]
    if [name for name, *_ in sections] != [_DATA, _CODE, _OPERAND]:
        raise BrigError("the first sections are not those for data, code and operands")
    (_, _, data), (_, start, code), _ = sections
    return _module(data, start, code)


def _section(content: bytes, offset: int) -> tuple[bytes, int, bytes]:
    """Return the name of a section, where its entries begin, and all its bytes."""
    size, header, length = _unpack(_SECTION, content, offset)
    if not _SECTION.size + length <= header <= size <= len(content) - offset:
        raise BrigError("a section that is larger than its module")
    section = content[offset : offset + size]
    return section[_SECTION.size : _SECTION.size + length], header, section


def _module(data: bytes, start: int, code: bytes) -> Module:
    entries = _entries(code, start)
    kind, first = next(entries, (0, b""))
    if kind != _MODULE:
        raise BrigError("the code does not begin with a module directive")
    _, major, _, profile, machine_model, rounding = _unpack(_MODULE_ENTRY, first, 0)
    if major != _MAJOR:
        raise BrigError("another version of HSAIL")
    symbols: dict[bytes, Symbol] = {}
    for kind, entry in entries:
        for name, symbol in _shared(kind, entry):
            text = _text(data, name)
            known = symbols.get(text)
            if known and not known.matches(symbol):
                raise BrigError("two symbols of one name")
            symbols[text] = known if known and known.defined else symbol
    return Module(profile, machine_model, rounding, symbols)


def _entries(code: bytes, offset: int) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the bytes of the entries that are not inside of a function."""
    while offset < len(code):
        size, kind = _unpack(_ENTRY, code, offset)
        if size < _ENTRY.size or size > len(code) - offset:
            raise BrigError("an entry that is larger than its section")
        entry = code[offset : offset + size]
        yield kind, entry
        following = offset + size
        if kind in (_FUNCTION, _INDIRECT, _KERNEL, _SIGNATURE):
            following = _unpack(_EXECUTABLE_ENTRY, entry, 0)[5]
        if following < offset + size:
            raise BrigError("an entry that is followed by an earlier one")
        offset = following


def _shared(kind: int, entry: bytes) -> Iterator[tuple[int, Symbol]]:
    """Yield the symbol of an entry, with the offset of its name, if it has program linkage."""
    match kind:
        case _ if kind in (_FUNCTION, _INDIRECT, _KERNEL):
            name, *arguments, _, _, _, modifier, linkage = _unpack(_EXECUTABLE_ENTRY, entry, 0)
            symbol = Symbol(kind, tuple(arguments), defined=bool(modifier & _DEFINITION))
        case _ if kind == _VARIABLE:
            name, _, type_, segment, _, low, high, modifier, linkage, allocation = _unpack(
                _VARIABLE_ENTRY, entry, 0
            )
            symbol = Symbol(
                kind,
                (type_, segment, allocation),
                low | high << 32,
                defined=bool(modifier & _DEFINITION),
            )
        case _ if kind == _FBARRIER:
            name, modifier, linkage = _unpack(_FBARRIER_ENTRY, entry, 0)
            symbol = Symbol(kind, (), defined=bool(modifier & _DEFINITION))
        case _:
            return
    if linkage == _PROGRAM_LINKAGE:
        yield name, symbol


def _text(data: bytes, offset: int) -> bytes:
    (size,) = _unpack(_LENGTH, data, offset)
    start = offset + _LENGTH.size
    if size > len(data) - start:
        raise BrigError("a name that is larger than its section")
    return data[start : start + size]


def _unpack(structure: struct.Struct, content: bytes, offset: int) -> tuple[Any, ...]:
    if offset + structure.size > len(content):
        raise BrigError("an offset that leads out of the module")
    return structure.unpack_from(content, offset)


def _bytes(address: int, size: int) -> bytes:
    found = memory.peek(address, size)
    if found is None:
        raise BrigError("memory that cannot be read")
    return found
