"""Boxes of bytes in memory of rows and slices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hsa_reference import memory


class PitchedPointer(NamedTuple):
    """Memory in rows and slices, and a place in it.

    Args:
        base: its start.
        pitch: bytes from one row to the next.
        slice: bytes from one slice to the next.
        x: bytes from the start of a row.
        y: rows from the start of a slice.
        z: slices from the base.

    """

    base: int
    pitch: int
    slice: int
    x: int
    y: int
    z: int

    def row(self, y: int, z: int) -> int:
        """Return where the row is that lies so many rows and slices further."""
        return self.base + (self.z + z) * self.slice + (self.y + y) * self.pitch + self.x


def read_pitched(pitched: int, offset: int) -> PitchedPointer:
    """Return what a hsa_pitched_ptr_t and a hsa_dim3_t say."""
    base, pitch, slice_ = memory.words(pitched, 3)
    return PitchedPointer(base, pitch, slice_, *read_dim3(offset))


def read_dim3(address: int) -> tuple[int, int, int]:
    """Return the members of a hsa_dim3_t."""
    x, y, z = (memory.load(address + 4 * i, 4) for i in range(3))
    return x, y, z


def rows(
    to: PitchedPointer, of: PitchedPointer, extent: tuple[int, int, int]
) -> Iterator[tuple[int, int, int]]:
    """Yield where each row of a box goes to, where it comes from, and its size in bytes."""
    width, height, depth = extent
    for z in range(depth):
        for y in range(height):
            yield to.row(y, z), of.row(y, z), width
