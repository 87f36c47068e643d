"""Operands, as LLVM writes them."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace
from enum import Enum


class Kind(Enum):
    """What an operand is."""

    VECTOR = "v"  # vector registers
    ACCUMULATOR = "a"  # accumulation registers of CDNA
    SCALAR = "s"  # scalar registers, by the number that instructions name them with
    INTEGER = "integer"
    FLOAT = "float"  # 0.5 and such: its bits depend on what it is used as
    OFF = "off"  # no register where there could be one
    NULL = "null"  # a scalar register that is 0, and where what is written is lost
    APERTURE = "aperture"  # one of the registers that say where LDS and scratch are seen
    TEXT = "text"  # what only its instruction understands


@dataclass(frozen=True)
class Operand:
    """An operand.

    Args:
        kind: what it is.
        number: of its first register, or its value.
        count: of its registers, each of 32 bits.
        text: as LLVM wrote it, without what follows here.
        negated: whether the sign is changed, after the absolute value is taken.
        absolute: whether the absolute value is taken.
        extended: whether a part of a register is extended by its sign.
        upper: whether it is the upper half of a register.

    """

    kind: Kind
    number: int = 0
    count: int = 1
    text: str = ""
    negated: bool = False
    absolute: bool = False
    extended: bool = False
    upper: bool = False

    @property
    def value(self) -> float:
        """Return the number that a FLOAT is written as."""
        return float(self.text)


_REGISTERS = re.compile(r"(v|s|a|ttmp)(?:(\d+)|\[(\d+):(\d+)\])")
_PART = re.compile(r"(v\d+)\.([lh])")
_INTEGER = re.compile(r"-?(?:0x[0-9a-f]+|\d+)")
_FLOAT = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")
_TTMP = 108
#: Registers with names: the number of the first, and how many of 32 bits. They are those of SSRC0
#: in MI200 ISA, "SOP1", but for flat_scratch, which has one of its own here.
_NAMED = {
    "flat_scratch": (128, 2),
    "xnack_mask": (104, 2),
    "vcc": (106, 2),
    "m0": (124, 1),
    "exec": (126, 2),
    "src_vccz": (251, 1),
    "src_execz": (252, 1),
    "src_scc": (253, 1),
}
_NOTHING = {"off": Kind.OFF, "null": Kind.NULL}
_HALVES = {"_lo": 0, "_hi": 1}
_APERTURES = ("src_shared_base", "src_shared_limit", "src_private_base", "src_private_limit")


def read_operand(text: str) -> Operand:
    """Return an operand that LLVM wrote."""
    for prefix, suffix, negated, absolute, extended in (
        ("-|", "|", True, True, False),
        ("|", "|", False, True, False),
        ("neg(", ")", True, False, False),
        ("abs(", ")", False, True, False),
        ("sext(", ")", False, False, True),
    ):
        if text.startswith(prefix) and text.endswith(suffix):
            inner = read_operand(text[len(prefix) : -len(suffix)])
            return replace(
                inner,
                negated=negated or inner.negated,
                absolute=absolute or inner.absolute,
                extended=extended,
            )
    if text.startswith("-") and not text[1:2].isdigit():
        return replace(read_operand(text[1:]), negated=True)
    part = _PART.fullmatch(text)
    if part:
        return replace(_plain(part[1]), text=text, upper=part[2] == "h")
    return _plain(text)


def _plain(text: str) -> Operand:
    registers = _REGISTERS.fullmatch(text)
    if registers:
        return _numbered(text, *registers.groups())
    if _INTEGER.fullmatch(text):
        return Operand(Kind.INTEGER, int(text, 0), text=text)
    if _FLOAT.fullmatch(text):
        return Operand(Kind.FLOAT, text=text)
    base, half = (text[:-3], text[-3:]) if text[-3:] in _HALVES else (text, "")
    if base in _NAMED:
        number, size = _NAMED[base]
        return Operand(Kind.SCALAR, number + _HALVES.get(half, 0), 1 if half else size, text)
    if text in _NOTHING:
        return Operand(_NOTHING[text], text=text)
    return Operand(Kind.APERTURE if text in _APERTURES else Kind.TEXT, text=text)


def _numbered(text: str, letter: str, single: str, first: str, last: str) -> Operand:
    number = int(single or first)
    count = 1 if single else int(last) - number + 1
    if letter == "ttmp":
        return Operand(Kind.SCALAR, number + _TTMP, count, text)
    return Operand(Kind(letter), number, count, text)


def bits_of(value: float, width: int) -> int:
    """Return the bits of a floating-point number of 16, 32 or 64 bits.

    What LLVM writes as 0.15915494 is 1 / (2 pi), rounded as that format rounds it (ISA manuals,
    "Scalar Operands": inline constants).
    """
    if value == 0.15915494 or value == 0.15915494309189532:  # noqa: PLR1714 - two formats
        value = 0.15915494309189532
    if width == 16 and value == 0.15915494309189532:
        return 0x3118
    if width == 32 and value == 0.15915494309189532:
        return 0x3E22F983
    return int.from_bytes(struct.pack({16: "<e", 32: "<f", 64: "<d"}[width], value), "little")
