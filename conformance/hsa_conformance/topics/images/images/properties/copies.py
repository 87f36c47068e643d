"""Copies between images and memory, which devices make with kernels."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hsa_conformance.engine.calls.values import Answer, Data
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.images.images.descriptors import Descriptor
from hsa_conformance.topics.images.images.discovery import image_agent
from hsa_conformance.topics.images.images.fixtures import EVEN_WIDTH, data, formats
from hsa_conformance.topics.images.images.properties.creation import create, image_inputs
from hsa_spec import DecidedBy

proves = Proofs()

READ_WRITE = 3
#: A format of elements that are one unsigned byte for each of four channels.
BYTES, RGBA, ELEMENT = 11, 8, 4

Place = tuple[int, int, int]


@dataclass(frozen=True)
class Picture:
    """An image of bytes."""

    agent: int
    handle: int
    width: int
    height: int
    slices: int
    memory: int

    @property
    def size(self) -> int:
        """Return the bytes of all elements."""
        return self.width * self.height * self.slices * ELEMENT

    @property
    def range(self) -> Place:
        """Return the elements in each direction."""
        return self.width, self.height, self.slices


def picture(
    scene: Scene, geometry: int = 1, *, linear: bool = False, agent: int | None = None
) -> Picture:
    """Create an image of bytes, small enough to be written and read as a whole.

    Args:
        scene: where it is needed.
        geometry: 1 a rectangle, 2 a box, 4 several rectangles.
        linear: whether it is in the linear layout.
        agent: that it belongs to; any one for None.

    """
    agent = agent or image_agent(scene)
    extent = EVEN_WIDTH, scene.choose([4, 2]), scene.choose([2, 3])
    return sized(scene, geometry, extent, linear=linear, agent=agent)


def sized(scene: Scene, geometry: int, extent: Place, *, linear: bool, agent: int) -> Picture:
    """Create an image of bytes with so many elements, rows and slices; see `picture`."""
    have, _ = formats(scene, agent, READ_WRITE)
    wanted = geometry, BYTES, RGBA
    scene.available([d for d in have if d.format == wanted], "format of bytes that can be written")
    descriptor = Descriptor.sized(geometry, *extent, BYTES, RGBA)
    inputs = image_inputs(scene, agent, descriptor, READ_WRITE, linear=linear)
    function = "hsa_ext_image_create" + "_with_layout" * linear
    answer = create(scene, inputs, function)
    scene.require_status(answer, SUCCESS)
    width, height, slices = extent
    slices = 1 if geometry == 1 else slices
    return Picture(agent, answer["image"], width, height, slices, inputs.memory)


def _linear(scene: Scene, axis: str = "layout") -> bool:
    """Draw whether an image is in the linear layout; both are tried."""
    return scene.each(axis, {"linear": True, "opaque": False})


def region(offset: Place, size: Place) -> Data:
    """Return a hsa_ext_image_region_t."""
    return Data(struct.pack("<6I", *offset, *size), f"{{{offset}, {size}}}")


def dim3(place: Place) -> Data:
    """Return a hsa_dim3_t."""
    return Data(struct.pack("<3I", *place), f"{place}")


def put(scene: Scene, to: Picture, content: bytes, pitches: tuple[int, int] = (0, 0)) -> Answer:
    """Import memory into a whole image."""
    source = data(scene, to.agent, len(content), 256)
    if not scene.session.write(source, content):
        raise CannotMake("the host cannot write to the memory")
    return scene.call(
        "hsa_ext_image_import",
        agent=to.agent,
        src_memory=source,
        src_row_pitch=pitches[0],
        src_slice_pitch=pitches[1],
        dst_image=to.handle,
        image_region=region((0, 0, 0), to.range),
    )


def get(scene: Scene, of: Picture, pitches: tuple[int, int] = (0, 0)) -> bytes:
    """Export a whole image into memory."""
    target = data(scene, of.agent, of.size, 256)
    answer = scene.call(
        "hsa_ext_image_export",
        agent=of.agent,
        src_image=of.handle,
        dst_memory=target,
        dst_row_pitch=pitches[0],
        dst_slice_pitch=pitches[1],
        image_region=region((0, 0, 0), of.range),
    )
    scene.require_status(answer, SUCCESS)
    return scene.session.read(target, of.size) or b""


def drawn(scene: Scene, size: int) -> bytes:
    """Draw content that does not repeat itself soon."""
    start = scene.draw(drawing.integers(0, 255))
    return bytes((start + 7 * i + i // 251) % 256 for i in range(size))


def filled(scene: Scene, geometry: int = 1, agent: int | None = None) -> tuple[Picture, bytes]:
    """Create an image of an agent, any one for None, and give it content."""
    axis = "layout" if agent is None else "other layout"
    made = picture(scene, geometry, linear=_linear(scene, axis), agent=agent)
    content = drawn(scene, made.size)
    scene.require_status(put(scene, made, content), SUCCESS)
    return made, content


def require_content(scene: Scene, found: bytes, expected: bytes) -> None:
    """Demand that elements are as expected, and show the first that is not."""
    wrong = next((i for i, b in enumerate(expected) if found[i : i + 1] != bytes([b])), None)
    scene.require(
        wrong is None,
        f"byte {wrong} of the elements is wrong",
        found[wrong or 0 :][:8].hex(" "),
        decided_by=None if wrong is None else DecidedBy.DEVICE,  # or by the library
    )


@proves("hsa_ext_image_import/round-trip")
def what_is_imported_is_exported(scene: Scene) -> None:
    """An export of the same part gives back the bytes that were imported."""
    made, content = filled(scene, scene.choose([1, 2, 4]))
    require_content(scene, get(scene, made), content)


@proves("hsa_ext_image_export/image-stays")
def exporting_leaves_the_image(scene: Scene) -> None:
    """Exporting leaves the image: a second export gives the same bytes."""
    made, content = filled(scene)
    get(scene, made)
    require_content(scene, get(scene, made), content)


def _import_with(scene: Scene, geometry: int, pitches: tuple[int, int]) -> None:
    made = picture(scene, geometry, linear=_linear(scene))
    content = drawn(scene, made.size)
    scene.require_status(put(scene, made, content, pitches), SUCCESS)
    require_content(scene, get(scene, made), content)


@proves("hsa_ext_image_import/row-pitch-least")
def a_small_row_pitch_counts_as_a_row_on_import(scene: Scene) -> None:
    """Importing with a row pitch that is too small takes rows without padding."""
    _import_with(scene, 1, (scene.choose([1, ELEMENT, EVEN_WIDTH]), 0))


@proves("hsa_ext_image_import/slice-pitch-least")
def a_small_slice_pitch_counts_as_a_slice_on_import(scene: Scene) -> None:
    """Importing with a slice pitch that is too small takes slices without padding."""
    _import_with(scene, scene.choose([2, 4]), (0, scene.choose([1, ELEMENT, EVEN_WIDTH])))


@proves("hsa_ext_image_export/row-pitch-least")
def a_small_row_pitch_counts_as_a_row_on_export(scene: Scene) -> None:
    """Exporting with a row pitch that is too small writes rows without padding."""
    made, content = filled(scene)
    require_content(scene, get(scene, made, (scene.choose([1, ELEMENT, EVEN_WIDTH]), 0)), content)


@proves("hsa_ext_image_export/slice-pitch-least")
def a_small_slice_pitch_counts_as_a_slice_on_export(scene: Scene) -> None:
    """Exporting with a slice pitch that is too small writes slices without padding."""
    made, content = filled(scene, scene.choose([2, 4]))
    require_content(scene, get(scene, made, (0, scene.choose([1, ELEMENT, EVEN_WIDTH]))), content)


def _rows(content: bytes) -> list[bytes]:
    row = EVEN_WIDTH * ELEMENT
    return [content[i : i + row] for i in range(0, len(content), row)]


def copy_part(
    scene: Scene, source: Picture, target: Picture, of: Place, to: Place, size: Place
) -> None:
    """Copy elements from a place in an image to a place in another."""
    answer = scene.call(
        "hsa_ext_image_copy",
        agent=source.agent,
        src_image=source.handle,
        src_offset=dim3(of),
        dst_image=target.handle,
        dst_offset=dim3(to),
        range=dim3(size),
    )
    scene.require_status(answer, SUCCESS)


def _part(scene: Scene, width: int, height: int) -> tuple[Place, Place]:
    """Draw where a part of a rectangle begins, and how far it reaches: not over all rows."""
    x, y = (scene.draw(drawing.integers(0, most - 1)) for most in (width, height))
    columns = scene.draw(drawing.integers(1, width - x))
    rows = scene.draw(drawing.integers(1, min(height - y, height - 1)))
    return (x, y, 0), (columns, rows, 1)


def _require_rest(
    scene: Scene, image: Picture, before: bytes, corner: Place, extent: Place
) -> None:
    """Demand that the elements of a rectangle outside a part are as they were before."""
    found, expected = get(scene, image), bytearray(before)
    for row in range(corner[1], corner[1] + extent[1]):
        first = (row * image.width + corner[0]) * ELEMENT
        inside = slice(first, first + extent[0] * ELEMENT)
        expected[inside] = found[inside]
    require_content(scene, found, bytes(expected))


@proves("hsa_ext_image_copy/copied")
def a_copied_part_arrives(scene: Scene) -> None:
    """After an image copy, the part of the destination holds the elements of the source."""
    source, theirs = filled(scene)
    target, _ = filled(scene, agent=source.agent)
    copy_part(scene, source, target, (0, 0, 0), (0, 1, 0), (EVEN_WIDTH, 1, 1))
    require_content(scene, _rows(get(scene, target))[1], _rows(theirs)[0])


@proves("hsa_ext_image_copy/rest-stays")
def a_copy_leaves_the_rest(scene: Scene) -> None:
    """An image copy leaves all elements of the destination outside its part as they were."""
    source, _ = filled(scene)
    target, ours = filled(scene, agent=source.agent)
    corner, extent = _part(scene, target.width, min(source.height, target.height))
    copy_part(scene, source, target, (0, 0, 0), corner, extent)
    _require_rest(scene, target, ours, corner, extent)


@proves("hsa_ext_image_copy/geometries-mix")
def a_rectangle_is_copied_into_a_box(scene: Scene) -> None:
    """A row of a 2D image is copied into the second slice of a 3D image, and arrives."""
    source, theirs = filled(scene)
    target, _ = filled(scene, 2, source.agent)
    copy_part(scene, source, target, (0, 0, 0), (0, 0, 1), (EVEN_WIDTH, 1, 1))
    require_content(scene, _rows(get(scene, target))[target.height], _rows(theirs)[0])


def clear_part(scene: Scene, image: Picture, corner: Place, extent: Place) -> bytes:
    """Clear a part of an image, and return the element that it is filled with."""
    element: bytes = scene.draw(drawing.binary(min_size=ELEMENT, max_size=ELEMENT))
    answer = scene.call(
        "hsa_ext_image_clear",
        agent=image.agent,
        image=image.handle,
        data=Data(struct.pack("<4I", *element), f"{tuple(element)}"),
        image_region=region(corner, extent),
    )
    scene.require_status(answer, SUCCESS)
    return element


@proves("hsa_ext_image_clear/cleared")
def a_cleared_part_has_the_value(scene: Scene) -> None:
    """After a clear, each element of the part is the value."""
    made, _ = filled(scene)
    element = clear_part(scene, made, (0, 1, 0), (EVEN_WIDTH, 1, 1))
    require_content(scene, _rows(get(scene, made))[1], element * EVEN_WIDTH)


@proves("hsa_ext_image_clear/rest-stays")
def clearing_leaves_the_rest(scene: Scene) -> None:
    """A clear leaves all elements outside its part as they were."""
    made, before = filled(scene)
    corner, extent = _part(scene, made.width, made.height)
    clear_part(scene, made, corner, extent)
    _require_rest(scene, made, before, corner, extent)


def _require_unpadded(scene: Scene, geometry: int) -> None:
    """Import into a linear image that was made without pitches, and look at its data."""
    made = picture(scene, geometry, linear=True)
    content = drawn(scene, made.size)
    scene.require_status(put(scene, made, content), SUCCESS)
    require_content(scene, scene.session.read(made.memory, made.size) or b"", content)


@proves("hsa_ext_image_create_with_layout/row-pitch-default")
def rows_of_a_linear_image_have_no_padding(scene: Scene) -> None:
    """With a row pitch of 0, the rows of a linear image have no padding in its data."""
    _require_unpadded(scene, 1)


@proves("hsa_ext_image_create_with_layout/slice-pitch-default")
def slices_of_a_linear_image_have_no_padding(scene: Scene) -> None:
    """With a slice pitch of 0, the slices of a linear image have no padding in its data."""
    _require_unpadded(scene, scene.choose([2, 4]))
