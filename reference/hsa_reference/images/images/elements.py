"""How elements of images are stored: their bytes, and values converted to them."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from hsa_spec import Registry

_INTEGERS: Final = {"INT8": 8, "INT16": 16, "INT32": 32}
#: Which component of a value each stored one is: red, green, blue, alpha.
_ORDERS: Final = {
    "A": "a",
    "R": "r",
    "RG": "rg",
    "RA": "ra",
    "RGB": "rgb",
    "RGBA": "rgba",
    "BGRA": "bgra",
    "ARGB": "argb",
    "ABGR": "abgr",
    "SRGB": "rgb",
    "SRGBA": "rgba",
    "SBGRA": "bgra",
    "INTENSITY": "r",
    "LUMINANCE": "r",
    "DEPTH": "r",
}
#: Bits of packed components, from the most significant one that is used.
_PACKED: Final = {
    "UNORM_SHORT_555": (5, 5, 5),
    "UNORM_SHORT_565": (5, 6, 5),
    "UNORM_SHORT_101010": (10, 10, 10),
}
_SCALAR: Final = "DEPTH"

Conversion = Callable[[int], int]
"""From the 32 bits of a component of a value to its bits as stored."""


@dataclass(frozen=True)
class Component:
    """A stored component: which one of a value it is, its bits, and how it comes from 32 bits."""

    source: int
    bits: int
    convert: Conversion


@dataclass(frozen=True)
class Element:
    """What an element of a format is made of.

    Attributes:
        size: bytes.
        values: components of a value that elements are set to: 32 bits each.
        components: as they are stored, in ascending order of addresses; or from the most
            significant bit on, if they are packed.
        packed: whether they are parts of one number.

    """

    size: int
    values: int
    components: Sequence[Component]
    packed: bool

    def encode(self, value: Sequence[int]) -> bytes:
        """Return the bytes of an element that is set to a value of 32 bits for each component."""
        if not self.packed:
            return b"".join(
                c.convert(value[c.source]).to_bytes(c.bits // 8, "little") for c in self.components
            )
        number = 0
        for c in self.components:
            number = number << c.bits | c.convert(value[c.source])
        return number.to_bytes(self.size, "little")


class Elements:
    """The elements of all formats.

    Args:
        registry: names the channel types and orders.

    """

    def __init__(self, registry: Registry) -> None:
        self._types = _names(registry, "hsa_ext_image_channel_type_t", "CHANNEL_TYPE_")
        self._orders = _names(registry, "hsa_ext_image_channel_order_t", "CHANNEL_ORDER_")

    def of(self, channel_type: int, channel_order: int) -> Element | None:
        """Return the element of a format, None where the texts do not say how it is stored."""
        return element(self._types.get(channel_type, ""), self._orders.get(channel_order, ""))


@cache
def element(channel_type: str, channel_order: str) -> Element | None:
    """Return the element of a format, None where the texts do not say how it is stored.

    Args:
        channel_type: what is left of an enumerator, such as "UNORM_INT8".
        channel_order: likewise, such as "RGBA".

    """
    stored = _ORDERS.get(channel_order, "")
    channels: Sequence[tuple[int, Conversion]]
    packed = channel_type in _PACKED
    if packed:
        if channel_order != "RGB":
            return None
        channels = [(bits, partial(_unorm, bits)) for bits in _PACKED[channel_type]]
    else:
        channel = _channel(channel_type)
        if channel is None or not stored or channel_order == "RGB":
            return None
        channels = [channel] * len(stored)
    if channel_order.startswith("S"):
        if channel_type != "UNORM_INT8":
            return None
        colour: tuple[int, Conversion] = 8, partial(_standard, 8)
        channels = [c if s == "a" else colour for s, c in zip(stored, channels, strict=True)]
    components = tuple(
        Component("rgba".index(s), *channel) for s, channel in zip(stored, channels, strict=True)
    )
    size = -(-sum(c.bits for c in components) // 8)
    return Element(size, 1 if channel_order == _SCALAR else 4, components, packed)


def _channel(channel_type: str) -> tuple[int, Conversion] | None:
    kind, _, width = channel_type.partition("_")
    if channel_type == "HALF_FLOAT":
        return 16, _half
    if channel_type == "FLOAT":
        return 32, _same
    conversions: Mapping[str, Callable[[int, int], int]] = {
        "SNORM": _snorm,
        "UNORM": _unorm,
        "SIGNED": _signed,
        "UNSIGNED": _unsigned,
    }
    bits = _INTEGERS.get(width)
    return (bits, partial(conversions[kind], bits)) if bits and kind in conversions else None


def _names(registry: Registry, enum: str, prefix: str) -> Mapping[int, str]:
    """Return what is left of the names of an enumeration, by their numbers."""
    return {
        e.value: e.name.removeprefix(f"HSA_EXT_IMAGE_{prefix}")
        for e in registry.enums[enum].enumerators
    }


# conversions


def _float(word: int) -> float:
    (value,) = struct.unpack("<f", word.to_bytes(4, "little"))
    return float(value)


def _clamped(value: float, least: float) -> float:
    """Return a number between `least` and 1; what is none becomes 0."""
    return 0.0 if math.isnan(value) else min(max(value, least), 1.0)


def _unorm(bits: int, word: int) -> int:
    return round(_clamped(_float(word), 0.0) * ((1 << bits) - 1))


def _snorm(bits: int, word: int) -> int:
    return round(_clamped(_float(word), -1.0) * ((1 << bits - 1) - 1)) & (1 << bits) - 1


def _standard(bits: int, word: int) -> int:
    """Convert a linear colour to sRGB."""
    linear = _clamped(_float(word), 0.0)
    curved = 12.92 * linear if linear < 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return round(curved * ((1 << bits) - 1))


def _signed(bits: int, word: int) -> int:
    value = word - (word >> 31 << 32)
    most = (1 << bits - 1) - 1
    return min(max(value, -most - 1), most) & (1 << bits) - 1


def _unsigned(bits: int, word: int) -> int:
    return min(word, (1 << bits) - 1)


def _half(word: int) -> int:
    value = _float(word)
    try:
        data = struct.pack("<e", value)
    except OverflowError:
        data = struct.pack("<e", math.copysign(math.inf, value))
    return int.from_bytes(data, "little")


def _same(word: int) -> int:
    return word
