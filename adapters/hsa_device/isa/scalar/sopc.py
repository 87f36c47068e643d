"""MI200 ISA, 12.4 SOPC: scalar comparisons."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.isa.scalar.operands import scalars
from hsa_device.model.compilation import Section
from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import Values

COMPARISONS: Mapping[str, Callable[[Values, Values], Values]] = {
    "eq": operator.eq,
    "lg": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}


def _bit_is(bit: int) -> Callable[[Values, Values], Values]:
    def compared(value: Values, place: Values) -> Values:
        kind = value.dtype.type
        count = (place & np.uint32(value.dtype.itemsize * 8 - 1)).astype(value.dtype)
        return (value >> count & kind(1)) == kind(bit)

    return compared


OPERATIONS: Mapping[str, Operation] = {
    **{
        f"s_cmp_{name}_{t}32": op(f"scc: {t}32 {t}32", function)
        for name, function in COMPARISONS.items()
        for t in "iu"
    },
    **{f"s_cmp_{n}_u64": op("scc: u64 u64", COMPARISONS[n]) for n in ("eq", "lg")},
    **{f"s_bitcmp{b}_b{n}": op(f"scc: b{n} b32", _bit_is(b)) for b in (0, 1) for n in (32, 64)},
}

SECTION = Section("SOPC", scalars(OPERATIONS), {})
