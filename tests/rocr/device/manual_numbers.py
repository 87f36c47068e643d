"""Numbers of a lane, as the pseudo-code of the MI200 ISA manual computes with them.

Written in Python's own numbers, as a second opinion: nothing here is shared with what the device
does with arrays.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction


def mask(bits: int) -> int:
    return (1 << bits) - 1


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 & 1 else value


def clipped(value: int, bits: int, *, sign: bool) -> int:
    """The nearest number that fits, as bits."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if sign else (0, mask(bits))
    return min(max(value, low), high) & mask(bits)


_FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}


def real(value: int, bits: int) -> float:
    number, whole = _FORMATS[bits]
    found: float = struct.unpack(number, struct.pack(whole, value))[0]
    return found


def rounded(value: Fraction | float, bits: int, *, negative_zero: bool = False) -> int:
    """The bits of the nearest number, ties to even."""
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value) or value == 0):
        number, whole = _FORMATS[bits]
        found: int = struct.unpack(whole, struct.pack(number, value))[0]
        return found
    exact = Fraction(value)
    if exact == 0:
        return 1 << bits - 1 if negative_zero else 0
    digits, least = {16: (11, -24), 32: (24, -149), 64: (53, -1074)}[bits]
    size = abs(exact)
    exponent = max(math.floor(_log2(size)) - digits + 1, least)
    scaled = size / Fraction(2) ** exponent
    whole_part = round(scaled)  # ties to even
    limit = {16: (2**11 - 1, 5), 32: (2**24 - 1, 104), 64: (2**53 - 1, 971)}[bits]
    sign = 1 << bits - 1 if exact < 0 else 0
    if whole_part * Fraction(2) ** exponent > limit[0] * Fraction(2) ** limit[1]:
        return sign | {16: 0x7C00, 32: 0x7F800000, 64: 0x7FF << 52}[bits]
    if whole_part >> digits:
        whole_part, exponent = whole_part >> 1, exponent + 1
    if whole_part >> digits - 1:
        return sign | (exponent - least + 1) << digits - 1 | whole_part & mask(digits - 1)
    return sign | whole_part


def _log2(size: Fraction) -> float:
    """Near enough to find the exponent, corrected by comparing."""
    guess = size.numerator.bit_length() - size.denominator.bit_length()
    return guess if Fraction(2) ** guess <= size else guess - 1


def arithmetic(a: int, b: int, bits: int, kind: str) -> int:
    """Sums, differences and products of IEEE 754."""
    x, y = real(a, bits), real(b, bits)
    if not (math.isfinite(x) and math.isfinite(y)):
        found = {"add": x + y, "sub": x - y, "mul": x * y}[kind]
        return rounded(found, bits)
    exact = {
        "add": Fraction(x) + Fraction(y),
        "sub": Fraction(x) - Fraction(y),
        "mul": Fraction(x) * Fraction(y),
    }[kind]
    if exact == 0:
        zero = {"add": x + y, "sub": x - y, "mul": x * y}[kind]
        return rounded(math.copysign(0.0, zero), bits)
    return rounded(exact, bits)


def fma(a: int, b: int, c: int, bits: int) -> int:
    x, y, z = (real(v, bits) for v in (a, b, c))
    if not (math.isfinite(x) and math.isfinite(y)):
        return rounded(x * y + z, bits)
    if not math.isfinite(z):
        return rounded(z, bits)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        negative = math.copysign(1, x) * math.copysign(1, y) < 0
        product_zero = x == 0 or y == 0
        if product_zero and z == 0 and negative and math.copysign(1, z) < 0:
            return 1 << bits - 1
        return 0
    return rounded(exact, bits)


def is_nan(value: int, bits: int) -> bool:
    return math.isnan(real(value, bits))


def _quiet(value: int, bits: int) -> int:
    return value | 1 << {16: 9, 32: 22, 64: 51}[bits]


def signalling(value: int, bits: int) -> bool:
    return is_nan(value, bits) and _quiet(value, bits) != value


def least(a: int, b: int, bits: int, *, largest: bool) -> int:
    """V_MIN and V_MAX with IEEE set."""
    for each in (a, b):
        if signalling(each, bits):
            return _quiet(each, bits)
    if is_nan(a, bits):
        return b
    if is_nan(b, bits):
        return a
    x, y = real(a, bits), real(b, bits)
    if x == y:
        return (a & b if x == 0 else a) if largest else (a | b if x == 0 else a)
    return (a if x > y else b) if largest else (a if x < y else b)


def carry(a: int, b: int, c: int) -> tuple[int, int]:
    total = a + b + c
    return total & mask(32), total >> 32


def borrow(a: int, b: int, c: int) -> tuple[int, int]:
    return (a - b - c) & mask(32), int(a < b + c)


def shift(value: int, count: int, bits: int, kind: str) -> int:
    count &= bits - 1
    if kind == "l":
        return value << count & mask(bits)
    return (signed(value, bits) if kind == "a" else value) >> count & mask(bits)


def field(value: int, offset: int, width: int, *, sign: bool) -> int:
    offset, width = offset & 31, width & 31
    if width == 0:
        return 0
    whole = signed(value, 32) if sign else value
    if width + offset < 32:
        part = value >> offset & mask(width)
        return (signed(part, width) if sign else part) & mask(32)
    return whole >> offset & mask(32)


def permuted(a: int, b: int, selector: int) -> int:
    data, found = a << 32 | b, 0
    for place in range(4):
        which = selector >> 8 * place & 0xFF
        if which <= 7:
            byte = data >> 8 * which & 0xFF
        elif which <= 11:
            byte = 0xFF * (data >> (15, 31, 47, 63)[which - 8] & 1)
        else:
            byte = 0 if which == 12 else 0xFF
        found |= byte << 8 * place
    return found


def low_24(value: int, *, sign: bool) -> int:
    part = value & mask(24)
    return signed(part, 24) if sign else part


def leading(value: int, bits: int) -> int:
    return bits - value.bit_length() if value else mask(32)


def leading_sign(value: int, bits: int) -> int:
    number = signed(value, bits)
    return leading(number if number >= 0 else ~number, bits)


def trailing(value: int) -> int:
    return (value & -value).bit_length() - 1 if value else mask(32)


def to_integer(value: int, bits: int, size: int, *, sign: bool) -> int:
    number = real(value, bits)
    if math.isnan(number):
        return 0
    if math.isinf(number):
        number = math.copysign(1e300, number)
    return clipped(math.trunc(number), size, sign=sign)


def middle(a: int, b: int, c: int) -> int:
    return sorted((a, b, c))[1]


def sad(size: int) -> Callable[[int, int, int], int]:
    def total(a: int, b: int, c: int) -> int:
        for place in range(0, 32, size):
            c += abs((a >> place & mask(size)) - (b >> place & mask(size)))
        return c & mask(32)

    return total


def by_sign(function: Callable[..., int], bits: int, *, sign: bool) -> Callable[..., int]:
    def computed(*sources: int) -> int:
        given = [signed(v, bits) if sign else v for v in sources]
        return function(*given) & mask(bits)

    return computed
