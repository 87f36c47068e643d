"""What is done with the elements of images, which devices do with kernels."""

from __future__ import annotations

import struct
from functools import partial
from typing import Final

from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.checks.random_programs.player import Player, attempt
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.images.images.properties.copies import ELEMENT, dim3, region
from hsa_conformance.topics.images.samplers.life import pictures as images
from hsa_conformance.topics.images.samplers.life.pictures import (
    Part,
    Picture,
    pictures,
    room,
    some_part,
)

_IMPORT: Final = "hsa_ext_image_import"
_EXPORT: Final = "hsa_ext_image_export"
_COPY: Final = "hsa_ext_image_copy"
_CLEAR: Final = "hsa_ext_image_clear"
_ROUND_TRIP: Final = f"{_IMPORT}/round-trip"


def create(p: Player) -> None:
    """Create an image, and set all its elements."""
    before = len(pictures(p))
    images.create(p)
    for picture in pictures(p)[before:]:
        _import(p, picture, Part((0, 0, 0), picture.range))


def import_(p: Player) -> None:
    """Write memory to a part of an image."""
    picture = p.one_of(pictures(p))
    _import(p, picture, some_part(p, picture.range))


def _import(p: Player, picture: Picture, part: Part) -> None:
    start = p.one_of(range(1, 256))
    pixels = [bytes((start + 7 * i + b) % 256 for b in range(ELEMENT)) for i, _ in enumerate(part)]
    where = room(p, picture.agent)
    if not p.session.write(where, b"".join(pixels)):
        raise CannotMake("the host cannot write to the memory")
    p.call(
        _IMPORT,
        agent=picture.agent,
        src_memory=where,
        src_row_pitch=0,
        src_slice_pitch=0,
        dst_image=picture.handle,
        image_region=p.session.lay_out(region(part.offset, part.size)),
    )
    picture.elements.update(zip(part, pixels, strict=True))
    _changed(p, picture, part, _ROUND_TRIP)


def copy(p: Player) -> None:
    """Copy a part of an image to another one of the same agent."""
    source = p.one_of(pictures(p))
    target = p.one_of(
        [other for other in pictures(p) if other.agent == source.agent and other is not source]
    )
    least = [min(pair) for pair in zip(source.range, target.range, strict=True)]
    part = some_part(p, (least[0], least[1], least[2]))
    shift = [
        p.one_of([0, most - o - s])
        for most, o, s in zip(target.range, part.offset, part.size, strict=True)
    ]
    known = attempt(partial(_look, part, source), p)
    still = p.keeping(partial(_look_at_whole, target), f"{_COPY}/rest-stays")
    to = (part.offset[0] + shift[0], part.offset[1] + shift[1], part.offset[2] + shift[2])
    p.call(
        _COPY,
        agent=source.agent,
        src_image=source.handle,
        src_offset=p.session.lay_out(dim3(part.offset)),
        dst_image=target.handle,
        dst_offset=p.session.lay_out(dim3(to)),
        range=p.session.lay_out(dim3(part.size)),
    )
    arrived = Part(to, part.size)
    for place, of in zip(arrived, part, strict=True):
        target.elements.pop(place, None)
        if of in source.elements:
            target.elements[place] = source.elements[of]
    _changed(p, target, arrived, f"{_COPY}/copied" if known else _ROUND_TRIP)
    still()


def clear(p: Player) -> None:
    """Set all elements of a part of an image."""
    picture = p.one_of(pictures(p))
    part, value = (
        some_part(p, picture.range),
        p.one_of([bytes([1, 2, 3, 4]), bytes(4), b"\xff\0\x80\x7f"]),
    )
    still = p.keeping(partial(_look_at_whole, picture), f"{_CLEAR}/rest-stays")
    p.call(
        _CLEAR,
        agent=picture.agent,
        image=picture.handle,
        data=p.session.lay_out(Data(struct.pack("<4I", *value), f"{tuple(value)}")),
        image_region=p.session.lay_out(region(part.offset, part.size)),
    )
    picture.elements.update(dict.fromkeys(part, value))
    _changed(p, picture, part, f"{_CLEAR}/cleared")
    still()


def _changed(p: Player, picture: Picture, part: Part, clause: str) -> None:
    # The data is the elements' now.
    picture.data.marks.clear()
    attempt(lambda player: _look(part, picture, player, clause), p)


def look(p: Player) -> None:
    """Read a part of an image."""
    picture = p.one_of(pictures(p))
    _look(some_part(p, picture.range), picture, p)


def inspect(p: Player) -> None:
    """Read all images as a whole, and the data of those in the linear layout."""
    for picture in pictures(p):
        attempt(partial(_look_at_whole, picture), p)


def _look_at_whole(picture: Picture, p: Player, clause: str = _ROUND_TRIP) -> None:
    _look(Part((0, 0, 0), picture.range), picture, p, clause)


def _look(part: Part, picture: Picture, p: Player, clause: str = _ROUND_TRIP) -> None:
    where, size = room(p, picture.agent), part.size[0] * part.size[1] * part.size[2] * ELEMENT
    # What an import or an earlier export left there must not look like what is to come.
    wanted = b"".join(picture.elements.get(place, bytes(ELEMENT)) for place in part)
    if not p.session.write(where, bytes(byte ^ 0xFF for byte in wanted)):
        raise CannotMake("the host cannot write to the memory")
    p.call(
        _EXPORT,
        agent=picture.agent,
        src_image=picture.handle,
        dst_memory=where,
        dst_row_pitch=0,
        dst_slice_pitch=0,
        image_region=p.session.lay_out(region(part.offset, part.size)),
    )
    found = p.session.read(where, size) or b""
    _compare(p, picture, part, found, clause)
    if picture.linear and part.size == picture.range:
        slug = "row-pitch-default" if part.size[2] == 1 else "slice-pitch-default"
        found = p.session.read(picture.data.address, size) or b""
        _compare(p, picture, part, found, f"hsa_ext_image_create_with_layout/{slug}")


def _compare(p: Player, picture: Picture, part: Part, found: bytes, clause: str) -> None:
    wrong = next(
        (
            (place, got)
            for index, place in enumerate(part)
            if (got := found[ELEMENT * index : ELEMENT * (index + 1)])
            != picture.elements.get(place, got)
        ),
        None,
    )
    place, got = wrong or ((0, 0, 0), b"")
    p.demand(clause).require(
        wrong is None,
        f"the element at {place} is not {picture.elements.get(place, b'').hex(' ')}",
        got.hex(" "),
    )
