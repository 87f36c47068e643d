"""What agents say of images, asked once in each process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Answer, Data, Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.images.images.descriptors import GEOMETRIES, used
from hsa_conformance.topics.images.images.state import LINEAR, OPAQUE, ImageAgent

_NUMBER: Final = 8  # bytes of a size_t
_AMD: Final = 0x1002  # PCI's number of the vendor

#: Geometry, channel type, channel order.
Format = tuple[int, int, int]

#: Channel types and orders that agents are asked about: common ones, one that is often read only,
#: one that only depths have, and two that hardly any device has.
FORMATS: Final = (
    (11, 8),
    (15, 1),
    (2, 8),
    (14, 8),
    (10, 3),
    (2, 9),
    (6, 6),
    (2, 14),
    (15, 18),
    (2, 2),
    (8, 7),
)


def discover(fixtures: Fixtures) -> None:
    """Ask each agent for its limits of images, and for what it can do with some formats."""
    session = fixtures.session
    unknown = [
        a.handle
        for a in known_agents(fixtures)
        if session.model.find("image agent", a.handle) is None
    ]
    for agent in unknown:
        facts, capabilities = session.learn(
            f"images of {agent}", partial(_ask_all, fixtures, agent)
        )
        session.model.add("image agent", agent, thing=facts)
        for key, mask in capabilities.items():
            session.model.add("image capability", agent, *key, thing=mask)


def image_agents(fixtures: Fixtures) -> list[Agent]:
    """Return the agents that have images."""
    discover(fixtures)
    return [a for a in known_agents(fixtures) if _facts(fixtures, a.handle).limits]


def offered_image_agents(fixtures: Fixtures) -> list[Agent]:
    """Return the agents that have images, none where the library offers no images or samplers."""
    session = fixtures.session
    offered = session.offers("hsa_ext_image_create") and session.offers("hsa_ext_sampler_create")
    return image_agents(fixtures) if offered else []


def image_agent(fixtures: Fixtures) -> int:
    """Draw an agent that has images.

    Raises:
        Unavailable: the machine has none.

    """
    return fixtures.available(image_agents(fixtures), "agent with images").handle


def limits(fixtures: Fixtures, agent: int, geometry: int) -> tuple[int, int, int, int]:
    """Return the most width, height, depth and layers of a geometry."""
    return _facts(fixtures, agent).limits[geometry]


def device(fixtures: Fixtures, agent: int) -> int:
    """Return the PCI identifiers of an agent, the vendor in the high half."""
    return _facts(fixtures, agent).device


def capability(
    fixtures: Fixtures, agent: int, image_format: tuple[int, int, int], layout: int
) -> int:
    """Return what an agent said that it can do with geometry, channel type and channel order."""
    mask = fixtures.session.model.find("image capability", agent, layout, *image_format)
    return mask if isinstance(mask, int) else 0


def format_data(channel_type: int, channel_order: int) -> Data:
    """Return a hsa_ext_image_format_t."""
    content = channel_type.to_bytes(4, "little") + channel_order.to_bytes(4, "little")
    return Data(content, f"{{{channel_type}, {channel_order}}}")


def _facts(fixtures: Fixtures, agent: int) -> ImageAgent:
    found = fixtures.session.model.find("image agent", agent)
    return found if isinstance(found, ImageAgent) else ImageAgent({})


def formats(fixtures: Fixtures, agent: int) -> list[Format]:
    """Return the formats that an agent is asked about."""
    return _formats(_facts(fixtures, agent))


def _formats(facts: ImageAgent) -> list[Format]:
    asked = FORMATS if facts.limits else FORMATS[:1]
    return [(geometry, *members) for geometry in range(len(GEOMETRIES)) for members in asked]


def _ask_all(fixtures: Fixtures, agent: int) -> tuple[ImageAgent, Mapping[tuple[int, ...], int]]:
    """Return what an agent is, and its capability by layout and format."""
    facts = _ask(fixtures, agent)
    return facts, _ask_capabilities(fixtures, agent, facts)


def _ask_capabilities(
    fixtures: Fixtures, agent: int, facts: ImageAgent
) -> Mapping[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {}
    for image_format in _formats(facts):
        geometry, *members = image_format
        for layout in (OPAQUE, LINEAR):
            linear = {"image_data_layout": layout} if layout == LINEAR else {}
            answer = fixtures.session.set_up(
                "hsa_ext_image_get_capability" + "_with_layout" * len(linear),
                agent=agent,
                geometry=geometry,
                image_format=format_data(*members),
                capability_mask=Out(),
                **linear,
            )
            found[layout, *image_format] = answer.number("capability_mask")
    return found


def _ask(fixtures: Fixtures, agent: int) -> ImageAgent:
    layers = _numbers(fixtures, agent, "IMAGE_ARRAY_MAX_LAYERS")
    table = {}
    for geometry, name in enumerate(GEOMETRIES):
        matters = used(geometry)
        most = _numbers(fixtures, agent, f"IMAGE_{name}_MAX_ELEMENTS")
        if layers and most and all(most):
            width, height, depth, *_ = *most, 0, 0
            table[geometry] = width, height, depth, layers[0] if matters[3] else 0
    alignment = _numbers(fixtures, agent, "IMAGE_LINEAR_ROW_PITCH_ALIGNMENT")
    chip = _attribute(fixtures, agent, "HSA_AMD_AGENT_INFO_CHIP_ID")
    number = chip.number("value") if chip else 0
    return ImageAgent(table, alignment[0] if alignment else None, _AMD << 16 | number)


def _numbers(fixtures: Fixtures, agent: int, attribute: str) -> list[int]:
    """Return some numbers, which ROCr writes as 32 bits each and the header as size_t."""
    answer = _attribute(fixtures, agent, f"HSA_EXT_AGENT_INFO_{attribute}")
    if answer is None or answer.untouched("value"):
        return []
    return numbers(answer)


def numbers(answer: Answer) -> list[int]:
    """Return the numbers of an attribute: as wide as the header says, or half as wide."""
    content = answer.outputs["value"] or b""
    count = len(content) // _NUMBER
    size = _NUMBER // 2 if answer.is_pattern(content[_NUMBER // 2 * count :]) else _NUMBER
    return [int.from_bytes(content[size * i : size * (i + 1)], "little") for i in range(count)]


def _attribute(fixtures: Fixtures, agent: int, attribute: str) -> Answer | None:
    number = fixtures.session.registry.constants[attribute]
    try:
        return fixtures.session.set_up(
            "hsa_agent_get_info", agent=agent, attribute=number, value=Out()
        )
    except Blocked as blocked:
        if blocked.deadly:
            raise
        return None
