"""Descriptions of images as bytes, and what the texts say of their numbers."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Final

#: Geometries: which of height, depth and layers each one uses.
GEOMETRIES: Final = ("1D", "2D", "3D", "1DA", "2DA", "1DB", "2DDEPTH", "2DADEPTH")
_HIGH: Final = ("2D", "3D", "2DA", "2DDEPTH", "2DADEPTH")
_DEEP: Final = ("3D",)
_LAYERED: Final = ("1DA", "2DA", "2DADEPTH")

_LAYOUT: Final = struct.Struct("<I4xQQQQIIQ")

#: Bytes of hsa_ext_image_descriptor_t, which the longer form begins with.
SHORT: Final = 48

#: Bytes of a channel, by its type, and of an element whose channels are packed.
_CHANNEL: Final = {0: 1, 1: 2, 2: 1, 3: 2, 8: 1, 9: 2, 10: 4, 11: 1, 12: 2, 13: 4, 14: 2, 15: 4}
_PACKED: Final = {5: 2, 6: 2, 7: 4}
#: Channels of an element, by their order, where none is padding.
_CHANNELS: Final = {0: 1, 1: 1, 3: 2, 5: 2, 8: 4, 9: 4, 10: 4, 11: 4, 14: 4, 15: 4, 16: 1, 17: 1}
_RGB: Final = 6
_DEPTH: Final = 18


#: How many times as long a dimension is that is longer.
_LONGER: Final = 32


@dataclass(frozen=True)
class Descriptor:
    """The members of hsa_ext_image_descriptor_v2_t; the shorter form lacks the levels."""

    geometry: int
    width: int
    height: int
    depth: int
    layers: int
    channel_type: int
    channel_order: int
    levels: int = 1

    @classmethod
    def parse(cls, content: bytes) -> Descriptor:
        """Return what bytes of the longer form describe."""
        return cls(*_LAYOUT.unpack(content))

    @classmethod
    def sized(
        cls,
        geometry: int,
        width: int,
        height: int,
        slices: int,
        channel_type: int,
        channel_order: int,
    ) -> Descriptor:
        """Return an image of a geometry, with those of the dimensions that it uses.

        Args:
            geometry: its number.
            width: elements in a row.
            height: rows.
            slices: planes of a box, or layers.
            channel_type: its number.
            channel_order: its number.

        """
        _, high, deep, layered = used(geometry)
        return cls(
            geometry,
            width,
            height * high,
            slices * deep,
            slices * layered,
            channel_type,
            channel_order,
        )

    @property
    def content(self) -> bytes:
        """Return the bytes of the longer form."""
        return _LAYOUT.pack(
            self.geometry,
            self.width,
            self.height,
            self.depth,
            self.layers,
            self.channel_type,
            self.channel_order,
            self.levels,
        )

    @property
    def key(self) -> tuple[int, ...]:
        """Return the members of the shorter form."""
        return (*self.format, self.width, self.height, self.depth, self.layers)

    @property
    def format(self) -> tuple[int, int, int]:
        """Return geometry, channel type and channel order."""
        return self.geometry, self.channel_type, self.channel_order

    @property
    def dimensions(self) -> tuple[int, int, int, int]:
        """Return width, height, depth and layers."""
        return self.width, self.height, self.depth, self.layers

    @property
    def uses(self) -> tuple[bool, bool, bool, bool]:
        """Return which of the dimensions the geometry uses."""
        return used(self.geometry)

    @property
    def elements(self) -> int:
        """Return how many elements the first level has."""
        return prod(n for n, use in zip(self.dimensions, self.uses, strict=True) if use)

    def longer(self, most: tuple[int, int, int, int]) -> Iterator[Descriptor]:
        """Yield images that are larger in one dimension each, as far as there can be any."""
        names = ("width", "height", "depth", "layers")
        for name, limit, use in zip(names, most, self.uses, strict=True):
            if use and limit > getattr(self, name):
                yield replace(self, **{name: min(limit, _LONGER * getattr(self, name))})

    def enlarged(self, least: int, most: tuple[int, int, int, int]) -> Descriptor:
        """Return an image of so many bytes or more, or the largest that there can be.

        Args:
            least: the bytes.
            most: width, height, depth and layers at most.

        """
        found = self
        names = ("width", "height", "depth", "layers")
        for name, limit, use in zip(names, most, self.uses, strict=True):
            number = getattr(found, name)
            if use and (missing := -(-least // (found.elements * (self.element or 1)))) > 1:
                found = replace(found, **{name: max(number, min(limit, number * missing))})
        return found

    @property
    def most_levels(self) -> int:
        """Return how many levels there are until every dimension is 1."""
        return max(self.width, self.height, self.depth, 1).bit_length()

    @property
    def element(self) -> int | None:
        """Return the bytes of an element; None where the texts leave that open."""
        if self.channel_order in (_RGB, _DEPTH):
            packed = self.channel_order == _RGB
            return (_PACKED if packed else _CHANNEL).get(self.channel_type)
        channel = _CHANNEL.get(self.channel_type)
        channels = _CHANNELS.get(self.channel_order)
        return channel * channels if channel and channels else None

    @property
    def row(self) -> int | None:
        """Return the bytes of a row without padding."""
        return self.width * self.element if self.element else None

    def slice(self, row: int) -> int:
        """Return the bytes of a slice or layer without padding; 0 where there are none."""
        name = GEOMETRIES[self.geometry] if self.geometry < len(GEOMETRIES) else ""
        if name == "1DA":
            return row
        return row * self.height if name in (*_DEEP, *_LAYERED) else 0


def used(geometry: int) -> tuple[bool, bool, bool, bool]:
    """Return whether a geometry uses width, height, depth and layers."""
    name = GEOMETRIES[geometry] if geometry < len(GEOMETRIES) else ""
    return True, name in _HIGH, name in _DEEP, name in _LAYERED
