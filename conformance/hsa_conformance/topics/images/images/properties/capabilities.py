"""What agents say that they can do with formats."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.images.images.discovery import format_data, image_agents
from hsa_conformance.topics.images.images.state import LINEAR

proves = Proofs()

OPAQUE_QUERY: Final = "hsa_ext_image_get_capability"
LINEAR_QUERY: Final = "hsa_ext_image_get_capability_with_layout"


def _ask(scene: Scene, function: str, agent: int) -> Answer:
    """Ask about any geometry and any format that the header names."""
    enums = scene.session.registry.enums
    geometry, channel_type, channel_order = (
        scene.draw(drawing.sampled_from(sorted(enums[f"hsa_ext_image_{name}_t"].values)))
        for name in ("geometry", "channel_type", "channel_order")
    )
    layout = {"image_data_layout": LINEAR} if function == LINEAR_QUERY else {}
    return scene.call(
        function,
        agent=agent,
        geometry=geometry,
        image_format=format_data(channel_type, channel_order),
        capability_mask=Out(),
        **layout,
    )


def _require_known_bits(scene: Scene, function: str) -> None:
    agent = scene.available(image_agents(scene), "agent with images").handle
    answer = _ask(scene, function, agent)
    scene.require_status(answer, SUCCESS)
    mask = answer.number("capability_mask")
    known = sum(scene.session.registry.enums["hsa_ext_image_capability_t"].values)
    scene.require(mask & ~known == 0, "a bit without a name is set", f"{mask:#x}")


@proves("hsa_ext_image_get_capability/bits-known", examples=8)
def capabilities_have_names(scene: Scene) -> None:
    """The capability of an image format has only bits that the header defines."""
    _require_known_bits(scene, OPAQUE_QUERY)


@proves("hsa_ext_image_get_capability_with_layout/bits-known", examples=8)
def capabilities_in_a_layout_have_names(scene: Scene) -> None:
    """The capability of a format in the linear layout has only bits of the header."""
    _require_known_bits(scene, LINEAR_QUERY)


@proves("hsa_ext_image_get_capability/none-without-gpu")
def other_agents_have_no_capability(scene: Scene) -> None:
    """An agent that is no GPU answers success with no capability for every image format."""
    others = [a for a in known_agents(scene) if a.device != "gpu"]
    answer = _ask(scene, OPAQUE_QUERY, scene.available(others, "agent that is no GPU").handle)
    scene.require_status(answer, SUCCESS)
    mask = answer.number("capability_mask")
    scene.require(mask == 0, "an agent that is no GPU has a capability", f"{mask:#x}")
