"""MI200 ISA, 12.10 VOP3P: the same operation on two halves, and accumulation registers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand, bits_of
from hsa_device.isa import bits
from hsa_device.isa.vector import floats, rounding
from hsa_device.isa.vector.choosing import chosen
from hsa_device.isa.vector.lanes import vectors
from hsa_device.isa.vector.mixed_precision import MIXED
from hsa_device.isa.vector.modes import clamped, with_modes
from hsa_device.isa.vector.operands import Read, read_pair, read_word
from hsa_device.isa.vector.vop2 import added_up, swapped, taken_away
from hsa_device.model.compilation import Compile, Run, Section, lacking, require_known
from hsa_device.model.operations import Operation, op
from hsa_device.model.types import Type
from hsa_device.model.waves import Values, Waves

_MODIFIERS = ("op_sel", "op_sel_hi", "neg_lo", "neg_hi", "clamp")

#: What is done to each half.
HALVES: Mapping[str, Operation] = {
    **{
        f"v_pk_add_{t}16": op(f"{t}16: {t}16 {t}16", operator.add, saturated=added_up) for t in "iu"
    },
    **{
        f"v_pk_sub_{t}16": op(f"{t}16: {t}16 {t}16", operator.sub, saturated=taken_away)
        for t in "iu"
    },
    "v_pk_mul_lo_u16": op("u16: u16 u16", operator.mul),
    **{f"v_pk_mad_{t}16": op(f"{t}16: {t}16 {t}16 {t}16", lambda a, b, c: a * b + c) for t in "iu"},
    **{f"v_pk_min_{t}16": op(f"{t}16: {t}16 {t}16", np.minimum) for t in "iu"},
    **{f"v_pk_max_{t}16": op(f"{t}16: {t}16 {t}16", np.maximum) for t in "iu"},
    "v_pk_lshlrev_b16": op("b16: b16 b16", swapped(bits.shift_left)),
    "v_pk_lshrrev_b16": op("b16: b16 b16", swapped(bits.shift_right)),
    "v_pk_ashrrev_i16": op("i16: u16 i16", swapped(bits.shift_right)),
    **{
        f"v_pk_{name}_{t}": op(f"{t}: {t} {t}", function, exactly=exactly)
        for name, function, exactly in (
            ("add", operator.add, rounding.added),
            ("mul", operator.mul, rounding.multiplied),
        )
        for t in ("f16", "f32")
    },
    **{f"v_pk_{name}_f16": chosen(name, "f16") for name in ("min", "max")},
    **{
        f"v_pk_fma_{t}": op(f"{t}: {t} {t} {t}", floats.fma, exactly=rounding.fused)
        for t in ("f16", "f32")
    },
}


def _move(value: Values) -> Values:
    return value


ACCUMULATION: Mapping[str, Operation] = {
    "v_accvgpr_read_b32": op("b32: b32", _move),
    "v_accvgpr_write_b32": op("b32: b32", _move),
}


def halves(operation: Operation) -> Compile:
    """Return what makes an instruction ready that does this to each half."""

    def make(instruction: Instruction) -> Run:
        require_known(instruction, *_MODIFIERS)
        count = len(operation.sources)
        function = operation.function
        clamps = instruction.has("clamp")
        if clamps and not operation.results[0].floating:
            if operation.saturated is None:
                raise lacking(instruction, "the modifier clamp")
            function = operation.saturated
        computed = with_modes(instruction, operation, function)
        parts = []
        for choice, signs, otherwise in (("op_sel", "neg_lo", 0), ("op_sel_hi", "neg_hi", 1)):
            chosen = instruction.numbers(choice, [otherwise] * count)
            negated = instruction.numbers(signs, [0] * count)
            parts.append(
                [
                    _half(instruction, operand, type_of, upper=bool(which), negated=bool(sign))
                    for operand, type_of, which, sign in zip(
                        instruction.operands[1:], operation.sources, chosen, negated, strict=True
                    )
                ]
            )
        put = _put(instruction.operands[0], operation.results[0])
        floating = operation.results[0].floating and clamps

        def run(waves: Waves) -> None:
            found = []
            for reads in parts:
                values = [each(waves) for each in reads]
                result = computed(waves, values) if operation.rounds else function(*values)
                found.append(clamped(waves, result) if floating else result)
            put(waves, found)

        return run

    return make


def _half(
    instruction: Instruction, operand: Operand, type_of: Type, *, upper: bool, negated: bool
) -> Read:
    """Return what reads a half of an operand: of one register, or one of two."""
    unsigned = np.dtype(f"u{type_of.width // 8}")
    sign = unsigned.type(1 << type_of.width - 1) if negated else unsigned.type(0)
    if negated and not type_of.floating:
        raise lacking(instruction, "signs of integers")
    if type_of.width == 32 and operand.kind is Kind.FLOAT:
        number = bits_of(operand.value, 32)
        constant = np.full((1, 1), number, np.uint32) ^ sign
        return lambda _: constant.view(type_of.dtype)
    if type_of.width == 32:
        pair = read_pair(instruction, operand)
        shift = np.uint64(32 if upper else 0)
        return lambda w: ((pair(w) >> shift).astype(unsigned) ^ sign).view(type_of.dtype)
    if operand.kind is Kind.FLOAT:
        # The constant is in the lower half, and 0 in the upper one.
        low = bits_of(operand.value, 16) if type_of.floating else bits_of(operand.value, 32)
        number = low >> 16 if upper else low & 0xFFFF
        fixed = np.full((1, 1), number, np.uint16) ^ sign
        return lambda _: fixed.view(type_of.dtype)
    word = read_word(instruction, operand)
    shift_word = np.uint32(16 if upper else 0)
    return lambda w: ((word(w) >> shift_word).astype(unsigned) ^ sign).view(type_of.dtype)


def _put(operand: Operand, type_of: Type) -> Callable[[Waves, Sequence[Values]], None]:
    number = operand.number
    if type_of.width == 32:

        def put_two(waves: Waves, values: Sequence[Values]) -> None:
            for place, value in enumerate(values):
                waves.put(number + place, value.astype(type_of.dtype).view(np.uint32))

        return put_two

    def put(waves: Waves, values: Sequence[Values]) -> None:
        low, high = (
            v.astype(type_of.dtype, copy=False).view(np.uint16).astype(np.uint32) for v in values
        )
        waves.put(number, low | high << np.uint32(16))

    return put


def _packed_move(instruction: Instruction) -> Run:
    """V_PK_MOV_B32: each register of the result is one of two."""
    require_known(instruction, "op_sel", "op_sel_hi")
    result, first, second = instruction.operands
    low, high = instruction.numbers("op_sel", (0, 0))[0], instruction.numbers("op_sel", (0, 0))[1]
    one, other = read_pair(instruction, first), read_pair(instruction, second)
    shifts = np.uint64(32 * low), np.uint64(32 * high)

    def run(waves: Waves) -> None:
        values = [(one(waves) >> shifts[0]), (other(waves) >> shifts[1])]
        for place, value in enumerate(values):
            waves.put(result.number + place, value.astype(np.uint32))

    return run


_PACKED = {name: halves(operation) for name, operation in HALVES.items()}

SECTION = Section(
    "VOP3P", {**_PACKED, **vectors(ACCUMULATION), **MIXED, "v_pk_mov_b32": _packed_move}, {}
)
