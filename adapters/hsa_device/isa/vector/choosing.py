"""Minima, maxima and medians: what MODE.IEEE and the family make of NaN.

With IEEE set a signalling NaN is the result, made quiet. Else any NaN gives way to a number, and of
two MI200 has the second as it is, RDNA3 the first (V_MIN_F32 and V_MED3_F32 in the pseudo-code of
the MI300 ISA and the RDNA3 ISA).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from hsa_device.isa.vector import rounding
from hsa_device.isa.vector.floats import quiet, signalling
from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import Values

Two = Callable[[Values, Values], Values]


@dataclass(frozen=True)
class _Choice:
    """How one of several numbers is chosen.

    Args:
        first: whether of two NaNs the first is the result.
        ieee: whether IEEE is set.

    """

    first: bool
    ieee: bool

    def smaller(self, a: Values, b: Values) -> Values:
        """-0 is smaller than +0."""
        return self._numbers(a, b, np.where((a < b) | ((a == b) & np.signbit(a)), a, b))

    def larger(self, a: Values, b: Values) -> Values:
        """+0 is larger than -0."""
        return self._numbers(a, b, np.where((a > b) | ((a == b) & ~np.signbit(a)), a, b))

    def middle(self, a: Values, b: Values, c: Values) -> Values:
        """Where one is NaN, the smallest of all."""
        largest = _both(self.larger, self.larger)(a, b, c)
        found = np.where(
            largest == a,
            self.larger(b, c),
            np.where(largest == b, self.larger(a, c), self.larger(a, b)),
        )
        nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
        return np.where(nan, _both(self.smaller, self.smaller)(a, b, c), found)

    def _numbers(self, a: Values, b: Values, found: Values) -> Values:
        """Return what was found, or what NaN there is in its place."""
        one, other = np.isnan(a), np.isnan(b)
        if self.first:
            found = np.where(other, a, np.where(one, b, found))
        else:
            found = np.where(one, b, np.where(other, a, found))
        if not self.ieee:
            return found
        found = np.where(signalling(b), quiet(b), found)
        return np.where(signalling(a), quiet(a), found)


def _both(inner: Two, outer: Two) -> Callable[[Values, Values, Values], Values]:
    return lambda a, b, c: outer(inner(a, b), c)


def _of(choice: _Choice) -> Mapping[str, Callable[..., Values]]:
    smaller, larger = choice.smaller, choice.larger
    return {
        "min": smaller,
        "max": larger,
        "min3": _both(smaller, smaller),
        "max3": _both(larger, larger),
        "med3": choice.middle,
        "minmax": _both(smaller, larger),
        "maxmin": _both(larger, smaller),
    }


def chosen(name: str, kind: str, *, first: bool = False) -> Operation:
    """Return an operation that chooses one of its sources.

    Args:
        name: "min", "max", "min3", "max3", "med3", "minmax" or "maxmin".
        kind: of the numbers.
        first: whether of two NaNs the first is the result.

    """
    with_ieee, without = (_of(_Choice(first, ieee))[name] for ieee in (True, False))
    three = name not in ("min", "max")
    return op(
        f"{kind}: {' '.join([kind] * (3 if three else 2))}",
        with_ieee,
        exactly=rounding.unrounded,
        without_ieee=without,
        keeps_high=three,
        selects=three,
    )
