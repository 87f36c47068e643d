"""Elements of images and typed buffers: their components in memory, and in registers.

MI200 ISA, "Image Resource" and "Buffer Resource": data format, number format and DST_SEL. What the
manual leaves open, the device does not execute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.errors import NotExecutedError
from hsa_device.memory import Memory
from hsa_device.model.compilation import lacking
from hsa_device.model.waves import Doubles, Lanes, Values, Waves, Words

#: Bits of the components by data format: the first is the lowest, and the X of DST_SEL.
_WIDTHS: Mapping[int, Sequence[int]] = dict(
    (
        *((1, (8,)), (2, (16,)), (3, (8, 8)), (4, (32,)), (5, (16, 16))),
        *((8, (2, 10, 10, 10)), (9, (10, 10, 10, 2)), (10, (8,) * 4)),
        *((11, (32,) * 2), (12, (16,) * 4), (13, (32,) * 3), (14, (32,) * 4)),
        *((16, (5, 6, 5)), (17, (5, 5, 5, 1)), (18, (1, 5, 5, 5)), (19, (4,) * 4)),
    )
)
#: What the numbers of a format mean; those that are missing are reserved.
_NUMBERS = ["unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "-", "float", "-", "srgb"]
_INTEGERS = ("uint", "sint")
_SIGNED = ("snorm", "sscaled", "sint")
_ZERO, _ONE, _FIRST = 0, 1, 4  # of DST_SEL
_BITS_OF_ONE = 0x3F800000


@dataclass(frozen=True)
class Texel:
    """What an element is.

    Args:
        instruction: that accesses it.
        widths: of its components in bits.
        number: what they mean.
        selects: DST_SEL of X, Y, Z and W.

    """

    instruction: Instruction
    widths: Sequence[int]
    number: str
    selects: Sequence[int]

    @property
    def size(self) -> int:
        """Return the bytes of an element."""
        return sum(self.widths) // 8

    @property
    def _unit(self) -> int:
        """Return the bytes of the numbers that it is loaded and stored as."""
        return min(self.size, 4)

    def load(self, memory: Memory, addresses: Doubles, inside: Lanes) -> Sequence[Words]:
        """Return what X, Y, Z and W of registers hold after a load.

        Args:
            memory: that the addresses are of.
            addresses: of the elements; a list.
            inside: which of them there are; others load 0.

        Raises:
            NotExecutedError: one is outside, and a component is the constant 1.

        """
        if _ONE in self.selects and not inside.all():
            raise self._lacks("a load outside of what has a component that is always 1")
        units = []
        for place in range(0, self.size, self._unit):
            number = np.zeros(len(addresses), np.uint32)
            number[inside] = memory.load(addresses[inside] + np.uint64(place), self._unit)
            units.append(number)
        raws = self._split(units)
        found = []
        for select in self.selects:
            if select >= _FIRST and select - _FIRST < len(raws):
                place = select - _FIRST
                words = self._from_memory(place, raws[place])
                found.append(np.where(inside, words, np.uint32(0)))
            else:
                found.append(np.full(len(addresses), self._constant(select), np.uint32))
        return found

    def store(self, memory: Memory, addresses: Doubles, words: Sequence[Words]) -> None:
        """Write elements.

        Args:
            memory: that the addresses are of.
            addresses: of the elements; a list.
            words: X, Y, Z and W of registers, as lists.

        Raises:
            NotExecutedError: several go to one place, or one does not fit.

        """
        for place, unit in enumerate(self._units(words)):
            memory.store(addresses + np.uint64(place * self._unit), unit, self._unit)

    def _units(self, words: Sequence[Words]) -> Sequence[Words]:
        units = [np.zeros_like(words[0]) for _ in range(0, self.size, self._unit)]
        at = 0
        for place, width in enumerate(self.widths):
            sources = [words[n] for n, s in enumerate(self.selects) if s - _FIRST == place]
            if any(not np.array_equal(sources[0], each) for each in sources[1:]):
                raise self._lacks("a store of several components to one place")
            if sources:
                units[at // 32] |= self._to_memory(place, sources[0]) << np.uint32(at % 32)
            at += width
        return units

    def _constant(self, select: int) -> int:
        if select == _ONE:
            return 1 if self.number in _INTEGERS else _BITS_OF_ONE
        # Components that the format lacks are 0 as well.
        return _ZERO

    def _split(self, units: Sequence[Values]) -> Sequence[Words]:
        found, at = [], 0
        for width in self.widths:
            word = units[at // 32].astype(np.uint32) >> np.uint32(at % 32)
            found.append(word & np.uint32(2**width - 1))
            at += width
        return found

    def _from_memory(self, place: int, raw: Words) -> Words:
        width, number = self.widths[place], self._number(place)
        if number == "uint" or (number == "float" and width == 32):
            return raw
        if number == "float":
            return raw.astype(np.uint16).view(np.float16).astype(np.float32).view(np.uint32)
        values: Values = raw.astype(np.int64)
        if number in _SIGNED:
            values = values - (values >> width - 1 << width)
        if number == "sint":
            return values.astype(np.int32).view(np.uint32)
        scaled = _FROM[number](values / _largest(number, width))
        return scaled.astype(np.float32).view(np.uint32)

    def _to_memory(self, place: int, words: Words) -> Words:
        width, number = self.widths[place], self._number(place)
        if number == "float":
            values = np.ascontiguousarray(words).view(np.float32)
            return (
                words
                if width == 32
                else values.astype(np.float16).view(np.uint16).astype(np.uint32)
            )
        if number in _INTEGERS:
            return self._integers(place, words)
        if number not in ("unorm", "snorm"):
            raise self._lacks(f"a store as {number}")
        values = np.ascontiguousarray(words).view(np.float32).astype(np.float64)
        least = -1.0 if number == "snorm" else 0.0
        inside = np.clip(np.where(np.isnan(values), 0.0, values), least, 1.0)
        whole = np.rint(inside * _largest(number, width)).astype(np.int64)
        return (whole & 2**width - 1).astype(np.uint32)

    def _integers(self, place: int, words: Words) -> Words:
        width = self.widths[place]
        low = words & np.uint32(2**width - 1)
        if not np.array_equal(self._from_memory(place, low), words):
            raise self._lacks(f"a store of an integer that {width} bits cannot hold")
        return low

    def _number(self, place: int) -> str:
        """Return what a component means: of sRGB the last one, alpha, is linear."""
        return "unorm" if self.number == "srgb" and place == 3 else self.number

    def _lacks(self, what: str) -> NotExecutedError:
        return lacking(self.instruction, what)


def _largest(number: str, width: int) -> int:
    """Return the integer that stands for 1."""
    if number.endswith("scaled"):
        return 1
    return 2 ** (width - (number == "snorm")) - 1


def _linear(values: Values) -> Values:
    """Return linear values of sRGB (IEC 61966-2-1)."""
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _same(values: Values) -> Values:
    return values


_FROM: Mapping[str, Callable[[Values], Values]] = {
    **dict.fromkeys(("unorm", "uscaled", "sscaled"), _same),
    "snorm": lambda values: np.maximum(values, -1.0),
    "srgb": _linear,
}


def read_texel(instruction: Instruction, data: int, number: int, selects: int) -> Texel:
    """Return what elements are, as a resource says.

    Args:
        instruction: that accesses them.
        data: the data format.
        number: the number format.
        selects: DST_SEL, three bits each, X the lowest.

    Raises:
        NotExecutedError: the device lacks such elements.

    """
    widths, kind = _WIDTHS.get(data, ()), "".join(_NUMBERS[number : number + 1])
    possible = {
        **dict.fromkeys(("", "-"), False),
        "float": set(widths) <= {16, 32},
        "srgb": set(widths) == {8},
        **dict.fromkeys(_INTEGERS, True),
    }
    if not widths or not possible.get(kind, max(widths) <= 16):
        raise lacking(instruction, f"data format {data} with number format {number}")
    each = [selects >> 3 * n & 7 for n in range(4)]
    return Texel(instruction, widths, kind, each)


def one_resource(instruction: Instruction, waves: Waves, first: int, words: int) -> int | None:
    """Return the resource that waves have, None where no lane is active.

    Args:
        instruction: that uses it.
        waves: the waves.
        first: the scalar register that it begins in.
        words: its size in words of 32 bits.

    Raises:
        NotExecutedError: they have different ones.

    """
    busy = waves.active.any(axis=1)
    parts = [waves.words(first + n)[busy] for n in range(0, words, 2)]
    if not busy.any():
        return None
    if any((part != part[0]).any() for part in parts):
        raise lacking(instruction, "waves with different resources together")
    return sum(int(part[0]) << 64 * n for n, part in enumerate(parts))
