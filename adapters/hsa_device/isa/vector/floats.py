"""Floating-point arithmetic as hardware does it, where numpy does not have it."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from typing import Any

import numpy as np

from hsa_device.model.waves import Values

_libm = ctypes.CDLL(ctypes.util.find_library("m") or None)
_libm.fma.restype = ctypes.c_double
_libm.fma.argtypes = [ctypes.c_double] * 3
_exactly = np.frompyfunc(_libm.fma, 3, 1)
_SPLIT = np.float64(2**27 + 1)
# Exponents between which neither a product nor its error leaves the range of normal numbers.
_LEAST, _MOST = 400, 1600


def fma(a: Values, b: Values, c: Values) -> Values:
    """Return a * b + c, rounded once."""
    if a.dtype == np.float64:
        return _fma_64(*np.broadcast_arrays(a, b, c))
    product = a.astype(np.float64) * b.astype(np.float64)  # which is exact
    return odd_sum(product, c.astype(np.float64)).astype(a.dtype)


def odd_sum(a: Values, b: Values) -> Values:
    """Return a sum rounded to odd: rounding it again to half as many bits is rounding once."""
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    bits = total.view(np.int64)
    step = np.where((error > 0) == (total > 0), np.int64(1), np.int64(-1))
    moved = (error != 0) & (bits & 1 == 0) & np.isfinite(total) & np.isfinite(error)
    return np.where(moved, bits + step, bits).view(np.float64)


def _fma_64(a: Values, b: Values, c: Values) -> Values:
    """Boldo and Melquiond's algorithm, and the C library where exponents are at their ends."""
    high = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low
    middle, rest = _sum(c, low)
    top, left = _sum(high, middle)
    found = top + odd_sum(np.asarray(rest), np.asarray(left))
    hard = ~(_moderate(a) & _moderate(b) & _moderate(high) & _moderate(c))
    if hard.any():
        found[hard] = _exactly(a[hard], b[hard], c[hard]).astype(np.float64)
    return found


def _moderate(values: Values) -> Values:
    exponent = values.view(np.int64) >> 52 & 0x7FF
    return (exponent > _LEAST) & (exponent < _MOST)


def _halves(values: Values) -> tuple[Values, Values]:
    wide = values * _SPLIT
    high = wide - (wide - values)
    return high, values - high


def _sum(a: Values, b: Values) -> tuple[Values, Values]:
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def quiet(values: Values) -> Values:
    """Return numbers with quiet NaNs for signalling ones."""
    unsigned, bit = _format(values)
    return np.where(np.isnan(values), (values.view(unsigned) | bit).view(values.dtype), values)


def signalling(values: Values) -> Values:
    """Return which numbers are signalling NaNs."""
    unsigned, bit = _format(values)
    return np.isnan(values) & (values.view(unsigned) & bit == 0)


def _format(values: Values) -> tuple[Any, Any]:
    """Return the unsigned type of the same size, and the bit that makes a NaN quiet."""
    unsigned = np.dtype(f"u{values.dtype.itemsize}")
    return unsigned, unsigned.type(1 << {2: 9, 4: 22, 8: 51}[values.dtype.itemsize])


def integer(
    kind: str, rounded: Callable[[Values], Values] = np.trunc
) -> Callable[[Values], Values]:
    """Return what makes integers of numbers: NaN is 0, what does not fit the nearest that does.

    Args:
        kind: of the integers, such as "i4".
        rounded: what rounds numbers before.

    """
    limits = np.iinfo(kind)
    least, most = float(limits.min), float(limits.max)

    def converted(values: Values) -> Values:
        wide = rounded(values.astype(np.float64))
        inside = np.clip(np.where(np.isnan(wide), 0.0, wide), least, most)
        return inside.astype(np.int64).astype(kind)

    return converted


def toward_zero(values: Values) -> Values:
    """Return numbers of 32 bits as numbers of 16, rounded toward 0."""
    found = values.astype(np.float16)
    beyond = np.abs(found.astype(np.float32)) > np.abs(values)
    return np.where(beyond, found.view(np.uint16) - np.uint16(1), found.view(np.uint16)).view(
        np.float16
    )


def flushed(values: Values) -> Values:
    """Return numbers with zeros of the same sign for denormal ones."""
    small = np.abs(values) < np.finfo(values.dtype).smallest_normal
    return np.where(small, np.copysign(values.dtype.type(0), values), values)


def multiply_add(a: Values, b: Values, c: Values) -> Values:
    """Return a * b + c, rounded twice; denormal numbers are zeros, whatever MODE says."""
    return flushed(flushed(flushed(a) * flushed(b)) + flushed(c))


def fraction(values: Values) -> Values:
    """Return what is left of a number above the next integer below; it is always below 1."""
    below = np.nextafter(values.dtype.type(1), values.dtype.type(0))
    left = values - np.floor(values)
    return np.where(np.isnan(left), left, np.minimum(left, below))


def exponent(values: Values) -> Values:
    """Return the exponent of a number between a half and 1; 0 for what is no number."""
    found = np.frexp(values)[1]
    return np.where(np.isfinite(values), found, 0).astype(np.int32)


def mantissa(values: Values) -> Values:
    """Return the number between a half and 1; what is no number is itself."""
    return np.where(np.isfinite(values), np.frexp(values)[0], values)


def scale(values: Values, power: Values) -> Values:
    """Return a number times a power of 2, rounded once."""
    return np.ldexp(values, np.clip(power, -5000, 5000).astype(np.int32))


def in_double(function: Callable[[Values], Values]) -> Callable[[Values], Values]:
    """Return what computes in 64 bits and rounds: for what hardware approximates."""

    def computed(values: Values) -> Values:
        return function(values.astype(np.float64)).astype(values.dtype)

    return computed


def reciprocal(values: Values) -> Values:
    """Return 1 divided by numbers."""
    return values.dtype.type(1) / values


def classes(values: Values, wanted: Values) -> Values:
    """Return whether numbers are of classes, a bit each (MI200 ISA, V_CMP_CLASS_F32)."""
    negative = np.signbit(values)
    tiny = np.finfo(values.dtype).smallest_normal
    noise = signalling(values)
    kinds = [
        noise,
        np.isnan(values) & ~noise,
        np.isinf(values) & negative,
        np.isfinite(values) & (np.abs(values) >= tiny) & negative,
        (np.abs(values) < tiny) & (values != 0) & negative,
        (values == 0) & negative,
        (values == 0) & ~negative,
        (np.abs(values) < tiny) & (values != 0) & ~negative,
        np.isfinite(values) & (np.abs(values) >= tiny) & ~negative,
        np.isinf(values) & ~negative,
    ]
    number = sum((k.astype(np.uint32) << np.uint32(bit) for bit, k in enumerate(kinds)))
    return (wanted.astype(np.uint32) & number) != 0
