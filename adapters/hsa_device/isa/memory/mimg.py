"""MI200 ISA, 12.16 MIMG: loads and stores of elements of images, in the linear layout.

Elements outside of an image are loaded as 0, and stores there do nothing. Tiled layouts, levels,
compression and 16-bit coordinates or data are not executed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa.memory import elements, transfers
from hsa_device.isa.memory.texels import Texel, one_resource, read_texel
from hsa_device.model.compilation import Compile, Section, lacking, not_imitated, require_known
from hsa_device.model.waves import Doubles, Lanes, Values, Waves

# Some speak of caches, which nothing here has; coordinates of loads and stores are whole anyway.
_MODIFIERS = ("dmask", "unorm", "da", "glc", "slc")
#: Coordinates by the type of an image, and whether the last one counts slices of an array.
_TYPES: Mapping[int, tuple[int, bool]] = {
    8: (1, False),
    9: (2, False),
    10: (3, False),
    12: (2, True),
    13: (3, True),
}


@dataclass(frozen=True)
class _Image:
    """An image, as its resource says.

    Args:
        base: its address.
        sizes: of what each coordinate counts.
        first: the slice that the last coordinate counts from.
        pitch: elements from a row to the next.
        rows: from a slice to the next.
        texel: what its elements are.

    """

    base: int
    sizes: Sequence[int]
    first: int
    pitch: int
    rows: int
    texel: Texel

    def at(self, coordinates: Sequence[Values]) -> tuple[Doubles, Lanes]:
        """Return addresses of elements, and which lie in the image."""
        inside = np.ones(len(coordinates[0]), np.bool_)
        for coordinate, size in zip(coordinates, self.sizes, strict=True):
            inside &= coordinate < np.uint32(size)
        strides = (1, self.pitch, self.pitch * self.rows)  # in arrays of rows a slice is a row
        addresses = np.full(
            len(inside), self.base + self.first * strides[2] * self.texel.size, "u8"
        )
        for coordinate, stride in zip(coordinates, strides, strict=False):
            addresses += coordinate.astype(np.uint64) * np.uint64(stride * self.texel.size)
        return addresses, inside


def _image(instruction: Instruction, resource: int) -> _Image:
    """Return the image of a resource of 256 bits ("Image Resource Definition").

    Raises:
        NotExecutedError: the device lacks such images.

    """

    def field(first: int, size: int) -> int:
        return resource >> first & (1 << size) - 1

    kind, mode = field(124, 4), field(116, 5)
    if kind < min(_TYPES):
        raise not_imitated(instruction, f"images of type {kind} are reserved")
    dimensions = _TYPES.get(kind)
    if dimensions is None:
        raise lacking(instruction, f"images of type {kind}")
    if mode:
        raise not_imitated(instruction, f"the tiled layout SW_MODE {mode} is opaque")
    if field(108, 4) or field(112, 4) or field(213, 1):
        raise lacking(instruction, "images with levels or compression")
    count, array = dimensions
    if array != instruction.has("da"):
        raise lacking(instruction, "an image of one kind as an array, or an array as one")
    first, last = field(160, 13) if array else 0, field(128, 13)
    flat = count - array == 1
    slices = [last + 1 - first] if array or count == 3 else []
    sizes = [field(64, 14) + 1, *([] if flat else [field(78, 14) + 1]), *slices]
    return _Image(
        base=field(0, 40) << 8,
        sizes=sizes,
        first=first,
        pitch=field(141, 16) + 1,
        rows=1 if flat else sizes[1],
        texel=read_texel(instruction, field(52, 6), field(58, 4), field(96, 12)),
    )


class _Access:
    """What an instruction accesses; see `elements.Access`."""

    def __init__(self, instruction: Instruction) -> None:
        require_known(instruction, *_MODIFIERS)
        data, address, resource = instruction.operands
        self.data = transfers.require_register(instruction, data)
        self._address = transfers.require_register(instruction, address)
        if resource.kind is not Kind.SCALAR or resource.count != 8:
            raise lacking(instruction, f"the resource {resource.text!r}")
        self._resource = resource.number
        self._instruction = instruction
        mask = instruction.number("dmask")
        if not mask:
            raise lacking(instruction, "a dmask of 0")
        self.components = [n for n in range(4) if mask >> n & 1]

    def elements(self, waves: Waves) -> tuple[Texel, Doubles, Lanes] | None:
        """Return the elements of the active lanes."""
        resource = one_resource(self._instruction, waves, self._resource, 8)
        if resource is None:
            return None
        image = _image(self._instruction, resource)
        registers = (transfers.register(waves, self._address, n) for n in range(len(image.sizes)))
        return image.texel, *image.at([waves.packed(register) for register in registers])


_INSTRUCTIONS: Mapping[str, Compile] = {
    "image_load": lambda instruction: elements.load(_Access(instruction)),
    "image_store": lambda instruction: elements.store(_Access(instruction)),
}

# Hardware may round numbers that are converted in another way.
SECTION = Section("MIMG", _INSTRUCTIONS, {}, frozenset(_INSTRUCTIONS))
