"""Properties of images whose layout another driver chose, and of the limits of images."""

from __future__ import annotations

from hsa_conformance.engine.calls import Answer, Out, Value
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.statuses import SUCCESS
from hsa_conformance.topics.amd.images.generators import layout
from hsa_conformance.topics.images.images.descriptors import GEOMETRIES, used
from hsa_conformance.topics.images.images.discovery import image_agent
from hsa_conformance.topics.images.images.fixtures import ACCESSES

proves = Proofs()

QUERY = "hsa_amd_image_get_info_max_dim"

#: The least that the header allows for each limit that is not the same for all.
LEAST = {"IMAGE_1DB_MAX_ELEMENTS": 65536, "IMAGE_3D_MAX_ELEMENTS": 2048}
LEAST_LAYERS = 2048
LEAST_OF_OTHERS = 16384

#: The attributes, with how many numbers each one is.
ATTRIBUTES = {
    **{f"IMAGE_{name}_MAX_ELEMENTS": sum(used(i)[:3]) for i, name in enumerate(GEOMETRIES)},
    "IMAGE_ARRAY_MAX_LAYERS": 1,
}
SIZE = 8


def _marks(scene: Scene, memory: int) -> bytes:
    found = scene.session.read(memory, 64)
    if found is None:
        raise CannotMake("the host cannot read the data")
    return found


def _require_data_kept(scene: Scene, function: str) -> None:
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    _, address, memory, found = layout(scene, agent, access)
    content = bytes(range(64))
    if not scene.session.write(memory, content):
        raise CannotMake("the host cannot write to the data")
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
    after = _marks(scene, memory)
    scene.require(after == content, "the data is no longer what it was", after.hex(" "))


@proves("hsa_amd_image_create/data-preserved")
def creating_from_a_layout_leaves_the_data(scene: Scene) -> None:
    """Creating an image from another driver's layout leaves the bytes of its data alone."""
    _require_data_kept(scene, "hsa_amd_image_create")


@proves("hsa_amd_image_create_v2/data-preserved")
def creating_levels_from_a_layout_leaves_the_data(scene: Scene) -> None:
    """Creating an image with levels from a layout leaves the bytes of its data alone."""
    _require_data_kept(scene, "hsa_amd_image_create_v2")


def _ask(scene: Scene, function: str, agent: int, attribute: str) -> Answer:
    number: Value = scene.session.registry.constants[f"HSA_EXT_AGENT_INFO_{attribute}"]
    room = Out(SIZE * ATTRIBUTES[attribute])
    answer = scene.call(function, agent=agent, attribute=number, value=room)
    scene.require_status(answer, SUCCESS)
    return answer


def _limits(answer: Answer, count: int) -> list[int]:
    """Return the numbers: as wide as the header says, or half as wide if half was written."""
    content = answer.outputs["value"] or b""
    width = SIZE // 2 if answer.is_pattern(content[SIZE // 2 * count :]) else SIZE
    return [int.from_bytes(content[i * width : (i + 1) * width], "little") for i in range(count)]


@proves("hsa_amd_image_get_info_max_dim/same-as-agent-info", examples=2)
def both_queries_know_the_same_limits(scene: Scene) -> None:
    """The query for image limits and hsa_agent_get_info give the same numbers."""
    agent, attribute = image_agent(scene), scene.choose([*ATTRIBUTES])
    here = _ask(scene, QUERY, agent, attribute).outputs["value"] or b""
    there = _ask(scene, "hsa_agent_get_info", agent, attribute).outputs["value"] or b""
    scene.require(
        here == there, f"{attribute} is {there.hex(' ')} for hsa_agent_get_info", here.hex(" ")
    )


@proves("hsa_amd_image_get_info_max_dim/least-limits", examples=2)
def limits_are_as_large_as_the_text_promises(scene: Scene) -> None:
    """On an agent with images, no image limit is below the least that the header gives."""
    agent, attribute = image_agent(scene), scene.choose([*ATTRIBUTES])
    found = _limits(_ask(scene, QUERY, agent, attribute), ATTRIBUTES[attribute])
    least = LEAST.get(attribute, LEAST_OF_OTHERS)
    least = LEAST_LAYERS if attribute == "IMAGE_ARRAY_MAX_LAYERS" else least
    scene.require(min(found) >= least, f"{attribute} is below {least}", found)


@proves("hsa_amd_image_get_info_max_dim/writes-32-bits")
def numbers_have_32_bits(scene: Scene) -> None:
    """The query for image limits writes 32 bits, and leaves the rest of a size_t alone."""
    agent, attribute = image_agent(scene), scene.choose([*ATTRIBUTES])
    content = _ask(scene, QUERY, agent, attribute).outputs["value"] or b""
    half = content[SIZE // 2 * ATTRIBUTES[attribute] :]
    scene.require(Answer.is_pattern(half), f"{attribute} has more than 32 bits", half.hex(" "))
