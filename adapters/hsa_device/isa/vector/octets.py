"""MI200 ISA, 12.12 VOP3A: bytes and halves of registers, each on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import Values


def _distance(a: Values, b: Values) -> Values:
    return np.maximum(a, b) - np.minimum(a, b)


def _parts(size: int, *sources: Values) -> Iterator[tuple[int, tuple[Values, ...]]]:
    """Yield where each part lies, and what the sources have there."""
    mask = np.uint32((1 << size) - 1)
    for place in range(0, 32, size):
        yield place, tuple(source >> np.uint32(place) & mask for source in sources)


def _distances(
    size: int, *, shift: int = 0, masked: bool = False
) -> Callable[[Values, Values, Values], Values]:
    """Return what adds the distances of all parts to what there was.

    Args:
        size: of a part in bits.
        shift: where the sum of the distances begins.
        masked: whether parts of the second source that are 0 do not count.

    """

    def total(a: Values, b: Values, c: Values) -> Values:
        found: Values = np.zeros(1, np.uint32)
        for _, (one, other) in _parts(size, a, b):
            apart = _distance(one, other)
            found = found + (np.where(other == 0, np.uint32(0), apart) if masked else apart)
        return (found << np.uint32(shift)) + c

    return total


def _means(a: Values, b: Values, rounds: Values) -> Values:
    """Return means of bytes, rounded up where the lowest bit of the third source's byte is set."""
    found: Values = np.zeros(1, np.uint32)
    for place, (one, other, up) in _parts(8, a, b, rounds):
        found = found | (one + other + (up & np.uint32(1)) >> np.uint32(1)) << np.uint32(place)
    return found


_THREE = "u32: u32 u32 u32"
OPERATIONS: Mapping[str, Operation] = {
    "v_sad_u8": op(_THREE, _distances(8)),
    "v_sad_u16": op(_THREE, _distances(16)),
    "v_sad_u32": op(_THREE, lambda a, b, c: _distance(a, b) + c),
    "v_sad_hi_u8": op(_THREE, _distances(8, shift=16)),
    "v_msad_u8": op(_THREE, _distances(8, masked=True)),
    "v_lerp_u8": op("u32: u32 u32 b32", _means),
}
