"""MI200 ISA, 12.12 VOP3A and VOP3B: vector instructions with up to three sources."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa import bits
from hsa_device.isa.scalar import operands as scalar
from hsa_device.isa.vector import cubes, division, floats, octets, rounding, turns
from hsa_device.isa.vector.choosing import chosen
from hsa_device.isa.vector.lanes import vectors
from hsa_device.isa.vector.operands import read_word
from hsa_device.isa.vector.vop2 import added_up, low_24, swapped, taken_away
from hsa_device.model.compilation import Run, Section, lacking
from hsa_device.model.operations import Operation, op
from hsa_device.model.types import TYPES
from hsa_device.model.waves import Values, Waves

Three = Callable[[Values, Values, Values], Values]


def _product_24_plus(a: Values, b: Values, c: Values) -> Values:
    product = low_24(a) * low_24(b)
    return product + c.astype(product.dtype)


def _field(value: Values, offset: Values, width: Values) -> Values:
    five = np.uint32(31)
    return bits.extract(value, offset & five, width & five)


def _joined(a: Values, b: Values) -> Values:
    return a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)


def _align_bits(a: Values, b: Values, count: Values) -> Values:
    return _joined(a, b) >> (count & np.uint32(31)).astype(np.uint64)


def _align_bytes(a: Values, b: Values, count: Values) -> Values:
    return _joined(a, b) >> (np.uint32(8) * (count & np.uint32(3))).astype(np.uint64)


def _middle(a: Values, b: Values, c: Values) -> Values:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def _three(function: Callable[[Values, Values], Values]) -> Three:
    return lambda a, b, c: function(function(a, b), c)


def _permuted(a: Values, b: Values, selector: Values) -> Values:
    """Take each byte of the result from one of eight, or from their signs, 0 or 255."""
    data = _joined(a, b)
    found: Values = np.zeros(1, np.uint32)
    for place in range(4):
        which = (selector >> np.uint32(8 * place) & np.uint32(0xFF)).astype(np.uint64)
        plain = data >> (np.uint64(8) * np.minimum(which, np.uint64(7))) & np.uint64(0xFF)
        sign_place = np.uint64(16) * np.clip(which, 8, 11).astype(np.uint64) - np.uint64(113)
        sign = (data >> sign_place & np.uint64(1)) * np.uint64(0xFF)
        fixed = np.where(which == 12, np.uint64(0), np.uint64(0xFF))
        byte = np.where(which < 8, plain, np.where(which < 12, sign, fixed))
        found = found | byte.astype(np.uint32) << np.uint32(8 * place)
    return found


def _wide_product(a: Values, b: Values, c: Values) -> tuple[Values, Values]:
    """Return a product of 64 bits plus a number, and the bit above, which is a sign if any is."""
    wide = c.dtype
    product = a.astype(wide) * b.astype(wide)
    if wide.kind == "i":
        total, overflowed = bits.add_overflow(product, c)
        return total, (total < 0) ^ overflowed
    return bits.add_carry(product, c)


def _ones_plus(a: Values, b: Values) -> Values:
    return bits.count_ones(a).astype(np.uint32) + b


def _ones_below(first: int) -> Three:
    """Return what counts the ones in a half of a mask that are of lanes below, and adds them."""

    def count(mask: Values, b: Values, lane: Values) -> Values:
        below = ((np.uint64(1) << lane) - np.uint64(1) >> np.uint64(first)).astype(np.uint32)
        return bits.count_ones(mask & below).astype(np.uint32) + b

    return count


def _bits(width: Values, offset: Values) -> Values:
    five = np.uint32(31)
    return ((np.uint32(1) << (width & five)) - np.uint32(1)) << (offset & five)


def _pair(low: Values, high: Values) -> Values:
    first, second = (v.view(np.uint16).astype(np.uint32) for v in (low, high))
    return first | second << np.uint32(16)


def _pair_toward_zero(a: Values, b: Values) -> Values:
    return _pair(floats.toward_zero(a), floats.toward_zero(b))


def _pair_clipped(kind: str) -> Callable[[Values, Values], Values]:
    limits = np.iinfo(kind)

    def paired(a: Values, b: Values) -> Values:
        low, high = (np.clip(v, limits.min, limits.max).astype(kind) for v in (a, b))
        return _pair(low, high)

    return paired


_INTEGER = ("i16", "u16", "i32", "u32")

OPERATIONS: Mapping[str, Operation] = {
    **{f"v_mad_{t}32_{t}24": op(f"{t}32: {t}32 {t}32 {t}32", _product_24_plus) for t in "iu"},
    "v_bfe_u32": op("u32: u32 u32 u32", _field),
    "v_bfe_i32": op("i32: i32 u32 u32", _field),
    "v_bfi_b32": op("b32: b32 b32 b32", lambda a, b, c: a & b | ~a & c),
    **{
        f"v_fma_f{n}": op(f"f{n}: f{n} f{n} f{n}", floats.fma, exactly=rounding.fused)
        for n in (32, 64)
    },
    "v_mad_f32": op("f32: f32 f32 f32", floats.multiply_add, rounds=True),
    "v_fma_f16": op(
        "f16: f16 f16 f16", floats.fma, exactly=rounding.fused, keeps_high=True, selects=True
    ),
    "v_alignbit_b32": op("b32: b32 b32 b32", _align_bits),
    "v_alignbyte_b32": op("b32: b32 b32 b32", _align_bytes),
    **{
        f"v_{name}3_{t}": op(f"{t}: {t} {t} {t}", function, keeps_high=True, selects=True)
        for name, function in (
            ("min", _three(np.minimum)),
            ("max", _three(np.maximum)),
            ("med", _middle),
        )
        for t in _INTEGER
    },
    **{
        f"v_{name}_{t}": chosen(name, t)
        for name in ("min3", "max3", "med3")
        for t in ("f16", "f32")
    },
    **octets.OPERATIONS,
    **cubes.OPERATIONS,
    **turns.OPERATIONS,
    **{
        f"v_div_fixup_f{n}": op(
            f"f{n}: f{n} f{n} f{n}",
            division.fixed,
            rounds=True,
            keeps_high=True,
            selects=True,
            without_ieee=division.fixed,
        )
        for n in (16, 32, 64)
    },
    **{f"v_div_scale_f{n}": op(f"f{n} mask: f{n} f{n} f{n}", division.scaled) for n in (32, 64)},
    **{f"v_div_fmas_f{n}": op(f"f{n}: f{n} f{n} f{n} vcc", division.fused) for n in (32, 64)},
    "v_mad_u64_u32": op("u64 mask: u32 u32 u64", _wide_product),
    "v_mad_i64_i32": op("i64 mask: i32 i32 i64", _wide_product),
    **{
        f"v_mad_{t}16": op(
            f"{t}16: {t}16 {t}16 {t}16",
            lambda a, b, c: a * b + c,
            keeps_high=True,
            selects=True,
        )
        for t in "iu"
    },
    **{
        f"v_mad_legacy_{t}16": op(f"{t}16: {t}16 {t}16 {t}16", lambda a, b, c: a * b + c)
        for t in "iu"
    },
    **{
        f"v_mad_{t}32_{t}16": op(
            f"{t}32: {t}16 {t}16 {t}32",
            lambda a, b, c: a.astype(c.dtype) * b.astype(c.dtype) + c,
            selects=True,
        )
        for t in "iu"
    },
    "v_perm_b32": op("b32: b32 b32 b32", _permuted),
    "v_xad_u32": op("u32: u32 u32 u32", lambda a, b, c: (a ^ b) + c),
    "v_lshl_add_u32": op("u32: u32 u32 u32", lambda a, b, c: bits.shift_left(a, b) + c),
    # MI300 ISA: of the count only three bits count.
    "v_lshl_add_u64": op(
        "u64: u64 u32 u64", lambda a, b, c: bits.shift_left(a, b & np.uint32(7)) + c
    ),
    "v_add_lshl_u32": op("u32: u32 u32 u32", lambda a, b, c: bits.shift_left(a + b, c)),
    "v_add3_u32": op("u32: u32 u32 u32", lambda a, b, c: a + b + c),
    "v_lshl_or_b32": op("b32: b32 b32 b32", lambda a, b, c: bits.shift_left(a, b) | c),
    "v_and_or_b32": op("b32: b32 b32 b32", lambda a, b, c: a & b | c),
    "v_or3_b32": op("b32: b32 b32 b32", lambda a, b, c: a | b | c),
    "v_add_f64": op("f64: f64 f64", operator.add, exactly=rounding.added),
    "v_mul_f64": op("f64: f64 f64", operator.mul, exactly=rounding.multiplied),
    **{f"v_{name}_f64": chosen(name, "f64") for name in ("min", "max")},
    "v_ldexp_f64": op("f64: f64 i32", floats.scale, exactly=rounding.scaled),
    "v_ldexp_f32": op("f32: f32 i32", floats.scale, exactly=rounding.scaled),
    "v_mul_lo_u32": op("u32: u32 u32", operator.mul),
    **{f"v_mul_hi_{t}32": op(f"{t}32: {t}32 {t}32", bits.multiply_high) for t in "iu"},
    "v_bcnt_u32_b32": op("u32: b32 u32", _ones_plus),
    "v_mbcnt_lo_u32_b32": op("u32: b32 u32 lane", _ones_below(0)),
    "v_mbcnt_hi_u32_b32": op("u32: b32 u32 lane", _ones_below(32)),
    "v_lshlrev_b64": op("b64: b32 b64", swapped(bits.shift_left)),
    "v_lshrrev_b64": op("b64: b32 b64", swapped(bits.shift_right)),
    "v_ashrrev_i64": op("i64: b32 i64", swapped(bits.shift_right)),
    "v_bfm_b32": op("b32: b32 b32", _bits),
    "v_cvt_pkrtz_f16_f32": op("b32: f32 f32", _pair_toward_zero),
    "v_cvt_pk_u16_u32": op("b32: u32 u32", _pair_clipped("u2")),
    "v_cvt_pk_i16_i32": op("b32: i32 i32", _pair_clipped("i2")),
    **{
        f"v_add_i{n}": op(f"i{n}: i{n} i{n}", operator.add, saturated=added_up, selects=True)
        for n in (16, 32)
    },
    **{
        f"v_sub_i{n}": op(f"i{n}: i{n} i{n}", operator.sub, saturated=taken_away, selects=True)
        for n in (16, 32)
    },
    "v_pack_b32_f16": op("b32: f16 f16", _pair, selects=True),
}


def _read_lane(instruction: Instruction) -> Run:
    """EXEC does not matter to instructions that name a lane."""
    result, source, lane = instruction.operands
    put = scalar.write(instruction, result, TYPES["u32"])
    read, place = read_word(instruction, source), scalar.read(instruction, lane, TYPES["u32"])

    def run(waves: Waves) -> None:
        words = read(waves)
        put(waves, words[np.arange(len(words)), place(waves) & np.uint32(waves.width - 1)])

    return run


def _write_lane(instruction: Instruction) -> Run:
    result, source, lane = instruction.operands
    if result.kind is not Kind.VECTOR:
        raise lacking(instruction, "a result that is no vector register")
    number = result.number
    value = scalar.read(instruction, source, TYPES["u32"])
    place = scalar.read(instruction, lane, TYPES["u32"])

    def run(waves: Waves) -> None:
        lanes = place(waves) & np.uint32(waves.width - 1)
        waves.vector[number, waves.numbers, lanes] = value(waves)

    return run


_OTHERS = {"v_readlane_b32": _read_lane, "v_writelane_b32": _write_lane}

SECTION = Section("VOP3", {**vectors(OPERATIONS), **_OTHERS}, {})
