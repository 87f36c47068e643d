"""Scratch: private memory of work-items, in which words of neighbouring lanes lie side by side.

MI200 ISA, "Flat Scratch", and RDNA3 ISA, "Scratch Space": the word at an offset of a lane lies at
offset / 4 * width * 4 + lane * 4 from where the scratch of the wave begins, where the width is how
many lanes a wave has.
"""

from __future__ import annotations

import numpy as np

from hsa_device.model.waves import Doubles, Values, Waves


def lane_numbers(waves: Waves) -> Doubles:
    """Return the number of each active lane, as a list."""
    return waves.pack(np.arange(waves.width, dtype=np.uint64))


def swizzled(base: Doubles, lanes: Doubles, offsets: Values, width: int) -> Doubles:
    """Return the addresses of bytes of scratch.

    Args:
        base: where the scratch of the wave begins, for each active lane.
        lanes: the number of the lane.
        offsets: of bytes in the scratch of the lane.
        width: work-items of a wave.

    """
    offset = offsets.astype(np.uint64)
    word = (offset & np.uint64(0xFFFFFFFC)) * np.uint64(width)
    return base + word + lanes * np.uint64(4) + (offset & np.uint64(3))
