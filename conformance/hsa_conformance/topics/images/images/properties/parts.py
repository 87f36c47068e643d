"""Parts of images that are long in one direction, moved from and to memory with padding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.images.images.discovery import image_agent, limits
from hsa_conformance.topics.images.images.fixtures import BOX, EVEN_WIDTH, data
from hsa_conformance.topics.images.images.properties.copies import (
    ELEMENT,
    Picture,
    Place,
    clear_part,
    copy_part,
    region,
    require_content,
    sized,
)

proves = Proofs()

#: The most elements, rows and slices of an image that is long in one direction.
LONG: Final = ((1 << 14) + 1, (1 << 11) + 1, (1 << 11) + 1)
#: The bits of a field that a length has to exceed before others.
_NARROW: Final = (8,)
#: Geometries: a rectangle, a box, several rectangles.
_GEOMETRIES: Final = (1, BOX, 4)

Elements = Mapping[Place, bytes]


@dataclass(frozen=True)
class Part:
    """A part of an image: where it begins, and how far it reaches."""

    image: Picture
    corner: Place
    extent: Place

    @property
    def region(self) -> Data:
        """Return what says where it is."""
        return region(self.corner, self.extent)


def _long(scene: Scene, geometry: int, along: int, agent: int, name: str) -> Picture:
    """Create an image that is long in a direction."""
    linear = scene.each(name, {"linear": True, "opaque": False}) if geometry != BOX else False
    width, height, depth, layers = limits(scene, agent, geometry)
    there = min(LONG[along], (width, height, max(depth, layers))[along])
    granule = EVEN_WIDTH if linear and along == 0 else 1
    extent = [EVEN_WIDTH, *(scene.draw(drawing.integers(1, 2)) for _ in range(2))]
    extent[along] = scene.draw(sizes(granule, there, granule, _NARROW))
    whole = extent[0], extent[1], extent[2]
    return sized(scene, geometry, whole, linear=linear, agent=agent)


def _along(image: Picture, along: int, first: int, length: int) -> Part:
    """Return a part of an image that is all of it but in one direction."""
    corner, extent = [0, 0, 0], [*image.range]
    corner[along], extent[along] = first, length
    return Part(image, (corner[0], corner[1], corner[2]), (extent[0], extent[1], extent[2]))


def _direction(scene: Scene) -> tuple[int, int]:
    """Draw a geometry, and in which direction an image is long."""
    geometry: int = scene.choose(_GEOMETRIES)
    return geometry, scene.choose([0, 1] if geometry == 1 else [0, 1, 2])


def _part(scene: Scene) -> Part:
    """Create an image that is long in a direction, and draw a part of it."""
    geometry, along = _direction(scene)
    image = _long(scene, geometry, along, image_agent(scene), "layout")
    first = scene.draw(sizes(0, image.range[along] - 1, telling=_NARROW))
    length = scene.draw(sizes(most=image.range[along] - first, telling=_NARROW))
    return _along(image, along, first, length)


def _elements(scene: Scene, extent: Place) -> Elements:
    """Return an element for each of some corners of a part, and for one inside."""
    x, y, z = (length - 1 for length in extent)
    inside = tuple(scene.draw(drawing.integers(0, last)) for last in (x, y, z))
    places = {(0, 0, 0), (x, 0, 0), (0, y, z), (x, y, z), (inside[0], inside[1], inside[2])}
    first = scene.draw(drawing.integers(1, 200))
    return {
        place: bytes(first + ELEMENT * n + channel for channel in range(ELEMENT))
        for n, place in enumerate(sorted(places))
    }


@dataclass(frozen=True)
class _Memory:
    """Memory of the host that holds the elements of a part, with padding."""

    scene: Scene
    address: int
    row: int
    slice: int

    @classmethod
    def of(cls, scene: Scene, part: Part) -> _Memory:
        """Allocate some, and draw the padding of rows and slices."""
        width, height, slices = part.extent
        row = (width + scene.draw(drawing.integers(0, 3))) * ELEMENT
        slice_ = (height + scene.draw(drawing.integers(0, 2))) * row
        return cls(scene, data(scene, part.image.agent, slice_ * slices, 256), row, slice_)

    def _place(self, place: Place) -> int:
        x, y, z = place
        return self.address + x * ELEMENT + y * self.row + z * self.slice

    def put(self, elements: Elements) -> None:
        """Write elements."""
        for place, element in elements.items():
            if not self.scene.session.write(self._place(place), element):
                raise CannotMake("the host cannot write to the memory")

    def require(self, elements: Elements) -> None:
        """Demand that it holds elements."""
        for place, element in elements.items():
            found = self.scene.session.read(self._place(place), ELEMENT) or b""
            require_content(self.scene, found, element)


def _import(scene: Scene, part: Part, elements: Elements) -> None:
    source = _Memory.of(scene, part)
    source.put(elements)
    answer = scene.call(
        "hsa_ext_image_import",
        agent=part.image.agent,
        src_memory=source.address,
        src_row_pitch=source.row,
        src_slice_pitch=source.slice,
        dst_image=part.image.handle,
        image_region=part.region,
    )
    scene.require_status(answer, SUCCESS)


def _require(scene: Scene, part: Part, elements: Elements) -> None:
    """Export a part, and demand that some elements are what they should be."""
    target = _Memory.of(scene, part)
    target.put({place: bytes(b ^ 0xFF for b in element) for place, element in elements.items()})
    answer = scene.call(
        "hsa_ext_image_export",
        agent=part.image.agent,
        src_image=part.image.handle,
        dst_memory=target.address,
        dst_row_pitch=target.row,
        dst_slice_pitch=target.slice,
        image_region=part.region,
    )
    scene.require_status(answer, SUCCESS)
    target.require(elements)


@proves("hsa_ext_image_import/round-trip", examples=2)
def a_part_of_any_length_is_exported_as_it_was_imported(scene: Scene) -> None:
    """An export of a part of a long image is what was imported, with other pitches."""
    part = _part(scene)
    elements = _elements(scene, part.extent)
    _import(scene, part, elements)
    _require(scene, part, elements)


@proves("hsa_ext_image_copy/copied")
def a_part_of_any_length_is_copied(scene: Scene) -> None:
    """After a copy between long images, the part of the destination has the source's elements."""
    geometry, along = _direction(scene)
    agent = image_agent(scene)
    images = [_long(scene, geometry, along, agent, name) for name in ("layout", "other layout")]
    shared = [min(of) for of in zip(*(image.range for image in images), strict=True)]
    first = [scene.draw(sizes(0, shared[along] - 1, telling=_NARROW)) for _ in images]
    shared[along] = scene.draw(sizes(most=shared[along] - max(first), telling=_NARROW))
    extent = shared[0], shared[1], shared[2]
    source, target = (
        replace(_along(image, along, corner, 1), extent=extent)
        for image, corner in zip(images, first, strict=True)
    )
    elements = _elements(scene, extent)
    _import(scene, source, elements)
    copy_part(scene, source.image, target.image, source.corner, target.corner, extent)
    _require(scene, target, elements)


@proves("hsa_ext_image_clear/cleared")
def a_cleared_part_of_any_length_has_the_value(scene: Scene) -> None:
    """After a clear of a part of a long image, its corners are the value, and so is the inside."""
    part = _part(scene)
    element = clear_part(scene, part.image, part.corner, part.extent)
    _require(scene, part, dict.fromkeys(_elements(scene, part.extent), element))
