"""What a runtime knows of images: what agents can do with them, and those that are live."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hsa_reference import memory
from hsa_reference.core.agents import Agent, Agents
from hsa_reference.core.extensions import Extensions
from hsa_reference.images.images.elements import Element, Elements
from hsa_reference.images.images.shapes import (
    Descriptor,
    Geometry,
    Level,
    Pitches,
    geometries,
    levels,
    read_descriptor,
    read_levels,
)
from hsa_reference.machine import AgentModel
from hsa_reference.objects import Objects
from hsa_reference.state import Part, State
from hsa_spec import Registry

_WORD: Final = 8  # bytes
_RECORD: Final = struct.Struct("<QQIIII")
#: Bytes of what an image's handle points at.
RECORD: Final = _RECORD.size


@dataclass(frozen=True)
class Ability:
    """What an agent can do with images.

    Args:
        formats: its capabilities, by geometry, channel type and channel order; none without images.
        limits: the most width, height, depth and layers, by geometry.
        alignment: bytes that data, and rows of linear data, are aligned to.
        most: how many images it can have at a time, read-only ones and others.

    """

    formats: Mapping[tuple[int, int, int], int]
    limits: Mapping[int, tuple[int, int, int, int]]
    alignment: int
    most: tuple[int, int]


@dataclass(eq=False)
class Image:
    """A live image; its handle is the address of a record of what it is like.

    Args:
        agent: that it belongs to.
        descriptor: its format, and the dimensions of its first level.
        element: what its elements are made of.
        access: the hsa_access_permission_t that kernels have.
        levels: where its data is, by level.

    """

    agent: int
    descriptor: Descriptor
    element: Element
    access: int
    levels: list[Level]
    record: ctypes.Array[ctypes.c_char] = field(init=False)

    def __post_init__(self) -> None:
        self.record = ctypes.create_string_buffer(
            _RECORD.pack(*self.levels[0].pitches, *self.descriptor.format, len(self.levels)), RECORD
        )

    @property
    def handle(self) -> int:
        """Return its handle."""
        return ctypes.addressof(self.record)

    @property
    def first(self) -> Level:
        """Return its first level."""
        return self.levels[0]


def read_record(address: int) -> tuple[Pitches, tuple[int, ...]]:
    """Read the pitches and the format of a record."""
    row, slice_, *rest = _RECORD.unpack(memory.copy(address, RECORD))
    return Pitches(row, slice_), tuple(rest[:3])


class Images(Part):
    """The images.

    Attributes:
        by_handle: those that are live.
        geometries: by number.

    """

    def __init__(self, state: State) -> None:
        constants = state.registry.constants
        self.by_handle: Objects[int, Image] = Objects()
        self.geometries = geometries(state.registry)
        self._elements = Elements(state.registry)
        #: The capability that each access permission needs.
        self._needed = {
            constants[f"HSA_ACCESS_PERMISSION_{access}"]: constants[
                f"HSA_EXT_IMAGE_CAPABILITY_{name}"
            ]
            for access, name in (("RO", "READ_ONLY"), ("WO", "WRITE_ONLY"), ("RW", "READ_WRITE"))
        }
        self._read_only = constants["HSA_ACCESS_PERMISSION_RO"]
        self._abilities = _abilities(state, self.geometries)
        state.part(Extensions).limit(
            constants["HSA_EXTENSION_IMAGES"], lambda agent: bool(self._abilities[agent].formats)
        )
        state.things["image"] = self.by_handle.get
        state.facts.update(
            {
                "image_format_supported": self._format_supported,
                "image_size_supported": self._size_supported,
                "image_pitch_supported": self._pitch_supported,
                "image_data_aligned": self._data_aligned,
                "mipmap_levels_fit": _levels_fit,
                "points_at_image": lambda address: self.at(address) is not None,
                "has_level": self._has_level,
            }
        )

    def release(self) -> None:
        """Forget every image; the data is the application's."""
        self.by_handle.clear()

    def has_images(self, agent: int) -> bool:
        """Return whether an agent can do anything with images."""
        return bool(self._abilities[agent].formats)

    def capability(self, agent: int, geometry: int, channel_type: int, channel_order: int) -> int:
        """Return the capabilities that an agent has for a format."""
        return self._abilities[agent].formats.get((geometry, channel_type, channel_order), 0)

    def can(self, agent: int, described: Descriptor, access: int) -> bool:
        """Return whether an agent supports the format of an image with an access permission."""
        needed = self._needed.get(access, 0)
        return bool(self.capability(agent, *described.format) & needed)

    def fits(self, agent: int, described: Descriptor) -> bool:
        """Return whether an agent supports the dimensions: those of the geometry, and no other."""
        geometry = self.geometries.get(described.geometry)
        if geometry is None or not self.has_images(agent):
            return False
        uses = True, geometry.height, geometry.depth, geometry.layers
        most = self._abilities[agent].limits[described.geometry]
        return all(
            0 < number <= limit if used else not number
            for used, number, limit in zip(uses, described[1:5], most, strict=True)
        )

    def alignment(self, agent: int) -> int:
        """Return the bytes that data of an agent's images is aligned to."""
        return self._abilities[agent].alignment

    def element(self, described: Descriptor) -> Element | None:
        """Return what elements are made of, None where no agent has images of the format."""
        return self._elements.of(described.channel_type, described.channel_order)

    def pitches(self, described: Descriptor, row: int, slice_: int) -> Pitches:
        """Return the pitches of linear data, in bytes; 0 stands for rows without padding.

        The slice pitch of a geometry without slices is that of its only one.
        """
        element = self.element(described)
        row = row or described.width * (element.size if element else 0)
        return Pitches(row, slice_ or row * max(described.height, 1))

    def lay_out(
        self,
        agent: int,
        described: Descriptor,
        *,
        address: int = 0,
        count: int = 1,
        pitches: Pitches | None = None,
    ) -> list[Level]:
        """Lay out the levels of an image whose format and dimensions the agent supports."""
        element = self.element(described)
        assert element is not None
        return levels(
            self.geometries[described.geometry],
            described,
            element.size,
            address=address,
            count=count,
            alignment=self.alignment(agent),
            pitches=pitches,
        )

    def add(self, agent: int, described: Descriptor, access: int, on: list[Level]) -> int | None:
        """Return the handle of a new image, None where the agent has as many as it can have.

        Raises:
            OSError: there is no memory.

        """
        element = self.element(described)
        assert element is not None
        kind = self._kind(access)
        live = sum(
            i.agent == agent and self._kind(i.access) == kind for i in self.by_handle.values()
        )
        if live >= self._abilities[agent].most[kind]:
            return None
        image = Image(agent, described, element, access, on)
        self.by_handle[image.handle] = image
        return image.handle

    def at(self, address: int) -> Image | None:
        """Return the image whose handle is stored at an address."""
        return self.by_handle.get(memory.load(address, _WORD)) if address else None

    def _kind(self, access: int) -> int:
        """Return the position of the limit that images of this access count for."""
        return int(access != self._read_only)

    # what conditions ask

    def _format_supported(self, agent: int, address: int, access: int) -> bool:
        return bool(address) and self.can(agent, read_descriptor(address), access)

    def _size_supported(self, agent: int, address: int) -> bool:
        return bool(address) and self.fits(agent, read_descriptor(address))

    def _data_aligned(self, agent: int, address: int, data: int) -> bool:
        """Return whether data is aligned; where no image can be, nothing asks for it."""
        described = read_descriptor(address)
        if not self.capability(agent, *described.format) or not self.fits(agent, described):
            return True
        return data % self.alignment(agent) == 0

    def _pitch_supported(self, agent: int, address: int, row: int, slice_: int) -> bool:
        described = read_descriptor(address)
        element, geometry = self.element(described), self.geometries.get(described.geometry)
        if element is None or geometry is None:
            return False
        least = self.pitches(described, 0, 0).row
        used = self.pitches(described, row, 0)
        if used.row < least or used.row % element.size or used.row % self.alignment(agent):
            return False
        return not slice_ or (
            geometry.sliced and slice_ >= used.slice and bool(used.row) and not slice_ % used.row
        )

    def _has_level(self, address: int, level: int) -> bool:
        image = self.at(address)
        return image is not None and level < len(image.levels)


def _levels_fit(address: int) -> bool:
    return bool(address) and read_levels(address) <= read_descriptor(address).most_levels


def _abilities(state: State, known: Mapping[int, Geometry]) -> Mapping[int, Ability]:
    agents = state.part(Agents)
    return {
        handle: _ability(model, known, _Limits(state.registry, agents.by_handle[handle]))
        for model in state.machine.agents
        for handle in (agents.handle[model.name],)
    }


def _ability(model: AgentModel, known: Mapping[int, Geometry], limits: _Limits) -> Ability:
    (layers,) = limits.numbers("IMAGE_ARRAY_MAX_LAYERS")
    (alignment,) = limits.numbers("IMAGE_LINEAR_ROW_PITCH_ALIGNMENT")
    (read_only,) = limits.numbers("MAX_IMAGE_RD_HANDLES")
    (others,) = limits.numbers("MAX_IMAGE_RORW_HANDLES")
    table = {}
    for number, geometry in known.items():
        most = limits.numbers(f"IMAGE_{geometry.name}_MAX_ELEMENTS")
        width, height, depth, *_ = *most, 0, 0
        table[number] = width, height, depth, layers
    return Ability(model.image_formats, table, alignment, (read_only, others))


class _Limits:
    """The attributes of an agent that are about images: numbers of 64 bits."""

    def __init__(self, registry: Registry, agent: Agent) -> None:
        self._registry, self._agent = registry, agent

    def numbers(self, name: str) -> tuple[int, ...]:
        data = self._agent.attributes[self._registry.constants[f"HSA_EXT_AGENT_INFO_{name}"]]
        return struct.unpack(f"<{len(data) // _WORD}Q", data)
