"""Scratch: private memory of work-items, in which words of neighbouring lanes lie side by side.

MI200 ISA, "Flat Scratch": the word at an offset of a lane lies at offset / 4 * 256 + lane * 4 from
where the scratch of the wave begins.
"""

from __future__ import annotations

import numpy as np

from hsa_device.model.waves import WIDTH, Doubles, Values, Waves

_LANE = np.arange(WIDTH, dtype=np.uint64)


def lane_numbers(waves: Waves) -> Doubles:
    """Return the number of each active lane, as a list."""
    return waves.pack(_LANE)


def swizzled(base: Doubles, lanes: Doubles, offsets: Values) -> Doubles:
    """Return the addresses of bytes of scratch.

    Args:
        base: where the scratch of the wave begins, for each active lane.
        lanes: the number of the lane.
        offsets: of bytes in the scratch of the lane.

    """
    offset = offsets.astype(np.uint64)
    word = (offset & np.uint64(0xFFFFFFFC)) * np.uint64(WIDTH)
    return base + word + lanes * np.uint64(4) + (offset & np.uint64(3))
