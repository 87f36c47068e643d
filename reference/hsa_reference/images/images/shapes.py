"""Shapes of images: their geometry and dimensions, and where their rows and slices lie."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from hsa_reference import memory
from hsa_spec import Registry

# Structures of hsa_ext_image.h: a descriptor, and a region.
_SHORT: Final = struct.Struct("<I4xQQQQII")
_PLACES: Final = struct.Struct("<6I")
#: Bytes of hsa_ext_image_descriptor_t; the levels of the longer form are behind it.
_LEVELS: Final = _SHORT.size


@dataclass(frozen=True)
class Geometry:
    """A geometry: its name, such as "2DA", and which dimensions it has beside the width."""

    name: str

    @property
    def height(self) -> bool:
        """Return whether it has rows."""
        return self.name.startswith(("2D", "3D"))

    @property
    def depth(self) -> bool:
        """Return whether it has slices."""
        return self.name == "3D"

    @property
    def layers(self) -> bool:
        """Return whether it is an array."""
        return self.name.startswith(("1DA", "2DA"))

    @property
    def sliced(self) -> bool:
        """Return whether it has slices or layers."""
        return self.depth or self.layers


def geometries(registry: Registry) -> Mapping[int, Geometry]:
    """Return the geometries by number."""
    return {
        e.value: Geometry(e.name.removeprefix("HSA_EXT_IMAGE_GEOMETRY_"))
        for e in registry.enums["hsa_ext_image_geometry_t"].enumerators
    }


class Descriptor(NamedTuple):
    """The members of hsa_ext_image_descriptor_t."""

    geometry: int
    width: int
    height: int
    depth: int
    layers: int
    channel_type: int
    channel_order: int

    @property
    def format(self) -> tuple[int, int, int]:
        """Return geometry, channel type and channel order."""
        return self.geometry, self.channel_type, self.channel_order

    @property
    def most_levels(self) -> int:
        """Return how many levels there are until every dimension is 1."""
        return max(self.width, self.height, self.depth, 1).bit_length()


def read_descriptor(address: int) -> Descriptor:
    """Read a hsa_ext_image_descriptor_t, with which the longer form begins."""
    return Descriptor(*_SHORT.unpack(memory.copy(address, _SHORT.size)))


def read_levels(address: int) -> int:
    """Read how many levels a hsa_ext_image_descriptor_v2_t asks for; 0 and 1 both mean one."""
    return max(memory.load(address + _LEVELS, 8), 1)


class Place(NamedTuple):
    """A place in an image, or how far a part reaches: elements, rows, slices or layers."""

    x: int
    y: int
    z: int


def read_place(address: int) -> Place:
    """Read a hsa_dim3_t."""
    return Place(*memory.numbers(address, 3))


def read_region(address: int) -> tuple[Place, Place]:
    """Read where a hsa_ext_image_region_t starts, and its size."""
    numbers = _PLACES.unpack(memory.copy(address, _PLACES.size))
    return Place(*numbers[:3]), Place(*numbers[3:])


class Pitches(NamedTuple):
    """Bytes from a row to the next, and from a slice or layer to the next."""

    row: int
    slice: int


@dataclass(frozen=True)
class Level:
    """A level of an image in memory.

    Args:
        address: of its first element.
        extent: its elements in a row, rows, and slices or layers, each at least 1.
        pitches: of its rows and slices.
        element: bytes of an element.

    """

    address: int
    extent: Place
    pitches: Pitches
    element: int

    @property
    def size(self) -> int:
        """Return its bytes."""
        return self.pitches.slice * self.extent.z

    def holds(self, start: Place, part: Place) -> bool:
        """Return whether a part lies within it."""
        return all(s + p <= e for s, p, e in zip(start, part, self.extent, strict=True))

    def rows(self, start: Place, part: Place) -> Iterator[int]:
        """Yield where each row of a part starts, slice by slice."""
        for z in range(start.z, start.z + part.z):
            for y in range(start.y, start.y + part.y):
                yield (
                    self.address
                    + z * self.pitches.slice
                    + y * self.pitches.row
                    + start.x * self.element
                )


def extent(geometry: Geometry, described: Descriptor, level: int) -> Place:
    """Return how far a level of an image reaches; layers are as many in each."""
    depth = max(described.depth >> level, 1) if geometry.depth else 1
    return Place(
        max(described.width >> level, 1),
        max(described.height >> level, 1) if geometry.height else 1,
        described.layers if geometry.layers else depth,
    )


def levels(
    geometry: Geometry,
    described: Descriptor,
    element: int,
    *,
    address: int = 0,
    count: int = 1,
    alignment: int = 1,
    pitches: Pitches | None = None,
) -> list[Level]:
    """Lay out the levels of an image, one after the other.

    Args:
        geometry: of the image.
        described: its dimensions.
        element: bytes of an element.
        address: where its data starts.
        count: of levels.
        alignment: bytes that rows are padded to.
        pitches: of the first level, if they are given.

    """
    found: list[Level] = []
    for number in range(count):
        reach = extent(geometry, described, number)
        row = -(-reach.x * element // alignment) * alignment
        known = pitches if pitches and not number else Pitches(row, row * reach.y)
        found.append(Level(address, reach, known, element))
        address += found[-1].size
    return found
