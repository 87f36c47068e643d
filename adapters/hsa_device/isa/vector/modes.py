"""What the MODE register says of floating-point numbers (MI200 ISA, "Mode register").

Denormals are kept and results rounded to the nearest, where a kernel does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.isa.vector.floats import flushed, signalling
from hsa_device.isa.vector.rounding import directed
from hsa_device.model.compilation import lacking
from hsa_device.model.operations import Operation
from hsa_device.model.types import Type
from hsa_device.model.waves import IEEE, Values, Waves

_CLAMPS_NAN = 1 << 8  # DX10_CLAMP


def with_modes(
    instruction: Instruction, operation: Operation, function: Callable[..., Any]
) -> Callable[[Waves, Sequence[Values]], Any]:
    """Return what computes a result as the MODE of the waves says.

    Args:
        instruction: what is executed.
        operation: its description.
        function: what computes the result where nothing is flushed.

    """

    def computed(waves: Waves, values: Sequence[Values]) -> Any:  # noqa: ANN401 - see Function
        if waves.plain:
            return function(*values)
        mode = _one_mode(instruction, waves)
        result = operation.results[0]
        way = _rounding(mode, result)
        if way and operation.exactly is None:
            raise lacking(instruction, "any rounding but to the nearest")
        sources = [_input(mode, t, v) for t, v in zip(operation.sources, values, strict=True)]
        apply = function
        if not mode & IEEE:
            apply = _without_ieee(instruction, operation, function, sources, waves)
        found = apply(*sources)
        if way and operation.exactly is not None:
            nearest = found.astype(result.dtype, copy=False)
            found = directed(way, nearest, sources, operation.exactly)
        return found if operation.selects_source else _output(mode, result, found)

    return computed


def denormals(instruction: Instruction, waves: Waves, width: int) -> int:
    """Return what MODE says of denormal numbers of so many bits: 1 for sources, 2 for results.

    Raises:
        NotExecutedError: the waves have different MODE registers.

    """
    return _denormals(_one_mode(instruction, waves), width)


def _one_mode(instruction: Instruction, waves: Waves) -> int:
    mode = waves.one_mode()
    if mode is None:
        raise lacking(instruction, "waves with different MODE registers together")
    return mode


def _without_ieee(
    instruction: Instruction,
    operation: Operation,
    function: Callable[..., Any],
    sources: Sequence[Values],
    waves: Waves,
) -> Callable[..., Any]:
    """Return what computes the results; no text says what arithmetic makes of a signalling NaN."""
    if operation.without_ieee is not None:
        return operation.without_ieee
    if operation.results[0].floating and any(
        kind.floating and (signalling(values) & waves.active).any()
        for kind, values in zip(operation.sources, sources, strict=True)
    ):
        raise lacking(instruction, "a signalling NaN here where MODE lacks IEEE")
    return function


def _rounding(mode: int, kind: Type) -> int:
    return mode & 3 if kind.width == 32 else mode >> 2 & 3


def _denormals(mode: int, width: int) -> int:
    return mode >> 4 & 3 if width == 32 else mode >> 6 & 3


def _input(mode: int, kind: Type, values: Values) -> Values:
    if not kind.floating or _denormals(mode, kind.width) & 1:
        return values
    return flushed(values)


def _output(mode: int, kind: Type, values: Values) -> Values:
    if not kind.floating or _denormals(mode, kind.width) & 2:
        return values
    return flushed(values.astype(kind.dtype, copy=False))


def clamped(waves: Waves, values: Values) -> Values:
    """Return numbers between 0 and 1; NaN is 0 where the MODE says so, as it usually does."""
    kind = values.dtype.type
    found = np.minimum(np.maximum(values, kind(0)), kind(1)) + kind(0)
    zeros = (waves.mode[waves.chosen] & np.uint32(_CLAMPS_NAN)) != 0
    return np.where(np.isnan(values), np.where(zeros[:, None], kind(0), values), found)
