"""Operands that are numbers: inline constants and literals.

MI200 ISA, "Scalar Operands" and "Vector Operands": an integer is extended by its sign. A literal
has 32 bits, the upper ones of a floating-point number of 64; in an integer of 64 bits zeros stand
above it, or for signed ones its sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsa_device.decoding import Kind, Operand, bits_of
from hsa_device.model.types import Type


def constant(operand: Operand, type_of: Type) -> NDArray[Any]:
    """Return the number that an operand is, as a value for all lanes.

    Args:
        operand: of kind INTEGER, FLOAT or NULL, which is 0.
        type_of: what it is used as.

    """
    width = type_of.width
    if operand.kind is Kind.FLOAT:
        bits = bits_of(operand.value, width if width in (16, 32, 64) else 32)
    else:
        bits = operand.number
        literal = "0x" in operand.text
        if literal and width == 64 and type_of.floating:
            bits <<= 32
        elif literal and width == 64 and type_of.dtype.kind == "i" and bits >> 31 & 1:
            bits -= 1 << 32
    unsigned = np.dtype(f"u{max(width, 8) // 8}")
    made: NDArray[Any] = np.full((1, 1), bits % (1 << max(width, 8)), unsigned)
    return made.view(type_of.dtype)
