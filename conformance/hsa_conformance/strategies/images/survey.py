"""What agents say of images, asked once in each process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from hsa_conformance.calls import Answer, Data, Out
from hsa_conformance.findings import Blocked
from hsa_conformance.model.images.descriptors import GEOMETRIES, used
from hsa_conformance.model.images.images import LINEAR, OPAQUE, ImageAgent
from hsa_conformance.model.state import Agent
from hsa_conformance.strategies.builder import Stock

_AMD: Final = 0x1002  # PCI's number of the vendor


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


@contextmanager
def quietly(stock: Stock) -> Iterator[None]:
    """Keep questions that do not matter to an example out of its trace."""
    length = len(stock.session.trace)
    yield
    del stock.session.trace[length:]


def survey(stock: Stock) -> None:
    """Ask each agent for its limits of images, and for what it can do with some formats."""
    model = stock.session.model
    unknown = [a.handle for a in stock.agents() if model.find("image agent", a.handle) is None]
    with quietly(stock):
        for agent in unknown:
            model.keep("image agent", agent, thing=_ask(stock, agent))
            _ask_capabilities(stock, agent)


def image_agents(stock: Stock) -> list[Agent]:
    """Return the agents that have images."""
    survey(stock)
    return [a for a in stock.agents() if _facts(stock, a.handle).limits]


def image_agent(stock: Stock) -> int:
    """Draw an agent that has images.

    Raises:
        Unavailable: the machine has none.

    """
    return stock.available(image_agents(stock), "agent with images").handle


def limits(stock: Stock, agent: int, geometry: int) -> tuple[int, int, int, int]:
    """Return the most width, height, depth and layers of a geometry."""
    return _facts(stock, agent).limits[geometry]


def device(stock: Stock, agent: int) -> int:
    """Return the PCI identifiers of an agent, the vendor in the high half."""
    return _facts(stock, agent).device


def capability(stock: Stock, agent: int, image_format: tuple[int, int, int], layout: int) -> int:
    """Return what an agent said that it can do with geometry, channel type and channel order."""
    mask = stock.session.model.find("image capability", agent, layout, *image_format)
    return mask if isinstance(mask, int) else 0


def format_data(channel_type: int, channel_order: int) -> Data:
    """Return a hsa_ext_image_format_t."""
    content = channel_type.to_bytes(4, "little") + channel_order.to_bytes(4, "little")
    return Data(content, f"{{{channel_type}, {channel_order}}}")


def _facts(stock: Stock, agent: int) -> ImageAgent:
    found = stock.session.model.find("image agent", agent)
    return found if isinstance(found, ImageAgent) else ImageAgent({})


def formats(stock: Stock, agent: int) -> list[tuple[int, int, int]]:
    """Return the formats that an agent is asked about: geometry, channel type, channel order."""
    asked = FORMATS if _facts(stock, agent).limits else FORMATS[:1]
    return [(geometry, *members) for geometry in range(len(GEOMETRIES)) for members in asked]


def _ask_capabilities(stock: Stock, agent: int) -> None:
    for image_format in formats(stock, agent):
        geometry, *members = image_format
        for layout in (OPAQUE, LINEAR):
            linear = {"image_data_layout": layout} if layout == LINEAR else {}
            answer = stock.session.must(
                "hsa_ext_image_get_capability" + "_with_layout" * len(linear),
                agent=agent,
                geometry=geometry,
                image_format=format_data(*members),
                capability_mask=Out(),
                **linear,
            )
            mask = answer.number("capability_mask")
            stock.session.model.keep("image capability", agent, layout, *image_format, thing=mask)


def _ask(stock: Stock, agent: int) -> ImageAgent:
    layers = _numbers(stock, agent, "IMAGE_ARRAY_MAX_LAYERS", 1)
    table = {}
    for geometry, name in enumerate(GEOMETRIES):
        matters = used(geometry)
        most = _numbers(stock, agent, f"IMAGE_{name}_MAX_ELEMENTS", sum(matters[:3]))
        if layers and most and all(most):
            width, height, depth, *_ = *most, 0, 0
            table[geometry] = width, height, depth, layers[0] if matters[3] else 0
    alignment = _numbers(stock, agent, "IMAGE_LINEAR_ROW_PITCH_ALIGNMENT", 1)
    chip = _attribute(stock, agent, "HSA_AMD_AGENT_INFO_CHIP_ID", 4)
    number = chip.number("value") if chip else 0
    return ImageAgent(table, alignment[0] if alignment else None, _AMD << 16 | number)


def _numbers(stock: Stock, agent: int, attribute: str, count: int) -> list[int]:
    """Return some numbers, which ROCr writes as 32 bits each and the header as size_t."""
    answer = _attribute(stock, agent, f"HSA_EXT_AGENT_INFO_{attribute}", 8 * count)
    if answer is None or answer.untouched("value"):
        return []
    content = answer.outputs["value"] or b""
    half = content[4 * count :]
    size = 4 if answer.is_pattern(half) else 8
    return [int.from_bytes(content[size * i : size * (i + 1)], "little") for i in range(count)]


def _attribute(stock: Stock, agent: int, attribute: str, room: int) -> Answer | None:
    number = stock.session.registry.constants[attribute]
    try:
        return stock.session.must(
            "hsa_agent_get_info", agent=agent, attribute=number, value=Out(room)
        )
    except Blocked as blocked:
        if blocked.deadly:
            raise
        return None
