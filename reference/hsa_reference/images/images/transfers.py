"""What moves elements: copies between images, import, export, clearing.

A dimension that the geometry does not have counts as 1 where a region leaves it 0. What reaches
outside an image is undefined, and refused here.
"""

from __future__ import annotations

from collections.abc import Iterable

from hsa_reference import memory
from hsa_reference.core.memory.places import Places
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.images.images.shapes import Level, Pitches, Place, read_place, read_region
from hsa_reference.images.images.state import Image, Images
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer


@unlocked
def hsa_ext_image_copy(
    state: State,
    agent: int,
    src_image: int,
    src_offset: int,
    dst_image: int,
    dst_offset: int,
    range_: int,
) -> Answer:
    """Copy elements as they are stored, between images whose elements are as large."""
    images = state.part(Images)
    source, target = images.by_handle[src_image], images.by_handle[dst_image]
    start, to = read_place(src_offset), read_place(dst_offset)
    part = _part(images, target, _part(images, source, read_place(range_)))
    if (
        {source.agent, target.agent} != {agent}
        or source.element.size != target.element.size
        or not source.first.holds(start, part)
        or not target.first.holds(to, part)
    ):
        return INVALID_ARGUMENT
    length = part.x * source.element.size
    _move(state, target.first.rows(to, part), source.first.rows(start, part), length)
    return SUCCESS


@unlocked
def hsa_ext_image_import(
    state: State,
    agent: int,
    src_memory: int,
    src_row_pitch: int,
    src_slice_pitch: int,
    dst_image: int,
    image_region: int,
) -> Answer:
    """Copy memory into a part of an image."""
    pitches = Pitches(src_row_pitch, src_slice_pitch)
    sides = _sides(state, agent, dst_image, image_region, src_memory, pitches)
    if sides is None:
        return INVALID_ARGUMENT
    rows, linear, length = sides
    _move(state, rows, linear, length)
    return SUCCESS


@unlocked
def hsa_ext_image_export(
    state: State,
    agent: int,
    src_image: int,
    dst_memory: int,
    dst_row_pitch: int,
    dst_slice_pitch: int,
    image_region: int,
) -> Answer:
    """Copy a part of an image into memory."""
    pitches = Pitches(dst_row_pitch, dst_slice_pitch)
    sides = _sides(state, agent, src_image, image_region, dst_memory, pitches)
    if sides is None:
        return INVALID_ARGUMENT
    rows, linear, length = sides
    _move(state, linear, rows, length)
    return SUCCESS


@unlocked
def hsa_ext_image_clear(
    state: State, agent: int, image: int, data: int, image_region: int
) -> Answer:
    """Set each element of a part to a value, converted to the channel type."""
    images = state.part(Images)
    found = images.by_handle[image]
    start, part = _region(images, found, image_region)
    if found.agent != agent or not found.first.holds(start, part):
        return INVALID_ARGUMENT
    row = found.element.encode(memory.numbers(data, found.element.values)) * part.x
    places = state.part(Places)
    for address in found.first.rows(start, part):
        with LOCK:
            places.write(address, row)
    return SUCCESS


def _sides(
    state: State, agent: int, image: int, region: int, address: int, pitches: Pitches
) -> tuple[Iterable[int], Iterable[int], int] | None:
    """Return where the rows of a part of an image start, those of memory beside it, their bytes.

    Returns:
        None where the image belongs to another agent, or the part lies outside of it.

    """
    images = state.part(Images)
    found = images.by_handle[image]
    start, part = _region(images, found, region)
    if found.agent != agent or not found.first.holds(start, part):
        return None
    linear = _linear(images, found, address, part, pitches)
    rows = found.first.rows(start, part)
    return rows, linear.rows(Place(0, 0, 0), part), part.x * found.element.size


def _region(images: Images, image: Image, address: int) -> tuple[Place, Place]:
    start, part = read_region(address)
    return start, _part(images, image, part)


def _part(images: Images, image: Image, part: Place) -> Place:
    """Return how far a part reaches, 1 in the dimensions that the geometry does not have."""
    geometry = images.geometries[image.descriptor.geometry]
    return Place(
        part.x,
        part.y if geometry.height else part.y or 1,
        part.z if geometry.sliced else part.z or 1,
    )


def _linear(images: Images, image: Image, address: int, part: Place, pitches: Pitches) -> Level:
    """Return memory beside an image; pitches that are too small count as no padding."""
    geometry = images.geometries[image.descriptor.geometry]
    row = max(pitches.row, part.x * image.element.size)
    slice_ = max(pitches.slice if geometry.sliced else 0, row * part.y)
    return Level(address, part, Pitches(row, slice_), image.element.size)


def _move(state: State, targets: Iterable[int], sources: Iterable[int], length: int) -> None:
    """Copy rows; any of them may be in memory that the host has no access to."""
    places = state.part(Places)
    for target, source in zip(targets, sources, strict=True):
        places.copy(target, source, length)
