"""Rounding up, down and toward 0 (MI200 ISA, "Mode register").

What is rounded is computed a lane at a time, in numbers without end: kernels seldom ask for it, so
that it has to be right and need not be fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from hsa_device.model.waves import Values

UP, DOWN, TOWARD_ZERO = 1, 2, 3  # as MODE has them; 0 is to the nearest
_MOST = 5000  # a power of 2 that leads out of all formats


@dataclass(frozen=True)
class Exact:
    """A number without end.

    Args:
        value: the number.
        negative: its sign, which zero has as well.

    """

    value: Fraction
    negative: bool

    def __neg__(self) -> Exact:
        return Exact(-self.value, not self.negative)

    def __mul__(self, other: Exact) -> Exact:
        return Exact(self.value * other.value, self.negative != other.negative)


#: Takes the sources of a lane, and returns what is added up and then rounded.
Addends = Callable[..., Sequence[Exact]]


def same(a: Exact, *_: Exact) -> Sequence[Exact]:
    """Return a source that is converted."""
    return (a,)


def unrounded(*_: Exact) -> Sequence[Exact]:
    """Return nothing: the result is a number of its format."""
    return ()


def added(a: Exact, b: Exact) -> Sequence[Exact]:
    """Return what a sum is of."""
    return a, b


def subtracted(a: Exact, b: Exact) -> Sequence[Exact]:
    """Return what a difference is of."""
    return a, -b


def multiplied(a: Exact, b: Exact) -> Sequence[Exact]:
    """Return a product."""
    return (a * b,)


def fused(a: Exact, b: Exact, c: Exact) -> Sequence[Exact]:
    """Return a product and what is added to it."""
    return a * b, c


def scaled(a: Exact, power: Exact) -> Sequence[Exact]:
    """Return a number times a power of 2."""
    exponent = min(max(int(power.value), -_MOST), _MOST)
    return (Exact(a.value * Fraction(2) ** exponent, a.negative),)


def directed(way: int, nearest: Values, sources: Sequence[Values], addends: Addends) -> Values:
    """Return results rounded up, down or toward 0.

    Args:
        way: UP, DOWN or TOWARD_ZERO.
        nearest: the results, rounded to the nearest.
        sources: of the operation.
        addends: what was rounded.

    """
    found = nearest.copy()
    finite = np.ones(found.shape, np.bool_)
    for source in sources:
        finite &= np.isfinite(source)
    spread = [np.broadcast_to(source, found.shape) for source in sources]
    for lane in zip(*np.nonzero(finite), strict=True):
        numbers = [
            Exact(Fraction(v.item()), bool(v < 0 or np.signbit(v)))
            for v in (source[lane] for source in spread)
        ]
        found[lane] = _one(way, found[lane], addends(*numbers))
    return found


def _one(way: int, nearest: Values, addends: Sequence[Exact]) -> Values:
    """Return a result as a number of an array's type, which a lane of the results is."""
    total = sum((each.value for each in addends), Fraction(0))
    kind = nearest.dtype.type
    if total == 0:
        opposite = len({each.negative for each in addends}) > 1
        return kind(-0.0) if way == DOWN and opposite else nearest
    down = way == DOWN or (way == TOWARD_ZERO and total > 0)
    value = nearest.item()
    beyond = value > 0 if np.isinf(nearest) else Fraction(value) > total
    below = value < 0 if np.isinf(nearest) else Fraction(value) < total
    if beyond and down:
        return np.nextafter(nearest, kind(-np.inf))
    if below and not down:
        return np.nextafter(nearest, kind(np.inf))
    return nearest
