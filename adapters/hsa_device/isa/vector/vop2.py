"""MI200 ISA, 12.7 VOP2: vector instructions with two sources."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hsa_device.isa import bits
from hsa_device.isa.vector import floats, rounding
from hsa_device.isa.vector.choosing import chosen
from hsa_device.isa.vector.lanes import vectors
from hsa_device.model.compilation import Section
from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import Values

Two = Callable[[Values, Values], Values]


def swapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what takes its first two sources in the other order."""
    return lambda a, b, *rest: function(b, a, *rest)


def _choose(a: Values, b: Values, mask: Values) -> Values:
    return np.where(mask, b, a)


def low_24(values: Values) -> Values:
    """Return the lowest 24 bits as 64, extended by their sign where the type has one."""
    if values.dtype.kind == "i":
        return (values << np.int32(8) >> np.int32(8)).astype(np.int64)
    return (values & np.uint32(0xFFFFFF)).astype(np.uint64)


def _product_24(a: Values, b: Values) -> Values:
    return low_24(a) * low_24(b)


def _high_24(a: Values, b: Values) -> Values:
    product = _product_24(a, b)
    return product >> product.dtype.type(32)


def _legacy_product(a: Values, b: Values) -> Values:
    return np.where((a == 0) | (b == 0), np.float32(0), a * b)


def added_up(a: Values, b: Values) -> Values:
    """Return a sum, or the nearest number that the type has."""
    wide = a.astype(np.int64) + b.astype(np.int64)
    limits = np.iinfo(a.dtype)
    return np.clip(wide, limits.min, limits.max).astype(a.dtype)


def taken_away(a: Values, b: Values) -> Values:
    """Return a difference, or the nearest number that the type has."""
    wide = a.astype(np.int64) - b.astype(np.int64)
    limits = np.iinfo(a.dtype)
    return np.clip(wide, limits.min, limits.max).astype(a.dtype)


_ARITHMETIC: Mapping[str, tuple[Two, rounding.Addends]] = {
    "add": (operator.add, rounding.added),
    "sub": (operator.sub, rounding.subtracted),
    "subrev": (swapped(operator.sub), swapped(rounding.subtracted)),
    "mul": (operator.mul, rounding.multiplied),
}

OPERATIONS: Mapping[str, Operation] = {
    "v_cndmask_b32": op("b32: b32 b32 mask", _choose),
    **{
        f"v_{name}_{t}": op(f"{t}: {t} {t}", function, exactly=exactly)
        for name, (function, exactly) in _ARITHMETIC.items()
        for t in ("f16", "f32")
    },
    "v_mul_legacy_f32": op("f32: f32 f32", _legacy_product, exactly=rounding.multiplied),
    **{f"v_mul_{t}32_{t}24": op(f"{t}32: {t}32 {t}32", _product_24) for t in "iu"},
    **{f"v_mul_hi_{t}32_{t}24": op(f"{t}32: {t}32 {t}32", _high_24) for t in "iu"},
    **{f"v_{name}_{t}": chosen(name, t) for name in ("min", "max") for t in ("f16", "f32")},
    **{
        f"v_{name}_{t}{n}": op(f"{t}{n}: {t}{n} {t}{n}", function)
        for name, function in (("min", np.minimum), ("max", np.maximum))
        for t in "iu"
        for n in (16, 32)
    },
    **{f"v_lshlrev_b{n}": op(f"b{n}: b{n} b{n}", swapped(bits.shift_left)) for n in (16, 32)},
    **{f"v_lshrrev_b{n}": op(f"b{n}: b{n} b{n}", swapped(bits.shift_right)) for n in (16, 32)},
    **{f"v_ashrrev_i{n}": op(f"i{n}: u{n} i{n}", swapped(bits.shift_right)) for n in (16, 32)},
    "v_and_b32": op("b32: b32 b32", operator.and_),
    "v_or_b32": op("b32: b32 b32", operator.or_),
    "v_xor_b32": op("b32: b32 b32", operator.xor),
    "v_xnor_b32": op("b32: b32 b32", lambda a, b: ~(a ^ b)),
    **{
        f"v_fmac_{t}": op(f"{t}: {t} {t} {t}", floats.fma, exactly=rounding.fused, accumulates=True)
        for t in ("f16", "f32", "f64")
    },
    **{
        f"v_{name}_{t}": op(f"{t}: {t} {t} {t}", floats.fma, exactly=rounding.fused)
        for name in ("fmaak", "fmamk")
        for t in ("f16", "f32")
    },
    "v_mac_f32": op("f32: f32 f32 f32", floats.multiply_add, rounds=True, accumulates=True),
    **{
        f"v_{name}_f32": op("f32: f32 f32 f32", floats.multiply_add, rounds=True)
        for name in ("madak", "madmk")
    },
    "v_add_co_u32": op("u32 mask: u32 u32", bits.add_carry),
    "v_sub_co_u32": op("u32 mask: u32 u32", bits.subtract_borrow),
    "v_subrev_co_u32": op("u32 mask: u32 u32", swapped(bits.subtract_borrow)),
    "v_addc_co_u32": op("u32 mask: u32 u32 mask", bits.add_carry),
    "v_subb_co_u32": op("u32 mask: u32 u32 mask", bits.subtract_borrow),
    "v_subbrev_co_u32": op("u32 mask: u32 u32 mask", swapped(bits.subtract_borrow)),
    **{f"v_add_u{n}": op(f"u{n}: u{n} u{n}", operator.add, saturated=added_up) for n in (16, 32)},
    **{f"v_sub_u{n}": op(f"u{n}: u{n} u{n}", operator.sub, saturated=taken_away) for n in (16, 32)},
    **{
        f"v_subrev_u{n}": op(
            f"u{n}: u{n} u{n}", swapped(operator.sub), saturated=swapped(taken_away)
        )
        for n in (16, 32)
    },
    "v_mul_lo_u16": op("u16: u16 u16", operator.mul),
    "v_ldexp_f16": op("f16: f16 i16", floats.scale, exactly=rounding.scaled),
}

SECTION = Section("VOP2", vectors(OPERATIONS), {})
