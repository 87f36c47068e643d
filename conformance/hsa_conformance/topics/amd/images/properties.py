"""Properties of images whose layout another driver chose, and of the limits of images."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.images.generators import layout
from hsa_conformance.topics.images.images.discovery import image_agent, numbers
from hsa_conformance.topics.images.images.fixtures import ACCESSES, ask_data, needs
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.memory import Marks

proves = Proofs()

QUERY = "hsa_amd_image_get_info_max_dim"

#: The least that the header allows for each limit that is not the same for all.
LEAST = {
    "HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS": 65536,
    "HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS": 2048,
    "HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS": 2048,
}
LEAST_OF_OTHERS = 16384


def _require_data_kept(scene: Scene, function: str) -> None:
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    _, address, memory, found = layout(scene, agent, access)
    size, _ = needs(ask_data(scene, agent, address, access))
    marks = Marks(scene, size)
    marks.put(memory)
    answer = scene.call(
        function,
        agent=agent,
        image_descriptor=address,
        image_layout=found,
        image_data=memory,
        access_permission=access,
        image=Out(),
    )
    scene.require_status(answer, SUCCESS)
    marks.require(memory, "the data is no longer what it was")


@proves("hsa_amd_image_create/data-preserved")
def creating_from_a_layout_leaves_the_data(scene: Scene) -> None:
    """Creating an image from another driver's layout leaves the bytes of its data alone.

    Looked at are its first byte, its last one, and two between.
    """
    _require_data_kept(scene, "hsa_amd_image_create")


@proves("hsa_amd_image_create_v2/data-preserved")
def creating_levels_from_a_layout_leaves_the_data(scene: Scene) -> None:
    """Creating an image from a layout with hsa_amd_image_create_v2 leaves its data alone.

    The image has one level. Looked at are the first byte of its data, the last one, and two
    between.
    """
    _require_data_kept(scene, "hsa_amd_image_create_v2")


def _attribute(scene: Scene) -> str:
    return scene.choose([a.name for a in scene.session.registry.attributes_of(QUERY)])


def _ask(scene: Scene, function: str, agent: int, attribute: str) -> Answer:
    answer = ask(scene, function, attribute, agent=agent)
    scene.require_status(answer, SUCCESS)
    return answer


@proves("hsa_amd_image_get_info_max_dim/same-as-agent-info", examples=2)
def both_queries_know_the_same_limits(scene: Scene) -> None:
    """The query for image limits and hsa_agent_get_info give the same numbers."""
    agent, attribute = image_agent(scene), _attribute(scene)
    here = numbers(_ask(scene, QUERY, agent, attribute))
    there = numbers(_ask(scene, "hsa_agent_get_info", agent, attribute))
    scene.require(here == there, f"{attribute} is {there} for hsa_agent_get_info", here)


@proves("hsa_amd_image_get_info_max_dim/least-limits", examples=2)
def limits_are_as_large_as_the_text_promises(scene: Scene) -> None:
    """On an agent with images, no image limit is below the least that the header gives."""
    agent, attribute = image_agent(scene), _attribute(scene)
    found = numbers(_ask(scene, QUERY, agent, attribute))
    least = LEAST.get(attribute, LEAST_OF_OTHERS)
    scene.require(min(found) >= least, f"{attribute} is below {least}", found)


@proves("hsa_amd_image_get_info_max_dim/writes-32-bits")
def numbers_have_32_bits(scene: Scene) -> None:
    """The query for image limits writes 32 bits, and leaves the rest of a size_t alone."""
    agent, attribute = image_agent(scene), _attribute(scene)
    content = _ask(scene, QUERY, agent, attribute).outputs["value"] or b""
    half = content[len(content) // 2 :]
    scene.require(Answer.is_pattern(half), f"{attribute} has more than 32 bits", half.hex(" "))
