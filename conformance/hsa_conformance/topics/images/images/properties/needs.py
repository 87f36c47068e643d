"""What the data of images needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.images.images import discovery
from hsa_conformance.topics.images.images.descriptors import GEOMETRIES, Descriptor
from hsa_conformance.topics.images.images.discovery import capability, image_agent
from hsa_conformance.topics.images.images.fixtures import (
    ACCESSES,
    EVEN_WIDTH,
    ask_data,
    formats,
    lay_out,
    linear_question,
    needs,
    small,
    supported,
)
from hsa_conformance.topics.images.images.state import CAPABILITY, LINEAR, OPAQUE
from hsa_conformance.topics.shared.attributes import is_power_of_two

proves = Proofs()

LINEAR_QUERY = "hsa_ext_image_data_get_info_with_layout"

#: The bit of formats whose data is the same for every access.
INVARIANT = 16
#: What images with different accesses can share their data with.
SHARED: Final = "format of several accesses whose data is the same for each of them"
#: Channel orders and their sRGB forms.
SRGB = {6: 12, 7: 13, 8: 14, 9: 15}

#: Geometries with slices or layers.
SLICED = ("3D", "2DA", "1DA", "2DADEPTH")

Pitches = tuple[int, int]


def invariant(scene: Scene, layout: int) -> tuple[int, Descriptor]:
    """Draw an agent with images, and a format of it that images can share data with.

    Raises:
        Unavailable: it has none.

    """
    agent = image_agent(scene)
    return agent, scene.available(sharing(scene, agent, layout), SHARED)


def sharing(scene: Scene, agent: int, layout: int) -> list[Descriptor]:
    """Return what an agent supports for several accesses, with the same data for each of them."""
    have = _invariants(scene, agent, layout)
    return [d for d in have if len(able(scene, agent, d, layout)) > 1]


def _invariants(scene: Scene, agent: int, layout: int) -> list[Descriptor]:
    """Return what an agent supports with the same data for every access."""
    return [
        d
        for d in formats(scene, agent, ACCESSES[0])[0]
        if capability(scene, agent, d.format, layout) & INVARIANT
    ]


def able(scene: Scene, agent: int, descriptor: Descriptor, layout: int) -> list[int]:
    """Return the permissions that an agent supports for a format."""
    mask = capability(scene, agent, descriptor.format, layout)
    return [access for access in ACCESSES if mask & CAPABILITY[access]]


def _needed(
    scene: Scene, agent: int, descriptor: Descriptor, access: int, pitches: Pitches | None = None
) -> tuple[int, int]:
    address = lay_out(scene, descriptor)
    if pitches is None:
        return needs(ask_data(scene, agent, address, access))
    answer = scene.call(LINEAR_QUERY, **linear_question(agent, address, access, pitches))
    if not answer.ok:
        raise CannotMake("the data of the image cannot be asked for")
    return needs(answer)


def _needed_with_levels(
    scene: Scene, agent: int, descriptor: Descriptor, access: int
) -> tuple[int, int]:
    answer = scene.set_up(
        "hsa_ext_image_data_get_info_v2",
        agent=agent,
        image_descriptor=lay_out(scene, descriptor),
        access_permission=access,
        image_data_info=Out(),
    )
    return needs(answer)


def _require_power(scene: Scene, alignment: int) -> None:
    scene.require(is_power_of_two(alignment), "the alignment is no power of two", alignment)


@proves("hsa_ext_image_data_get_info/room-for-elements", examples=2)
@proves("hsa_ext_image_data_get_info_with_layout/room-for-elements", examples=2)
def data_has_room_for_each_element(scene: Scene) -> None:
    """The size of an image's data has room for all of its elements, few or some gigabytes.

    Each image that is larger in one dimension alone comes after a small one, and a large one last.
    """
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    linear = scene.clause.function == LINEAR_QUERY
    descriptor = supported(scene, agent, access, linear=linear)
    if descriptor.element is None:
        raise CannotMake("the texts do not say how large an element is")
    most = discovery.limits(scene, agent, descriptor.geometry)
    whole = descriptor.enlarged(scene.choose([1 << 31, 1 << 32]), most)
    larger = [each for longer in descriptor.longer(most) for each in (descriptor, longer)]
    for chosen in (*larger, whole):
        size, _ = _needed(scene, agent, chosen, access, (0, 0) if linear else None)
        least = chosen.elements * descriptor.element
        scene.require(size >= least, f"{chosen.elements} elements have {least} bytes", size)


@proves("hsa_ext_image_data_get_info/alignment-power", examples=2)
def data_is_aligned_to_a_power_of_two(scene: Scene) -> None:
    """The alignment that an image's data needs is a power of two."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    _require_power(scene, _needed(scene, agent, supported(scene, agent, access), access)[1])


@proves("hsa_ext_image_data_get_info_with_layout/alignment-power", examples=2)
def linear_data_is_aligned_to_a_power_of_two(scene: Scene) -> None:
    """The alignment that a linear image's data needs is a power of two."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    descriptor = supported(scene, agent, access, linear=True)
    _require_power(scene, _needed(scene, agent, descriptor, access, (0, 0))[1])


@proves("hsa_ext_image_data_get_info_v2/alignment-power", examples=2)
def data_of_levels_is_aligned_to_a_power_of_two(scene: Scene) -> None:
    """The alignment that the data of an image with levels needs is a power of two."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    descriptor = supported(scene, agent, access)
    levels = scene.choose([1, 0, descriptor.most_levels])
    chosen = replace(descriptor, levels=levels)
    _require_power(scene, _needed_with_levels(scene, agent, chosen, access)[1])


def _require_same(scene: Scene, found: dict[str, tuple[int, int]]) -> None:
    scene.require(len(set(found.values())) == 1, "size and alignment differ", found)


@proves("hsa_ext_image_data_get_info/same-for-accesses")
def each_access_needs_the_same(scene: Scene) -> None:
    """An image's data needs the same size and alignment for every access."""
    agent, descriptor = invariant(scene, OPAQUE)
    accesses = able(scene, agent, descriptor, OPAQUE)
    found = {f"access {a}": _needed(scene, agent, descriptor, a) for a in accesses}
    _require_same(scene, found)


@proves("hsa_ext_image_data_get_info_with_layout/same-for-accesses")
def each_access_needs_the_same_in_a_layout(scene: Scene) -> None:
    """A linear image's data needs the same size and alignment for every access."""
    agent, descriptor = invariant(scene, LINEAR)
    accesses = able(scene, agent, descriptor, LINEAR)
    found = {f"access {a}": _needed(scene, agent, descriptor, a, (0, 0)) for a in accesses}
    _require_same(scene, found)


@proves("hsa_ext_image_data_get_info/same-for-srgb")
def srgb_needs_what_its_plain_order_needs(scene: Scene) -> None:
    """A channel order and its sRGB form need data of the same size and alignment."""
    agent = image_agent(scene)
    pairs = [
        (plain, srgb, min(both))
        for plain in _invariants(scene, agent, OPAQUE)
        if plain.channel_order in SRGB
        for srgb in [replace(plain, channel_order=SRGB[plain.channel_order])]
        if (both := {*able(scene, agent, plain, OPAQUE)} & {*able(scene, agent, srgb, OPAQUE)})
    ]
    what = "format with an sRGB form whose data is the same for every access"
    plain, srgb, access = scene.available(pairs, what)
    found = {
        "plain": _needed(scene, agent, plain, access),
        "sRGB": _needed(scene, agent, srgb, access),
    }
    _require_same(scene, found)


def _explicit(descriptor: Descriptor) -> Pitches:
    """Return the pitches of a descriptor without padding."""
    if descriptor.row is None:
        raise CannotMake("the texts do not say how large an element is")
    return descriptor.row, descriptor.slice(descriptor.row)


@proves("hsa_ext_image_data_get_info_with_layout/row-pitch-default", examples=2)
def no_row_pitch_means_rows_without_padding(scene: Scene) -> None:
    """A row pitch of 0 and one of the row's bytes need the same data."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    descriptor = supported(scene, agent, access, linear=True)
    row, _ = _explicit(descriptor)
    found = {
        "0": _needed(scene, agent, descriptor, access, (0, 0)),
        f"{row}": _needed(scene, agent, descriptor, access, (row, 0)),
    }
    _require_same(scene, found)


@proves("hsa_ext_image_data_get_info_with_layout/slice-pitch-default", examples=2)
def no_slice_pitch_means_slices_without_padding(scene: Scene) -> None:
    """A slice pitch of 0 and one of the slice's bytes need the same data, for any row pitch."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    there = {GEOMETRIES[d.geometry] for d in formats(scene, agent, access)[0]}
    sliced = [name for name in SLICED if name in there]
    descriptor = supported(scene, agent, access, scene.available(sliced, "geometry with slices"))
    row = _explicit(descriptor)[0] * scene.choose([1, 2])
    slice_ = descriptor.slice(row)
    found = {
        "0": _needed(scene, agent, descriptor, access, (row, 0)),
        f"{slice_}": _needed(scene, agent, descriptor, access, (row, slice_)),
    }
    _require_same(scene, found)


@proves("hsa_ext_image_data_get_info_v2/one-level")
def one_level_needs_what_an_ordinary_image_needs(scene: Scene) -> None:
    """With 0 levels, with 1, and by the older function, an image needs the same data."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    descriptor = supported(scene, agent, access)
    found = {
        f"{levels} levels": _needed_with_levels(
            scene, agent, replace(descriptor, levels=levels), access
        )
        for levels in (0, 1)
    }
    _require_same(scene, {**found, "older": _needed(scene, agent, descriptor, access)})


@proves("hsa_ext_image_data_get_info_v2/all-levels")
def levels_need_room_for_each_of_them(scene: Scene) -> None:
    """The size that several levels need has room for the elements of all of them."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    descriptor = replace(supported(scene, agent, access, "2D"), height=EVEN_WIDTH)
    if descriptor.element is None:
        raise CannotMake("the texts do not say how large an element is")
    levels = scene.choose([2, 3, descriptor.most_levels])
    size, _ = _needed_with_levels(scene, agent, replace(descriptor, levels=levels), access)
    least = sum((EVEN_WIDTH >> level) ** 2 for level in range(levels)) * descriptor.element
    scene.require(size >= least, f"{levels} levels have {least} bytes at least", size)


@proves("hsa_ext_image_data_get_info/every-format")
def the_needs_of_each_supported_format_are_told(scene: Scene) -> None:
    """The query returns the needs of image data for each format that the agent says it supports.

    The images are small, and the access is one that the format is supported with.
    """
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    for chosen in discovery.formats(scene, agent):
        if capability(scene, agent, chosen, OPAQUE) & CAPABILITY[access]:
            answer = scene.call(
                "hsa_ext_image_data_get_info",
                agent=agent,
                image_descriptor=lay_out(scene, small(*chosen)),
                access_permission=access,
                image_data_info=Out(),
            )
            scene.require_status(answer, SUCCESS)
