"""Vector instructions, 12.7, 12.8 and 12.12, as the pseudo-code of the MI200 ISA manual has it.

Each is a function of a lane.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.rocr.device.manual_numbers import (
    arithmetic,
    borrow,
    by_sign,
    carry,
    clipped,
    field,
    fma,
    leading,
    leading_sign,
    least,
    low_24,
    mask,
    middle,
    permuted,
    real,
    rounded,
    sad,
    shift,
    signed,
    to_integer,
    trailing,
)

Lane = Callable[..., "int | tuple[int, ...]"]

#: By mnemonic: the kinds of the sources (u32, u64, f32, ... and c for a carry), whether there is a
#: carry as second result, and what is computed for a lane.
VECTOR: dict[str, tuple[Sequence[str], bool, Lane]] = {}


def _add(names: str, sources: str, function: Lane, *, has_carry: bool = False) -> None:
    for name in names.split():
        VECTOR[name] = (sources.split(), has_carry, function)


_add("v_mov_b32", "u32", lambda a: a)
_add("v_not_b32", "u32", lambda a: ~a & mask(32))
_add("v_bfrev_b32", "u32", lambda a: int(f"{a:032b}"[::-1], 2))
_add("v_ffbh_u32", "u32", lambda a: leading(a, 32))
_add("v_ffbl_b32", "u32", trailing)
_add("v_ffbh_i32", "u32", lambda a: leading_sign(a, 32))
_add("v_and_b32", "u32 u32", lambda a, b: a & b)
_add("v_or_b32", "u32 u32", lambda a, b: a | b)
_add("v_xor_b32", "u32 u32", lambda a, b: a ^ b)
_add("v_xnor_b32", "u32 u32", lambda a, b: ~(a ^ b) & mask(32))
_add("v_add_u32 v_add_i32", "u32 u32", lambda a, b: (a + b) & mask(32))
_add("v_sub_u32 v_sub_i32", "u32 u32", lambda a, b: (a - b) & mask(32))
_add("v_subrev_u32", "u32 u32", lambda a, b: (b - a) & mask(32))
_add("v_add_co_u32", "u32 u32", lambda a, b: carry(a, b, 0), has_carry=True)
_add("v_sub_co_u32", "u32 u32", lambda a, b: borrow(a, b, 0), has_carry=True)
_add("v_subrev_co_u32", "u32 u32", lambda a, b: borrow(b, a, 0), has_carry=True)
_add("v_addc_co_u32", "u32 u32 c", carry, has_carry=True)
_add("v_subb_co_u32", "u32 u32 c", borrow, has_carry=True)
_add("v_subbrev_co_u32", "u32 u32 c", lambda a, b, c: borrow(b, a, c), has_carry=True)
_add("v_mul_lo_u32", "u32 u32", lambda a, b: a * b & mask(32))
_add("v_mul_hi_u32", "u32 u32", lambda a, b: a * b >> 32)
_add("v_mul_hi_i32", "u32 u32", by_sign(lambda a, b: a * b >> 32, 32, sign=True))
for _bits in (16, 32):
    _u = f"u{_bits}"
    _add(f"v_lshlrev_b{_bits}", f"{_u} {_u}", lambda a, b, n=_bits: shift(b, a, n, "l"))
    _add(f"v_lshrrev_b{_bits}", f"{_u} {_u}", lambda a, b, n=_bits: shift(b, a, n, "r"))
    _add(f"v_ashrrev_i{_bits}", f"{_u} {_u}", lambda a, b, n=_bits: shift(b, a, n, "a"))
    for _sign in "iu":
        _flag = _sign == "i"
        _name = f"{_sign}{_bits}"
        _add(f"v_min_{_name}", f"{_u} {_u}", by_sign(min, _bits, sign=_flag))
        _add(f"v_max_{_name}", f"{_u} {_u}", by_sign(max, _bits, sign=_flag))
        _add(f"v_min3_{_name}", f"{_u} {_u} {_u}", by_sign(min, _bits, sign=_flag))
        _add(f"v_max3_{_name}", f"{_u} {_u} {_u}", by_sign(max, _bits, sign=_flag))
        _add(f"v_med3_{_name}", f"{_u} {_u} {_u}", by_sign(middle, _bits, sign=_flag))
_add("v_lshlrev_b64", "u32 u64", lambda a, b: shift(b, a, 64, "l"))
_add("v_lshrrev_b64", "u32 u64", lambda a, b: shift(b, a, 64, "r"))
_add("v_ashrrev_i64", "u32 u64", lambda a, b: shift(b, a, 64, "a"))
_add("v_add_u16 v_add_i16", "u16 u16", lambda a, b: (a + b) & mask(16))
_add("v_sub_u16 v_sub_i16", "u16 u16", lambda a, b: (a - b) & mask(16))
_add("v_subrev_u16", "u16 u16", lambda a, b: (b - a) & mask(16))
_add("v_mul_lo_u16", "u16 u16", lambda a, b: a * b & mask(16))
_add(
    "v_mad_u16 v_mad_i16 v_mad_legacy_u16 v_mad_legacy_i16",
    "u16 u16 u16",
    lambda a, b, c: (a * b + c) & mask(16),
)
for _sign in "iu":
    _flag = _sign == "i"
    _add(
        f"v_mul_{_sign}32_{_sign}24",
        "u32 u32",
        lambda a, b, s=_flag: low_24(a, sign=s) * low_24(b, sign=s) & mask(32),
    )
    _add(
        f"v_mul_hi_{_sign}32_{_sign}24",
        "u32 u32",
        lambda a, b, s=_flag: low_24(a, sign=s) * low_24(b, sign=s) >> 32 & mask(32),
    )
    _add(
        f"v_mad_{_sign}32_{_sign}24",
        "u32 u32 u32",
        lambda a, b, c, s=_flag: (low_24(a, sign=s) * low_24(b, sign=s) + c) & mask(32),
    )
    _add(
        f"v_mad_{_sign}32_{_sign}16",
        "u16 u16 u32",
        lambda a, b, c, s=_flag: (((signed(a, 16) * signed(b, 16)) if s else a * b) + c) & mask(32),
    )
    _add(f"v_bfe_{_sign}32", "u32 u32 u32", lambda a, b, c, s=_flag: field(a, b, c, sign=s))
_add("v_bfi_b32", "u32 u32 u32", lambda a, b, c: a & b | ~a & c & mask(32))
_add("v_bfm_b32", "u32 u32", lambda a, b: (mask(a & 31) << (b & 31)) & mask(32))
_add("v_alignbit_b32", "u32 u32 u32", lambda a, b, c: (a << 32 | b) >> (c & 31) & mask(32))
_add("v_alignbyte_b32", "u32 u32 u32", lambda a, b, c: (a << 32 | b) >> 8 * (c & 3) & mask(32))
_add("v_perm_b32", "u32 u32 u32", permuted)
_add("v_xad_u32", "u32 u32 u32", lambda a, b, c: ((a ^ b) + c) & mask(32))
_add("v_lshl_add_u32", "u32 u32 u32", lambda a, b, c: ((a << (b & 31)) + c) & mask(32))
_add("v_add_lshl_u32", "u32 u32 u32", lambda a, b, c: (a + b) << (c & 31) & mask(32))
_add("v_lshl_add_u64", "u64 u32 u64", lambda a, b, c: ((a << (b & 7)) + c) & mask(64))
_add("v_add3_u32", "u32 u32 u32", lambda a, b, c: (a + b + c) & mask(32))
_add("v_lshl_or_b32", "u32 u32 u32", lambda a, b, c: (a << (b & 31) & mask(32)) | c)
_add("v_and_or_b32", "u32 u32 u32", lambda a, b, c: a & b | c)
_add("v_or3_b32", "u32 u32 u32", lambda a, b, c: a | b | c)
_add("v_sad_u8", "u32 u32 u32", sad(8))
_add("v_sad_u16", "u32 u32 u32", sad(16))
_add("v_sad_u32", "u32 u32 u32", sad(32))
_add("v_bcnt_u32_b32", "u32 u32", lambda a, b: (a.bit_count() + b) & mask(32))
_add(
    "v_mad_u64_u32",
    "u32 u32 u64",
    lambda a, b, c: ((a * b + c) & mask(64), (a * b + c) >> 64),
    has_carry=True,
)
_add(
    "v_mad_i64_i32",
    "u32 u32 u64",
    lambda a, b, c: (
        (total := signed(a, 32) * signed(b, 32) + signed(c, 64)) & mask(64),
        int(total < 0),
    ),
    has_carry=True,
)
_add(
    "v_cvt_pk_u16_u32",
    "u32 u32",
    lambda a, b: clipped(a, 16, sign=False) | clipped(b, 16, sign=False) << 16,
)
_add(
    "v_cvt_pk_i16_i32",
    "u32 u32",
    lambda a, b: (
        clipped(signed(a, 32), 16, sign=True) | clipped(signed(b, 32), 16, sign=True) << 16
    ),
)
_add("v_cndmask_b32", "u32 u32 c", lambda a, b, c: b if c else a)
for _bits in (16, 32, 64):
    _f = f"f{_bits}"
    for _kind in ("add", "sub", "mul"):
        if _bits == 64 and _kind == "sub":
            continue
        _add(
            f"v_{_kind}_{_f}",
            f"{_f} {_f}",
            lambda a, b, n=_bits, k=_kind: arithmetic(a, b, n, k),
        )
    if _bits != 64:
        _add(f"v_subrev_{_f}", f"{_f} {_f}", lambda a, b, n=_bits: arithmetic(b, a, n, "sub"))
    _add(f"v_min_{_f}", f"{_f} {_f}", lambda a, b, n=_bits: least(a, b, n, largest=False))
    _add(f"v_max_{_f}", f"{_f} {_f}", lambda a, b, n=_bits: least(a, b, n, largest=True))
    _add(f"v_fma_{_f}", f"{_f} {_f} {_f}", lambda a, b, c, n=_bits: fma(a, b, c, n))
for _bits, _size, _letter in (
    *((32, 32, "i"), (32, 32, "u"), (64, 32, "i"), (64, 32, "u"), (16, 16, "i"), (16, 16, "u")),
):
    _add(
        f"v_cvt_{_letter}{_size}_f{_bits}",
        f"f{_bits}",
        lambda a, n=_bits, s=_size, f=_letter == "i": to_integer(a, n, s, sign=f),
    )
for _to, _from in ((32, 64), (64, 32), (16, 32), (32, 16)):
    _add(f"v_cvt_f{_to}_f{_from}", f"f{_from}", lambda a, t=_to, f=_from: rounded(real(a, f), t))
for _to in (32, 64):
    _add(f"v_cvt_f{_to}_u32", "u32", lambda a, t=_to: rounded(Fraction(a), t))
    _add(f"v_cvt_f{_to}_i32", "u32", lambda a, t=_to: rounded(Fraction(signed(a, 32)), t))
for _place in range(4):
    _add(
        f"v_cvt_f32_ubyte{_place}",
        "u32",
        lambda a, p=_place: rounded(Fraction(a >> 8 * p & 0xFF), 32),
    )


def _whole(value: int, bits: int, how: Callable[[float], float]) -> int:
    number = real(value, bits)
    if not math.isfinite(number) or number == 0:
        return value
    return rounded(math.copysign(float(how(number)), number), bits)


for _bits in (16, 32, 64):
    for _name, _how in (
        ("trunc", math.trunc),
        ("floor", math.floor),
        ("ceil", math.ceil),
        ("rndne", round),
    ):
        _add(f"v_{_name}_f{_bits}", f"f{_bits}", lambda a, n=_bits, h=_how: _whole(a, n, h))
