"""Scalar instructions, 12.1, 12.3 and 12.4, as the pseudo-code of the MI200 ISA manual has it.

Each gives its result, and SCC.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.rocr.device.manual_compare import COMPARISONS
from tests.rocr.device.manual_numbers import (
    borrow,
    by_sign,
    carry,
    leading,
    leading_sign,
    mask,
    shift,
    signed,
    trailing,
)

#: Scalar instructions: kinds of the sources, the kind of the result, and result and SCC, which is
#: None where it stays.
SCALAR: dict[str, tuple[Sequence[str], str, Callable[..., tuple[int, int | None]]]] = {}


def _scalar(
    name: str, sources: str, result: str, function: Callable[..., tuple[int, int | None]]
) -> None:
    SCALAR[name] = sources.split(), result, function


def _nonzero(function: Callable[..., int]) -> Callable[..., tuple[int, int | None]]:
    return lambda *sources: ((found := function(*sources)), int(found != 0))


def _kept(function: Callable[..., int]) -> Callable[..., tuple[int, int | None]]:
    return lambda *sources: (function(*sources), None)


def _overflow(a: int, b: int, total: int) -> tuple[int, int]:
    return total & mask(32), int(not -(1 << 31) <= total < 1 << 31)


_scalar("s_add_u32", "u32 u32", "u32", lambda a, b: carry(a, b, 0))
_scalar("s_sub_u32", "u32 u32", "u32", lambda a, b: borrow(a, b, 0))
_scalar("s_addc_u32", "u32 u32 scc", "u32", carry)
_scalar("s_subb_u32", "u32 u32 scc", "u32", borrow)
_scalar("s_add_i32", "u32 u32", "u32", lambda a, b: _overflow(a, b, signed(a, 32) + signed(b, 32)))
_scalar("s_sub_i32", "u32 u32", "u32", lambda a, b: _overflow(a, b, signed(a, 32) - signed(b, 32)))
_scalar("s_mul_i32", "u32 u32", "u32", _kept(lambda a, b: a * b & mask(32)))
_scalar("s_mul_hi_u32", "u32 u32", "u32", _kept(lambda a, b: a * b >> 32))
_scalar("s_mul_hi_i32", "u32 u32", "u32", _kept(by_sign(lambda a, b: a * b >> 32, 32, sign=True)))
_scalar("s_min_u32", "u32 u32", "u32", lambda a, b: (min(a, b), int(a < b)))
_scalar("s_max_u32", "u32 u32", "u32", lambda a, b: (max(a, b), int(a > b)))
for _name, _pick in (("min", min), ("max", max)):
    _scalar(
        f"s_{_name}_i32",
        "u32 u32",
        "u32",
        lambda a, b, p=_pick, n=_name: (
            p(signed(a, 32), signed(b, 32)) & mask(32),
            int(signed(a, 32) < signed(b, 32) if n == "min" else signed(a, 32) > signed(b, 32)),
        ),
    )
for _bits in (32, 64):
    _u = f"u{_bits}"
    for _name, _logic in (
        ("and", lambda a, b: a & b),
        ("or", lambda a, b: a | b),
        ("xor", lambda a, b: a ^ b),
        ("andn2", lambda a, b: a & ~b),
        ("orn2", lambda a, b: a | ~b),
        ("nand", lambda a, b: ~(a & b)),
        ("nor", lambda a, b: ~(a | b)),
        ("xnor", lambda a, b: ~(a ^ b)),
    ):
        _scalar(
            f"s_{_name}_b{_bits}",
            f"{_u} {_u}",
            _u,
            _nonzero(lambda a, b, n=_bits, f=_logic: f(a, b) & mask(n)),
        )
    _scalar(f"s_cselect_b{_bits}", f"{_u} {_u} scc", _u, _kept(lambda a, b, c: a if c else b))
    for _code, _kind in (("lshl_b", "l"), ("lshr_b", "r"), ("ashr_i", "a")):
        _scalar(
            f"s_{_code}{_bits}",
            f"{_u} u32",
            _u,
            _nonzero(lambda a, b, n=_bits, k=_kind: shift(a, b, n, k)),
        )
    _scalar(f"s_mov_b{_bits}", _u, _u, _kept(lambda a: a))
    _scalar(f"s_not_b{_bits}", _u, _u, _nonzero(lambda a, n=_bits: ~a & mask(n)))
    _scalar(f"s_brev_b{_bits}", _u, _u, _kept(lambda a, n=_bits: int(f"{a:0{n}b}"[::-1], 2)))
    _scalar(f"s_bcnt1_i32_b{_bits}", _u, "u32", _nonzero(int.bit_count))
    _scalar(f"s_bcnt0_i32_b{_bits}", _u, "u32", _nonzero(lambda a, n=_bits: n - a.bit_count()))
    _scalar(f"s_ff1_i32_b{_bits}", _u, "u32", _kept(trailing))
    _scalar(f"s_ff0_i32_b{_bits}", _u, "u32", _kept(lambda a, n=_bits: trailing(~a & mask(n))))
    _scalar(f"s_flbit_i32_b{_bits}", _u, "u32", _kept(lambda a, n=_bits: leading(a, n)))
    for _sign in "iu":
        _scalar(
            f"s_bfe_{_sign}{_bits}",
            f"{_u} u32",
            _u,
            _nonzero(
                lambda a, b, n=_bits, s=_sign == "i": _scalar_field(
                    a, b & n - 1, b >> 16 & 127, n, s
                )
            ),
        )


def _scalar_field(value: int, offset: int, width: int, bits: int, sign: bool) -> int:
    if width == 0:
        return 0
    whole = signed(value, bits) if sign else value
    if offset + width >= bits:
        return whole >> offset & mask(bits)
    part = value >> offset & mask(width)
    return (signed(part, width) if sign else part) & mask(bits)


_scalar("s_flbit_i32", "u32", "u32", _kept(lambda a: leading_sign(a, 32)))
_scalar("s_flbit_i32_i64", "u64", "u32", _kept(lambda a: leading_sign(a, 64)))
_scalar("s_bfm_b32", "u32 u32", "u32", _kept(lambda a, b: (mask(a & 31) << (b & 31)) & mask(32)))
_scalar("s_bfm_b64", "u32 u32", "u64", _kept(lambda a, b: (mask(a & 63) << (b & 63)) & mask(64)))
_scalar("s_sext_i32_i8", "u32", "u32", _kept(lambda a: signed(a & 0xFF, 8) & mask(32)))
_scalar("s_sext_i32_i16", "u32", "u32", _kept(lambda a: signed(a & 0xFFFF, 16) & mask(32)))
_scalar("s_abs_i32", "u32", "u32", _nonzero(lambda a: abs(signed(a, 32)) & mask(32)))
_scalar(
    "s_absdiff_i32",
    "u32 u32",
    "u32",
    _nonzero(lambda a, b: abs(signed((a - b) & mask(32), 32)) & mask(32)),
)
for _count in (1, 2, 3, 4):
    _scalar(
        f"s_lshl{_count}_add_u32",
        "u32 u32",
        "u32",
        lambda a, b, n=_count: (((a << n) + b) & mask(32), int((a << n) + b > mask(32))),
    )
for _name, _low, _high in (("ll", 0, 0), ("lh", 0, 16), ("hh", 16, 16)):
    _scalar(
        f"s_pack_{_name}_b32_b16",
        "u32 u32",
        "u32",
        _kept(lambda a, b, x=_low, y=_high: (a >> x & 0xFFFF) | (b >> y & 0xFFFF) << 16),
    )


def _signed(compare: Callable[[float, float], bool]) -> Callable[[int, int], bool]:
    return lambda a, b: compare(signed(a, 32), signed(b, 32))


def _bit_is(bits: int, bit: int) -> Callable[[int, int], bool]:
    return lambda a, b: (a >> (b & bits - 1) & 1) == bit


#: Comparisons: kinds of the sources, and SCC.
SCALAR_COMPARE: dict[str, tuple[Sequence[str], Callable[[int, int], bool]]] = {}
for _name in ("eq", "lg", "gt", "ge", "lt", "le"):
    _compare = COMPARISONS["ne" if _name == "lg" else _name]
    SCALAR_COMPARE[f"s_cmp_{_name}_u32"] = ("u32", "u32"), _compare
    SCALAR_COMPARE[f"s_cmp_{_name}_i32"] = (
        ("u32", "u32"),
        _signed(_compare),
    )
    if _name in ("eq", "lg"):
        SCALAR_COMPARE[f"s_cmp_{_name}_u64"] = ("u64", "u64"), _compare
for _bit in (0, 1):
    for _bits in (32, 64):
        SCALAR_COMPARE[f"s_bitcmp{_bit}_b{_bits}"] = (
            (f"u{_bits}", "u32"),
            _bit_is(_bits, _bit),
        )
