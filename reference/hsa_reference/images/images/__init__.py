"""Images: what agents can do with them, what their data needs, and their lives."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.effects import unlocked
from hsa_reference.images.images.shapes import (
    Descriptor,
    Level,
    Pitches,
    read_descriptor,
    read_levels,
)
from hsa_reference.images.images.state import Images
from hsa_reference.images.images.transfers import (
    hsa_ext_image_clear,
    hsa_ext_image_copy,
    hsa_ext_image_export,
    hsa_ext_image_import,
)
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer

PART = Images

__all__ = [
    "PART",
    "hsa_ext_image_clear",
    "hsa_ext_image_copy",
    "hsa_ext_image_create",
    "hsa_ext_image_create_v2",
    "hsa_ext_image_create_with_layout",
    "hsa_ext_image_data_get_info",
    "hsa_ext_image_data_get_info_v2",
    "hsa_ext_image_data_get_info_with_layout",
    "hsa_ext_image_destroy",
    "hsa_ext_image_destroy_v2",
    "hsa_ext_image_export",
    "hsa_ext_image_get_capability",
    "hsa_ext_image_get_capability_with_layout",
    "hsa_ext_image_import",
    "hsa_ext_image_mipmap_array_get_level",
]


@unlocked
def hsa_ext_image_get_capability(
    state: State, agent: int, geometry: int, image_format: int, capability_mask: int
) -> Answer:
    """Write what an agent can do with a format."""
    mask = state.part(Images).capability(agent, geometry, *memory.numbers(image_format, 2))
    memory.store(capability_mask, mask, 4)
    return SUCCESS


@unlocked
def hsa_ext_image_get_capability_with_layout(
    state: State,
    agent: int,
    geometry: int,
    image_format: int,
    image_data_layout: int,
    capability_mask: int,
) -> Answer:
    """Write what an agent can do with a format: in the linear layout, as much; else nothing."""
    if not _is_linear(state, image_data_layout):
        memory.store(capability_mask, 0, 4)
        return SUCCESS
    return hsa_ext_image_get_capability(state, agent, geometry, image_format, capability_mask)


@unlocked
def hsa_ext_image_data_get_info(
    state: State, agent: int, image_descriptor: int, access_permission: int, image_data_info: int
) -> Answer:
    """Write what the data of an image needs."""
    levels = state.part(Images).lay_out(agent, read_descriptor(image_descriptor))
    return _write_info(state, agent, levels, image_data_info)


@unlocked
def hsa_ext_image_data_get_info_with_layout(
    state: State,
    agent: int,
    image_descriptor: int,
    access_permission: int,
    image_data_layout: int,
    image_data_row_pitch: int,
    image_data_slice_pitch: int,
    image_data_info: int,
) -> Answer:
    """Write what linear data needs; there is no other layout that can be asked for."""
    images, described = state.part(Images), read_descriptor(image_descriptor)
    if not _is_linear(state, image_data_layout):
        return INVALID_ARGUMENT
    pitches = images.pitches(described, image_data_row_pitch, image_data_slice_pitch)
    levels = images.lay_out(agent, described, pitches=pitches)
    return _write_info(state, agent, levels, image_data_info)


@unlocked
def hsa_ext_image_data_get_info_v2(
    state: State, agent: int, image_descriptor: int, access_permission: int, image_data_info: int
) -> Answer:
    """Write what the data of all levels needs."""
    described, count = read_descriptor(image_descriptor), read_levels(image_descriptor)
    levels = state.part(Images).lay_out(agent, described, count=count)
    return _write_info(state, agent, levels, image_data_info)


def _is_linear(state: State, layout: int) -> bool:
    return layout == state.registry.constants["HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR"]


def _write_info(state: State, agent: int, levels: list[Level], info: int) -> Answer:
    memory.store(info, sum(level.size for level in levels), 8)
    memory.store(info + 8, state.part(Images).alignment(agent), 8)
    return SUCCESS


def hsa_ext_image_create(
    state: State,
    agent: int,
    image_descriptor: int,
    image_data: int,
    access_permission: int,
    image: int,
) -> Answer:
    """Make an image whose rows are padded."""
    described = read_descriptor(image_descriptor)
    return create(state, agent, described, image_data, access_permission, image)


def hsa_ext_image_create_with_layout(
    state: State,
    agent: int,
    image_descriptor: int,
    image_data: int,
    access_permission: int,
    image_data_layout: int,
    image_data_row_pitch: int,
    image_data_slice_pitch: int,
    image: int,
) -> Answer:
    """Make a linear image; there is no other layout that can be asked for."""
    if not _is_linear(state, image_data_layout):
        return INVALID_ARGUMENT
    described = read_descriptor(image_descriptor)
    pitches = state.part(Images).pitches(described, image_data_row_pitch, image_data_slice_pitch)
    return create(state, agent, described, image_data, access_permission, image, pitches=pitches)


def hsa_ext_image_create_v2(
    state: State,
    agent: int,
    image_descriptor: int,
    image_data: int,
    access_permission: int,
    image: int,
) -> Answer:
    """Make an image whose levels follow each other."""
    described, count = read_descriptor(image_descriptor), read_levels(image_descriptor)
    return create(state, agent, described, image_data, access_permission, image, count=count)


def create(
    state: State,
    agent: int,
    described: Descriptor,
    data: int,
    access: int,
    output: int,
    *,
    count: int = 1,
    pitches: Pitches | None = None,
) -> Answer:
    """Make an image on data, and write its handle.

    Args:
        state: of the runtime.
        agent: that it belongs to.
        described: its format and dimensions, which the agent supports.
        data: where its elements are.
        access: the permission of the agent.
        output: where the handle goes.
        count: of levels.
        pitches: of the first level, if they are given.

    """
    images = state.part(Images)
    levels = images.lay_out(agent, described, address=data, count=count, pitches=pitches)
    return _add(images, agent, described, access, levels, output)


def _add(
    images: Images,
    agent: int,
    described: Descriptor,
    access: int,
    levels: list[Level],
    output: int,
) -> Answer:
    try:
        handle = images.add(agent, described, access, levels)
    except OSError:
        return OUT_OF_RESOURCES
    if handle is None:
        return OUT_OF_RESOURCES
    memory.store(output, handle, 8)
    return SUCCESS


def hsa_ext_image_mipmap_array_get_level(
    state: State,
    agent: int,
    mipmapped_array: int,
    mip_level: int,
    image_descriptor: int,
    level_image_out: int,
) -> Answer:
    """Make an image of one level; its format and access are those of the whole."""
    images = state.part(Images)
    whole = images.at(mipmapped_array)
    if whole is None or whole.agent != agent:
        return INVALID_ARGUMENT
    level = whole.levels[mip_level]
    return _add(images, agent, whole.descriptor, whole.access, [level], level_image_out)


def hsa_ext_image_destroy(state: State, agent: int, image: int) -> Answer:
    """Forget an image of the agent; its data is the application's."""
    images = state.part(Images)
    if images.by_handle[image].agent != agent:
        return INVALID_ARGUMENT
    del images.by_handle[image]
    return SUCCESS


def hsa_ext_image_destroy_v2(state: State, agent: int, image: int) -> Answer:
    """Forget an image of the agent, with or without levels."""
    return hsa_ext_image_destroy(state, agent, image)
