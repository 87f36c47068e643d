"""Images whose layout another driver chose, and the limits of images.

The vendor's part of a layout is the record that the handle of an image points at.
"""

from __future__ import annotations

from typing import Final

from hsa_reference import memory
from hsa_reference.attributes import answer
from hsa_reference.core.agents import Agents
from hsa_reference.effects import unlocked
from hsa_reference.images.images import create
from hsa_reference.images.images.shapes import Descriptor, read_descriptor, read_levels
from hsa_reference.images.images.state import Images, read_record
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, Answer

_VERSION: Final = 1
_VENDOR: Final = 0x1002  # AMD's number in PCI
_HEAD: Final = 8  # bytes before the vendor's part


class Layouts(Part):
    """What layouts are those of images."""

    def __init__(self, state: State) -> None:
        self._images, self._agents = state.part(Images), state.part(Agents)
        self._chip = state.registry.constants["HSA_AMD_AGENT_INFO_CHIP_ID"]
        state.facts["image_layout_matches"] = self._matches

    def _matches(self, agent: int, address: int, layout: int) -> bool:
        if not address or not layout:
            return False
        described = read_descriptor(address)
        element = self._images.element(described)
        chip = int.from_bytes(self._agents.by_handle[agent].attributes[self._chip], "little")
        if (
            memory.numbers(layout, 2) != (_VERSION, _VENDOR << 16 | chip)
            or element is None
            or not self._images.fits(agent, described)
        ):
            return False
        pitches, image_format = read_record(layout + _HEAD)
        least = self._images.pitches(described, 0, 0)
        return (
            image_format == described.format
            and pitches.row >= least.row
            and pitches.slice >= pitches.row * max(described.height, 1)
        )


PART = Layouts


def hsa_amd_image_create(
    state: State,
    agent: int,
    image_descriptor: int,
    image_layout: int,
    image_data: int,
    access_permission: int,
    image: int,
) -> Answer:
    """Make an image with the pitches that a layout has."""
    described = read_descriptor(image_descriptor)
    return _create(state, agent, described, image_layout, image_data, access_permission, image)


def hsa_amd_image_create_v2(
    state: State,
    agent: int,
    image_descriptor: int,
    image_layout: int,
    image_data: int,
    access_permission: int,
    image: int,
) -> Answer:
    """Make an image with levels; without a layout, its data is as that of every image."""
    described, count = read_descriptor(image_descriptor), read_levels(image_descriptor)
    images = state.part(Images)
    if not image_layout and (
        not images.fits(agent, described) or image_data % images.alignment(agent)
    ):
        return INVALID_ARGUMENT
    return _create(
        state, agent, described, image_layout, image_data, access_permission, image, count
    )


def _create(
    state: State,
    agent: int,
    described: Descriptor,
    layout: int,
    data: int,
    access: int,
    output: int,
    count: int = 1,
) -> Answer:
    if not state.part(Images).can(agent, described, access):
        return INVALID_ARGUMENT
    pitches = read_record(layout + _HEAD)[0] if layout else None
    return create(state, agent, described, data, access, output, count=count, pitches=pitches)


@unlocked
def hsa_amd_image_get_info_max_dim(state: State, agent: int, attribute: int, value: int) -> Answer:
    """Write a limit of images, as hsa_agent_get_info does."""
    return answer(state.part(Agents).written(agent, attribute), value)
