"""MI200 ISA, 12.12 VOP3A: V_CUBEID, V_CUBESC, V_CUBETC and V_CUBEMA: faces of a cube."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import Values


def _by_axis(x: Values, y: Values, z: Values, *found: Values) -> Values:
    """Return what belongs to the longest axis: Z goes before Y, and Y before X."""
    along_z = (np.abs(z) >= np.abs(x)) & (np.abs(z) >= np.abs(y))
    along_y = np.abs(y) >= np.abs(x)
    of_x, of_y, of_z = found
    return np.where(along_z, of_z, np.where(along_y, of_y, of_x))


def _face(x: Values, y: Values, z: Values) -> Values:
    sides = [
        np.where(v < 0, np.float32(2 * n + 1), np.float32(2 * n)) for n, v in enumerate((x, y, z))
    ]
    return _by_axis(x, y, z, *sides)


def _across(x: Values, y: Values, z: Values) -> Values:
    return _by_axis(x, y, z, np.where(x < 0, z, -z), x, np.where(z < 0, -x, x))


def _down(x: Values, y: Values, z: Values) -> Values:
    return _by_axis(x, y, z, -y, np.where(y < 0, -z, z), -y)


def _axis(x: Values, y: Values, z: Values) -> Values:
    return 2 * _by_axis(x, y, z, x, y, z)


OPERATIONS: Mapping[str, Operation] = {
    f"v_cube{name}_f32": op("f32: f32 f32 f32", function, rounds=True)
    for name, function in (("id", _face), ("sc", _across), ("tc", _down), ("ma", _axis))
}
