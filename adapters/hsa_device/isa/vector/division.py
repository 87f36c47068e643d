"""What division is made of: V_DIV_SCALE, V_DIV_FMAS and V_DIV_FIXUP (MI200 ISA, 12.12).

Where numerator and quotient are so small, or large, that steps between would leave the range of
normal numbers, one of them is scaled, and the last step scales back. For a denominator whose
reciprocal is denormal the manual scales up where the quotient is denormal, too; that would be
infinite, so it is scaled down here as where the quotient is not.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from hsa_device.isa.vector.floats import fma, quiet
from hsa_device.model.waves import Values


class _Format(NamedTuple):
    """Numbers of the manual for a format.

    Args:
        bits: of the mantissa.
        field: of the exponent.
        power: of the factor that scales.
        far: how far exponents are apart that the quotient is near the largest number.
        tiny: the largest exponent of a numerator that is scaled.
        under: how far they are apart that the quotient is 0.

    """

    bits: int
    field: int
    power: int
    far: int
    tiny: int
    under: int


_FORMATS = {
    2: _Format(10, 0x1F, 0, 32, -1, -32),  # in which nothing is scaled, and no quotient is 0
    4: _Format(23, 0xFF, 64, 96, 23, -150),
    8: _Format(52, 0x7FF, 128, 768, 53, -1075),
}


def _exponents(values: Values) -> tuple[Values, _Format]:
    size = values.dtype.itemsize
    layout = _FORMATS[size]
    unsigned = values.view(f"u{size}")
    kind: Any = unsigned.dtype.type
    return (unsigned >> kind(layout.bits) & kind(layout.field)).astype(np.int64), layout


def _denormal(values: Values) -> Values:
    return (values != 0) & (np.abs(values) < np.finfo(values.dtype).smallest_normal)


def scaled(which: Values, denominator: Values, numerator: Values) -> tuple[Values, Values]:
    """Return what is scaled, and whether the last step scales back.

    Args:
        which: the denominator or the numerator.
        denominator: the denominator.
        numerator: the numerator.

    """
    which, denominator, numerator = np.broadcast_arrays(which, denominator, numerator)
    over, layout = _exponents(numerator)
    under, _ = _exponents(denominator)
    one = denominator.dtype.type(1)
    is_denominator, is_numerator = which == denominator, which == numerator
    small = _denormal(one / denominator)
    small_quotient = _denormal(numerator / denominator) | (
        (numerator / denominator == 0) & (numerator != 0) & np.isfinite(denominator)
    )
    zero = (numerator == 0) | (denominator == 0)
    near_largest = over - under >= layout.far
    cases = [
        zero,
        near_largest,
        _denormal(denominator),
        small & small_quotient,
        small,
        small_quotient,
        over <= layout.tiny,
    ]
    none = np.zeros_like(over)
    up, down = np.full_like(over, layout.power), np.full_like(over, -layout.power)
    powers = [
        none,
        np.where(is_denominator, up, none),
        up,
        np.where(is_denominator, down, none),
        down,
        np.where(is_numerator, up, none),
        up,
    ]
    power = np.select(cases, powers, none).astype(np.int32)
    result = np.where(zero, np.float64(np.nan).astype(which.dtype), np.ldexp(which, power))
    back = ~zero & (near_largest | (~_denormal(denominator) & small_quotient))
    return result, back


def fused(a: Values, b: Values, c: Values, back: Values) -> Values:
    """Return a * b + c, scaled back where it is said: up for large results, else down.

    It is rounded once, after it is scaled.
    """
    a, b, c, back = np.broadcast_arrays(a, b, c, back)
    found = fma(a, b, c)
    place, layout = _exponents(c)
    power = np.where(place > layout.field >> 1, layout.power, -layout.power)
    finite = back & np.isfinite(found)
    found = np.where(back, np.ldexp(found, power.astype(np.int32)), found)
    for lane in map(tuple, np.argwhere(finite)):
        exact = Fraction(float(a[lane])) * Fraction(float(b[lane])) + Fraction(float(c[lane]))
        found[lane] = _rounded(exact * Fraction(2) ** int(power[lane]), found[lane])
    return found


def _rounded(exact: Fraction, near: Any) -> Any:  # noqa: ANN401 - numbers of numpy
    """Return the number nearest to an exact one, where another is near."""
    kind = type(near)
    if exact == 0 or not np.isfinite(near):
        return near
    around = sorted({near, np.nextafter(near, kind(np.inf)), np.nextafter(near, kind(-np.inf))})
    finite = [each for each in around if np.isfinite(each)]
    return min(
        finite,
        key=lambda each: (
            abs(Fraction(float(each)) - exact),
            int(each.view(f"u{each.itemsize}")) & 1,
        ),
    )


def fixed(quotient: Values, denominator: Values, numerator: Values) -> Values:
    """Return a quotient, or what IEEE 754 says where there is none.

    A quotient of numbers that is none of its own is one that overflowed on its way.
    """
    kind = quotient.dtype
    negative = np.signbit(denominator) ^ np.signbit(numerator)
    over, layout = _exponents(numerator)
    under, _ = _exponents(denominator)
    nothing = np.full(1, np.nan, kind)
    infinite = kind.type(np.inf)
    both = ((denominator == 0) & (numerator == 0)) | (np.isinf(denominator) & np.isinf(numerator))
    size = np.select(
        [
            (denominator == 0) | np.isinf(numerator),
            np.isinf(denominator) | (numerator == 0),
            over - under < layout.under,
        ],
        [infinite, kind.type(0), kind.type(0)],
        np.where(np.isnan(quotient), infinite, np.abs(quotient)),
    ).astype(kind)
    signed = np.where(negative, -size, size)
    found = np.where(both, -np.abs(nothing), signed)
    found = np.where(np.isnan(denominator), quiet(denominator), found)
    return np.where(np.isnan(numerator), quiet(numerator), found)
