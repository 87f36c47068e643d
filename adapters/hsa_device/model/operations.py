"""What an instruction computes: one description for each, in the tables of the sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hsa_device.model.types import TYPES, Type

#: Takes a value for each source, and returns one, or a tuple, for the results.
Function = Callable[..., Any]


@dataclass(frozen=True)
class Operation:
    """What an instruction computes.

    Args:
        results: the types of the results.
        sources: the types of the sources.
        function: computes the results.
        rounds: whether the result depends on the floating-point modes.
        exactly: what is rounded, of a lane; None where it is rounded to the nearest alone.
        without_ieee: what computes the results where MODE lacks IEEE; None where that is known of
            quiet NaNs alone, and of them the same.
        exact: whether hardware has just this result; some functions are approximations there.
        accumulates: whether the first result is the last source as well.
        keeps_high: whether the upper half of a register stays, where the result has 16 bits.
        saturated: what computes the results with the modifier clamp, where it is not a float.
        selects: whether sources are taken by op_sel from halves of registers.
        selects_source: whether the result is a source, which stays denormal where these may be.

    """

    results: Sequence[Type]
    sources: Sequence[Type]
    function: Function
    rounds: bool = False
    exactly: Function | None = None
    without_ieee: Function | None = None
    exact: bool = True
    accumulates: bool = False
    keeps_high: bool = False
    saturated: Function | None = None
    selects: bool = False
    selects_source: bool = False


def op(
    signature: str,
    function: Function,
    *,
    rounds: bool = False,
    exactly: Function | None = None,
    without_ieee: Function | None = None,
    exact: bool = True,
    accumulates: bool = False,
    keeps_high: bool = False,
    saturated: Function | None = None,
    selects: bool = False,
) -> Operation:
    """Return an operation.

    Args:
        signature: results, a colon and sources, such as "u32 mask: u32 u32".
        function: see Operation, as for the others.
        rounds: see there; so it is where `exactly` is said.
        exactly: see there.
        without_ieee: see there.
        exact: see there.
        accumulates: see there.
        keeps_high: see there.
        saturated: see there.
        selects: see there.

    """
    results, _, sources = signature.partition(":")
    return Operation(
        [TYPES[name] for name in results.split()],
        [TYPES[name] for name in sources.split()],
        function,
        rounds or exactly is not None,
        exactly,
        without_ieee,
        exact,
        accumulates,
        keeps_high,
        saturated,
        selects,
    )
