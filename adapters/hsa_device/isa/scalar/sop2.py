"""MI200 ISA, 12.1 SOP2: scalar instructions with two sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.isa import bits
from hsa_device.isa.scalar.operands import scalars
from hsa_device.model.compilation import Section
from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import Values

Two = Callable[[Values, Values], Values]
Pair = tuple[Values, Values]


def nonzero(function: Callable[..., Values]) -> Callable[..., Pair]:
    """Return what computes the same, and sets SCC where that is not 0."""

    def both(*sources: Values) -> Pair:
        found = function(*sources)
        return found, found != 0

    return both


LOGIC: Mapping[str, Two] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andn2": lambda a, b: a & ~b,
    "orn2": lambda a, b: a | ~b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
}


def _smaller(a: Values, b: Values) -> Pair:
    return np.minimum(a, b), a < b


def _larger(a: Values, b: Values) -> Pair:
    return np.maximum(a, b), a > b


def _choose(a: Values, b: Values, scc: Values) -> Values:
    return np.where(scc, a, b)


def _field(value: Values, where: Values) -> Pair:
    """Offset and width are fields of the second source."""
    offset = where & np.uint32(value.dtype.itemsize * 8 - 1)
    found = bits.extract(value, offset, where >> np.uint32(16) & np.uint32(0x7F))
    return found, found != 0


def _mask(width: Values, offset: Values) -> Values:
    kind = width.dtype.type
    most = kind(width.dtype.itemsize * 8 - 1)
    return ((kind(1) << (width & most)) - kind(1)) << (offset & most)


def _wide_mask(width: Values, offset: Values) -> Values:
    return _mask(
        (width & np.uint32(63)).astype(np.uint64), (offset & np.uint32(63)).astype(np.uint64)
    )


def _distance(a: Values, b: Values) -> Pair:
    """Return a distance; one that does not fit wraps around."""
    left = a - b
    found = np.where(left < 0, -left, left)
    return found, found != 0


def _shift_add(count: int) -> Callable[[Values, Values], Pair]:
    def shifted(a: Values, b: Values) -> Pair:
        wide = (a.astype(np.uint64) << np.uint64(count)) + b
        return wide.astype(np.uint32), wide >> np.uint64(32) != 0

    return shifted


def pack(first: int, second: int) -> Two:
    """Return what packs 16 bits of each source, from these on."""

    def packed(a: Values, b: Values) -> Values:
        low = a >> np.uint32(first) & np.uint32(0xFFFF)
        return low | (b >> np.uint32(second)) << np.uint32(16)

    return packed


OPERATIONS: Mapping[str, Operation] = {
    "s_add_u32": op("u32 scc: u32 u32", bits.add_carry),
    "s_sub_u32": op("u32 scc: u32 u32", bits.subtract_borrow),
    "s_add_i32": op("i32 scc: i32 i32", bits.add_overflow),
    "s_sub_i32": op("i32 scc: i32 i32", bits.subtract_overflow),
    "s_addc_u32": op("u32 scc: u32 u32 scc", bits.add_carry),
    "s_subb_u32": op("u32 scc: u32 u32 scc", bits.subtract_borrow),
    **{f"s_min_{t}32": op(f"{t}32 scc: {t}32 {t}32", _smaller) for t in "iu"},
    **{f"s_max_{t}32": op(f"{t}32 scc: {t}32 {t}32", _larger) for t in "iu"},
    **{f"s_cselect_b{n}": op(f"b{n}: b{n} b{n} scc", _choose) for n in (32, 64)},
    **{
        f"s_{name}_b{n}": op(f"b{n} scc: b{n} b{n}", nonzero(function))
        for name, function in LOGIC.items()
        for n in (32, 64)
    },
    **{f"s_lshl_b{n}": op(f"b{n} scc: b{n} b32", nonzero(bits.shift_left)) for n in (32, 64)},
    **{f"s_lshr_b{n}": op(f"b{n} scc: b{n} b32", nonzero(bits.shift_right)) for n in (32, 64)},
    **{f"s_ashr_i{n}": op(f"i{n} scc: i{n} b32", nonzero(bits.shift_right)) for n in (32, 64)},
    "s_bfm_b32": op("b32: b32 b32", _mask),
    "s_bfm_b64": op("b64: b32 b32", _wide_mask),
    "s_mul_i32": op("i32: i32 i32", np.multiply),
    **{f"s_mul_hi_{t}32": op(f"{t}32: {t}32 {t}32", bits.multiply_high) for t in "iu"},
    **{f"s_bfe_{t}{n}": op(f"{t}{n} scc: {t}{n} b32", _field) for t in "iu" for n in (32, 64)},
    "s_absdiff_i32": op("i32 scc: i32 i32", _distance),
    **{f"s_lshl{n}_add_u32": op("u32 scc: u32 u32", _shift_add(n)) for n in (1, 2, 3, 4)},
    "s_pack_ll_b32_b16": op("b32: b32 b32", pack(0, 0)),
    "s_pack_lh_b32_b16": op("b32: b32 b32", pack(0, 16)),
    "s_pack_hh_b32_b16": op("b32: b32 b32", pack(16, 16)),
}

SECTION = Section("SOP2", scalars(OPERATIONS), {})
