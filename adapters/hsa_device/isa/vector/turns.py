"""MI200 ISA, 12.12 VOP3A: V_TRIG_PREOP, parts of 2 divided by pi that reduce large angles."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hsa_device.isa.vector.floats import quiet
from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import Values

#: The first bits of 2 divided by pi, behind the point.
_DIGITS = (
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09"
    "d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff8"
    "97ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292"
    "ea6bfb5fb11f8d5d0856033046fc7b0"
)
_BITS = 1201
_QUOTIENT = int(_DIGITS, 16) >> (4 * len(_DIGITS) - _BITS)
_PART = 53  # bits of a part
_LARGE = 1077  # the exponent, as its field has it, from which parts begin later


def _part(first: int) -> float:
    """Return the bits from one on, as a whole number; there are zeros behind the last one."""
    return float((_QUOTIENT << _PART + first >> _BITS) & (1 << _PART) - 1)


def _preparation(values: Values, segment: Values) -> Values:
    """Return the part with a number, of those that matter to an angle of this size; NaN of NaN."""
    values, segment = np.broadcast_arrays(values, segment)
    exponent = values.view(np.int64) >> 52 & 0x7FF
    first = (segment & np.uint32(31)).astype(np.int64) * _PART + np.maximum(exponent - _LARGE, 0)
    found = np.empty(first.shape, np.float64)
    for each in np.unique(first).tolist():
        found[first == each] = _part(each)
    power = np.where(exponent >= 1968, 128, 0) - _PART - first
    return np.where(np.isnan(values), quiet(values), np.ldexp(found, power.astype(np.int32)))


OPERATIONS: Mapping[str, Operation] = {
    "v_trig_preop_f64": op("f64: f64 u32", _preparation, rounds=True)
}
