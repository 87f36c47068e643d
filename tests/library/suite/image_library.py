"""A library with images: the reference, and images and samplers in plain memory, one layout."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from hsa_reference import Runtime
from hsa_spec import Registry

SUCCESS, INVALID_ARGUMENT, INVALID_AGENT, NOT_INITIALIZED = 0, 0x1001, 0x1004, 0x100B
FORMAT_UNSUPPORTED, SIZE_UNSUPPORTED, PITCH_UNSUPPORTED, SAMPLER_UNSUPPORTED = range(0x3000, 0x3004)

#: What functions of images begin with; the reference's are not part of this library.
OWN = ("hsa_ext_image_", "hsa_ext_sampler_", "hsa_amd_image_")

EXTENSIONS, IMAGES = 20, 1
ALIGNMENT = 256
INVARIANT = 16
LINEAR = 1
#: What can be done with formats, and their bytes, by channel type and order.
FORMATS = {
    (11, 8): (7 | INVARIANT, 4),
    (15, 1): (7, 4),
    (2, 14): (1 | INVARIANT, 4),
    (2, 8): (7 | INVARIANT, 4),
}
BITS = {1: 1, 2: 2, 3: 4}
LIMITS = {0x3000: 1, 0x3001: 1, 0x3002: 1, 0x3003: 2, 0x3004: 2, 0x3005: 2, 0x3006: 2, 0x3007: 3}
LAYERS, CHIP, PITCH = 0x3008, 0xA000, 0x300C
MOST = 65536
GEOMETRIES = 8
FILTER, MODE = 1, 4


@dataclass(frozen=True)
class Shape:
    """A descriptor that was read."""

    geometry: int
    width: int
    height: int
    depth: int
    layers: int
    channel_type: int
    channel_order: int
    levels: int

    @classmethod
    def at(cls, address: int, size: int) -> Shape:
        found = ctypes.string_at(address, size) + bytes(56 - size)
        return cls(*struct.unpack("<I4xQQQQIIQ", found))

    @property
    def element(self) -> int:
        return FORMATS[self.channel_type, self.channel_order][1]

    @property
    def slices(self) -> int:
        return max(self.depth, self.layers, 1)

    @property
    def rows(self) -> int:
        return max(self.height, 1)


@dataclass
class Image:
    """A live image; what kernels read of it is its handle."""

    agent: int
    shape: Shape
    data: int
    row: int
    slice: int
    words: ctypes.Array[ctypes.c_char] = field(
        default_factory=lambda: ctypes.create_string_buffer(b"kernels read this", 64)
    )

    @property
    def handle(self) -> int:
        return ctypes.addressof(self.words)

    def at(self, x: int, y: int, z: int) -> int:
        return self.data + z * self.slice + y * self.row + x * self.shape.element


def u32(address: int, count: int) -> tuple[int, ...]:
    return struct.unpack(f"<{count}I", ctypes.string_at(address, 4 * count))


def store(address: int, *numbers: int) -> None:
    ctypes.memmove(address, struct.pack(f"<{len(numbers)}Q", *numbers), 8 * len(numbers))


class ImageLibrary:
    """The functions of one process; tests replace methods to make a wrong one."""

    def __init__(self, registry: Registry) -> None:
        self.runtime = Runtime(registry=registry)
        self.images: dict[int, Image] = {}
        self.samplers: set[int] = set()
        self.numbers = count(0x5000, 16)

    def functions(self) -> dict[str, Callable[..., int]]:
        own = {name: getattr(self, name) for name in dir(self) if name.startswith("hsa_")}
        guarded = {name: self._guarded(function) for name, function in own.items()}
        others = {
            name: function
            for name, function in self.runtime.functions().items()
            if not name.startswith(OWN)
        }
        return {**others, **guarded}

    def _guarded(self, function: Callable[..., int]) -> Callable[..., int]:
        def call(*args: int) -> int:
            if not self.runtime.state.references:
                return NOT_INITIALIZED
            if self.runtime.state.find("agent", args[0]) is None:
                return INVALID_AGENT
            return function(*args)

        return call

    def has_images(self, agent: int) -> bool:
        return self.runtime.state.find("agent", agent).device == "gpu"

    # limits and capabilities

    def limits(self, attribute: int) -> list[int]:
        return [MOST] * (1 if attribute == LAYERS else LIMITS[attribute])

    def hsa_agent_get_info(self, agent: int, attribute: int, value: int) -> int:
        if self.has_images(agent) and value:
            if attribute == CHIP:
                ctypes.memmove(value, struct.pack("<I", 0x1234), 4)
                return SUCCESS
            if attribute == EXTENSIONS:
                ctypes.memmove(value, (1 << IMAGES).to_bytes(128, "little"), 128)
                return SUCCESS
            if attribute == PITCH:
                store(value, ALIGNMENT)
                return SUCCESS
            if attribute in (*LIMITS, LAYERS):
                return self.hsa_amd_image_get_info_max_dim(agent, attribute, value)
        return self.runtime.functions()["hsa_agent_get_info"](agent, attribute, value)

    def hsa_amd_image_get_info_max_dim(self, agent: int, attribute: int, value: int) -> int:
        if not value or attribute not in (*LIMITS, LAYERS):
            return INVALID_ARGUMENT
        store(value, *self.limits(attribute))
        return SUCCESS

    def mask(self, agent: int, channel_type: int, channel_order: int) -> int:
        found = FORMATS.get((channel_type, channel_order), (0, 0))[0]
        return found if self.has_images(agent) else 0

    def hsa_ext_image_get_capability(self, agent: int, geometry: int, form: int, out: int) -> int:
        if not form or not out or geometry >= GEOMETRIES:
            return INVALID_ARGUMENT
        ctypes.memmove(out, struct.pack("<I", self.mask(agent, *u32(form, 2))), 4)
        return SUCCESS

    def hsa_ext_image_get_capability_with_layout(
        self, agent: int, geometry: int, form: int, layout: int, out: int
    ) -> int:
        if layout != LINEAR:
            return INVALID_ARGUMENT
        return self.hsa_ext_image_get_capability(agent, geometry, form, out)

    # what data needs

    def refusal(self, agent: int, shape: Shape, access: int) -> int:
        if access not in BITS:
            return INVALID_ARGUMENT
        if not self.mask(agent, shape.channel_type, shape.channel_order) & BITS[access]:
            return FORMAT_UNSUPPORTED
        if max(shape.width, shape.height, shape.depth, shape.layers) > MOST:
            return SIZE_UNSUPPORTED
        if shape.levels > max(shape.width, shape.height, shape.depth).bit_length():
            return INVALID_ARGUMENT
        return SUCCESS

    def pitches(self, shape: Shape, row: int, slice_: int) -> tuple[int, int] | None:
        """Return the pitches that are meant, or None where they do not fit."""
        least = shape.width * shape.element
        sliced = bool(shape.depth or shape.layers)
        row = row or least
        whole = row * shape.rows if sliced else 0
        if row < least or row % ALIGNMENT or (slice_ and (slice_ < whole or slice_ % row)):
            return None
        return None if slice_ and not sliced else (row, slice_ or row * shape.rows)

    def size(self, shape: Shape, pitches: tuple[int, int]) -> int:
        return 2 * pitches[1] * shape.slices

    def info(self, agent: int, shape: Shape, access: int, row: int, slice_: int, out: int) -> int:
        refusal = self.refusal(agent, shape, access)
        if refusal:
            return refusal
        pitches = self.pitches(shape, row, slice_)
        if pitches is None:
            return PITCH_UNSUPPORTED
        store(out, self.size(shape, pitches), ALIGNMENT)
        return SUCCESS

    def hsa_ext_image_data_get_info(self, agent: int, form: int, access: int, out: int) -> int:
        if not form or not out:
            return INVALID_ARGUMENT
        return self.info(agent, Shape.at(form, 48), access, 0, 0, out)

    def hsa_ext_image_data_get_info_v2(self, agent: int, form: int, access: int, out: int) -> int:
        if not form or not out:
            return INVALID_ARGUMENT
        return self.info(agent, Shape.at(form, 56), access, 0, 0, out)

    def hsa_ext_image_data_get_info_with_layout(
        self, agent: int, form: int, access: int, layout: int, row: int, slice_: int, out: int
    ) -> int:
        if not form or not out or layout != LINEAR:
            return INVALID_ARGUMENT
        return self.info(agent, Shape.at(form, 48), access, row, slice_, out)

    # images

    def create(
        self, agent: int, shape: Shape, data: int, access: int, row: int, slice_: int, out: int
    ) -> int:
        refusal = self.refusal(agent, shape, access)
        if refusal:
            return refusal
        if data % ALIGNMENT:
            return INVALID_ARGUMENT
        pitches = self.pitches(shape, row, slice_)
        if pitches is None:
            return PITCH_UNSUPPORTED
        self.keep(Image(agent, shape, data, *pitches), out)
        return SUCCESS

    def keep(self, image: Image, out: int) -> None:
        self.images[image.handle] = image
        store(out, image.handle)

    def hsa_ext_image_create(self, agent: int, form: int, data: int, access: int, out: int) -> int:
        if not form or not data or not out:
            return INVALID_ARGUMENT
        return self.create(agent, Shape.at(form, 48), data, access, 0, 0, out)

    def hsa_ext_image_create_v2(
        self, agent: int, form: int, data: int, access: int, out: int
    ) -> int:
        if not form or not data or not out:
            return INVALID_ARGUMENT
        return self.create(agent, Shape.at(form, 56), data, access, 0, 0, out)

    def hsa_ext_image_create_with_layout(
        self,
        agent: int,
        form: int,
        data: int,
        access: int,
        layout: int,
        row: int,
        slice_: int,
        out: int,
    ) -> int:
        if not form or not data or not out or layout != LINEAR:
            return INVALID_ARGUMENT
        return self.create(agent, Shape.at(form, 48), data, access, row, slice_, out)

    def hsa_amd_image_create(
        self, agent: int, form: int, layout: int, data: int, access: int, out: int
    ) -> int:
        if not form or not layout or not data or not out:
            return INVALID_ARGUMENT
        if u32(layout, 2) != (1, 0x10021234):
            return INVALID_ARGUMENT
        return self.create(
            agent, Shape.at(form, 48), data // ALIGNMENT * ALIGNMENT, access, 0, 0, out
        )

    def destroy(self, image: int) -> int:
        return SUCCESS if self.images.pop(image, None) else INVALID_ARGUMENT

    def hsa_ext_image_destroy(self, agent: int, image: int) -> int:
        return self.destroy(image)

    def hsa_ext_image_destroy_v2(self, agent: int, image: int) -> int:
        return self.destroy(image)

    def hsa_ext_image_mipmap_array_get_level(
        self, agent: int, array: int, level: int, form: int, out: int
    ) -> int:
        whole = (
            self.images.get(struct.unpack("<Q", ctypes.string_at(array, 8))[0]) if array else None
        )
        if whole is None or not form or not out or level >= max(whole.shape.levels, 1):
            return INVALID_ARGUMENT
        self.keep(Image(agent, whole.shape, whole.data, whole.row, whole.slice), out)
        return SUCCESS

    # copies

    def rows(
        self, image: Image, start: tuple[int, ...], extent: tuple[int, ...]
    ) -> list[tuple[int, int, int]]:
        """Return the address of each row of a part, with its number and that of its slice."""
        (x, y, z), (_, high, deep) = start, extent
        return [(image.at(x, y + j, z + k), j, k) for k in range(deep) for j in range(high)]

    def buffer(
        self, image: Image, extent: tuple[int, ...], row: int, slice_: int
    ) -> tuple[int, int, int]:
        """Return the bytes of a row, and the pitches of memory beside an image."""
        length = extent[0] * image.shape.element
        row = max(row, length)
        return length, row, max(slice_, row * extent[1])

    def hsa_ext_image_import(
        self, agent: int, source: int, row: int, slice_: int, target: int, region: int
    ) -> int:
        image = self.images.get(target)
        if image is None or not source or not region:
            return INVALID_ARGUMENT
        part = u32(region, 6)
        length, row, slice_ = self.buffer(image, part[3:], row, slice_)
        for address, j, k in self.rows(image, part[:3], part[3:]):
            ctypes.memmove(address, source + j * row + k * slice_, length)
        return SUCCESS

    def hsa_ext_image_export(
        self, agent: int, source: int, target: int, row: int, slice_: int, region: int
    ) -> int:
        image = self.images.get(source)
        if image is None or not target or not region:
            return INVALID_ARGUMENT
        part = u32(region, 6)
        length, row, slice_ = self.buffer(image, part[3:], row, slice_)
        for address, j, k in self.rows(image, part[:3], part[3:]):
            ctypes.memmove(target + j * row + k * slice_, address, length)
        return SUCCESS

    def hsa_ext_image_copy(
        self, agent: int, source: int, start: int, target: int, to: int, extent: int
    ) -> int:
        ours, theirs = self.images.get(source), self.images.get(target)
        if ours is None or theirs is None or not start or not to or not extent:
            return INVALID_ARGUMENT
        part = u32(extent, 3)
        rows = self.rows(ours, u32(start, 3), part)
        for (old, *_), (new, *_) in zip(rows, self.rows(theirs, u32(to, 3), part), strict=True):
            ctypes.memmove(new, old, part[0] * ours.shape.element)
        return SUCCESS

    def hsa_ext_image_clear(self, agent: int, target: int, data: int, region: int) -> int:
        image = self.images.get(target)
        if image is None or not data or not region:
            return INVALID_ARGUMENT
        part = u32(region, 6)
        element = bytes(u & 0xFF for u in u32(data, 4))
        for address, _, _ in self.rows(image, part[:3], part[3:]):
            ctypes.memmove(address, element * part[3], part[3] * image.shape.element)
        return SUCCESS

    # samplers

    def sampler(self, members: tuple[int, ...], modes: tuple[int, ...], out: int) -> int:
        coordinates, filter_ = members
        if coordinates > 1 or filter_ > FILTER or max(modes) > MODE:
            return SAMPLER_UNSUPPORTED
        number = next(self.numbers)
        self.samplers.add(number)
        store(out, number)
        return SUCCESS

    def hsa_ext_sampler_create(self, agent: int, form: int, out: int) -> int:
        if not form or not out:
            return INVALID_ARGUMENT
        return self.sampler(u32(form, 2), u32(form + 8, 1), out)

    def hsa_ext_sampler_create_v2(self, agent: int, form: int, out: int) -> int:
        if not form or not out:
            return INVALID_ARGUMENT
        return self.sampler(u32(form, 2), u32(form + 12, 3), out)

    def hsa_ext_sampler_destroy(self, agent: int, sampler: int) -> int:
        if sampler not in self.samplers:
            return INVALID_ARGUMENT
        self.samplers.remove(sampler)
        return SUCCESS
