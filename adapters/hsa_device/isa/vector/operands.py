"""Operands of vector instructions: a value for each of the chosen waves and each lane."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.isa.scalar import operands as scalar
from hsa_device.isa.vector.parts import ReadWords
from hsa_device.model.compilation import lacking
from hsa_device.model.constants import constant
from hsa_device.model.types import TYPES, Type
from hsa_device.model.waves import SCALARS, VCC, Values, Waves, Words, spread

Read = Callable[[Waves], Values]
Write = Callable[[Waves, Values], None]

_WORD, _PAIR = TYPES["u32"], TYPES["u64"]
_HIGH = np.uint32(0xFFFF0000)


def read(
    instruction: Instruction,
    operand: Operand,
    type_of: Type,
    change: Callable[[ReadWords], ReadWords] | None = None,
) -> Read:
    """Return what reads an operand.

    Args:
        instruction: that has it.
        operand: the operand.
        type_of: what it is used as.
        change: what is done to the registers before; it takes what reads them.

    Raises:
        NotExecutedError: the device lacks such operands.

    """
    if type_of.name == "lane":
        return lambda w: np.arange(w.width, dtype=np.uint64)
    if type_of.name == "vcc":
        return lambda w: spread(w.mask(VCC))
    if type_of.name == "mask":
        return _mask(instruction, operand)
    if operand.kind in (Kind.INTEGER, Kind.FLOAT, Kind.NULL) and change is None:
        value = constant(operand, type_of)
        return _signed(instruction, operand, type_of, lambda _: value)
    return _signed(instruction, operand, type_of, _plain(instruction, operand, type_of, change))


def _mask(instruction: Instruction, operand: Operand) -> Read:
    number = operand.number
    if operand.kind is Kind.SCALAR and number < SCALARS:
        return lambda w: spread(w.mask(number))
    mask = scalar.read(instruction, operand, _PAIR)
    return lambda w: spread(mask(w))[:, : w.width]


def _plain(
    instruction: Instruction,
    operand: Operand,
    type_of: Type,
    change: Callable[[ReadWords], ReadWords] | None,
) -> Read:
    dtype = type_of.dtype
    if type_of.width == 64:
        if change is not None:
            raise lacking(instruction, "parts of 64 bits")
        pair = read_pair(instruction, operand)
        return lambda w: pair(w).view(dtype)
    word = read_word(instruction, operand)
    if change is not None:
        word = change(word)
    if type_of.width == 32:
        return lambda w: word(w).view(dtype)
    narrow = np.dtype(f"u{type_of.width // 8}")
    return lambda w: word(w).astype(narrow).view(dtype)


def _signed(instruction: Instruction, operand: Operand, type_of: Type, plain: Read) -> Read:
    """Return what reads an operand with its modifiers of sign."""
    if not (operand.negated or operand.absolute):
        return plain
    if not type_of.floating and type_of.name[0] != "b":
        raise lacking(instruction, "signs of integers")
    unsigned = np.dtype(f"u{type_of.width // 8}")
    sign = unsigned.type(1 << type_of.width - 1)
    cleared = ~sign if operand.absolute else ~unsigned.type(0)
    flipped = sign if operand.negated else unsigned.type(0)
    return lambda w: (plain(w).view(unsigned) & cleared ^ flipped).view(type_of.dtype)


def read_word(instruction: Instruction, operand: Operand) -> ReadWords:
    """Return what reads a register, or a number, of 32 bits."""
    number = operand.number
    if operand.kind is Kind.VECTOR:
        return lambda w: w.row(number)
    if operand.kind is Kind.ACCUMULATOR:
        return lambda w: w.row(w.accumulators + number)
    if operand.kind is Kind.SCALAR and number < SCALARS:
        return lambda w: w.word(number)[:, None]
    word = scalar.read(instruction, operand, _WORD)
    return lambda w: word(w)[:, None]


def read_pair(instruction: Instruction, operand: Operand) -> Read:
    """Return what reads two registers, or a number, as 64 bits."""
    number = operand.number
    if operand.kind is Kind.VECTOR:
        return lambda w: w.pair(number)
    if operand.kind is Kind.ACCUMULATOR:
        return lambda w: w.pair(w.accumulators + number)
    pair = scalar.read(instruction, operand, _PAIR)
    return lambda w: pair(w)[:, None]


def write(instruction: Instruction, operand: Operand | None, type_of: Type) -> Write:
    """Return what writes a result; a result of 16 bits leaves 0 above it.

    Args:
        instruction: that has it.
        operand: the operand, None where the result is in VCC and not written.
        type_of: what it is used as.

    Raises:
        NotExecutedError: the device lacks such results.

    """
    dtype = type_of.dtype
    if type_of.name in ("mask", "vcc"):
        if operand is not None and operand.kind is Kind.NULL:
            return lambda _w, _v: None
        number = VCC if operand is None else operand.number
        if operand is not None and operand.kind is not Kind.SCALAR:
            raise lacking(instruction, f"the result {operand.text!r} here")
        return lambda w, v: w.put_mask(number, v & w.active)
    if operand is None or operand.kind not in (Kind.VECTOR, Kind.ACCUMULATOR):
        raise lacking(instruction, "such a result")
    number = operand.number
    accumulated = operand.kind is Kind.ACCUMULATOR
    if type_of.width == 64:

        def put_pair(w: Waves, v: Values) -> None:
            first = number + (w.accumulators if accumulated else 0)
            w.put_pair(first, v.astype(dtype, copy=False).view(np.uint64))

        return put_pair
    if accumulated:
        return lambda w, v: w.put(w.accumulators + number, words_of(v, type_of))
    return lambda w, v: w.put(number, words_of(v, type_of))


def words_of(values: Values, type_of: Type) -> Words:
    """Return values of at most 32 bits as words, 0 above them."""
    unsigned = np.dtype(f"u{type_of.width // 8}")
    return values.astype(type_of.dtype, copy=False).view(unsigned).astype(np.uint32, copy=False)


def keep_high(before: Words, values: Words, *, upper: bool) -> Words:
    """Return words of which one half is new.

    Args:
        before: the words before.
        values: the new half, as the lowest bits.
        upper: whether it is the upper half.

    """
    if upper:
        return before & ~_HIGH | values << np.uint32(16)
    return before & _HIGH | values
