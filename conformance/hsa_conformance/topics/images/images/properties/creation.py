"""Images and the data that they are made on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.images.images.descriptors import Descriptor
from hsa_conformance.topics.images.images.discovery import image_agent
from hsa_conformance.topics.images.images.fixtures import (
    ACCESSES,
    ask_data,
    data,
    lay_out,
    levelled,
    needs,
    supported,
)
from hsa_conformance.topics.images.images.state import LINEAR

proves = Proofs()

PLAIN = "hsa_ext_image_create"
WITH_LAYOUT = "hsa_ext_image_create_with_layout"
LEVELS = "hsa_ext_image_create_v2"


@dataclass(frozen=True)
class ImageInputs:
    """The arguments for creating an image: an agent, a descriptor, and memory for its data."""

    agent: int
    descriptor: int
    access: int
    memory: int
    size: int


def image_inputs(
    scene: Scene, agent: int, descriptor: Descriptor, access: int, *, linear: bool = False
) -> ImageInputs:
    """Allocate what an image needs."""
    address = lay_out(scene, descriptor)
    info = ask_data(scene, agent, address, access, (0, 0) if linear else None)
    size, alignment = needs(info)
    return ImageInputs(agent, address, access, data(scene, agent, size, alignment), size)


def some_image_inputs(scene: Scene, *, linear: bool = False) -> ImageInputs:
    """Allocate what some image needs."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    chosen = supported(scene, agent, access, linear=linear)
    return image_inputs(scene, agent, chosen, access, linear=linear)


def creating(inputs: ImageInputs, function: str = PLAIN) -> dict[str, Value]:
    """Return the arguments that create an image."""
    layout = {
        "image_data_layout": LINEAR,
        "image_data_row_pitch": 0,
        "image_data_slice_pitch": 0,
    }
    return {
        "agent": inputs.agent,
        "image_descriptor": inputs.descriptor,
        "image_data": inputs.memory,
        "access_permission": inputs.access,
        "image": Out(),
        **(layout if function == WITH_LAYOUT else {}),
    }


def create(scene: Scene, inputs: ImageInputs, function: str = PLAIN) -> Answer:
    """Make the call that a property is about."""
    return scene.call(function, **creating(inputs, function))


def mark(scene: Scene, inputs: ImageInputs) -> dict[int, bytes]:
    """Write to both ends of the data and somewhere between, and return what stands where."""
    size = min(16, inputs.size)
    places = {0, scene.draw(drawing.integers(0, inputs.size - size)), inputs.size - size}
    marks: dict[int, bytes] = {}
    for place in sorted(places):
        content = scene.draw(drawing.binary(min_size=size, max_size=size))
        if not scene.session.write(inputs.memory + place, content):
            raise CannotMake("the host cannot write to the data")
        marks = {p: c for p, c in marks.items() if p + size <= place} | {place: content}
    return marks


def require_marks(scene: Scene, inputs: ImageInputs, marks: dict[int, bytes]) -> None:
    """Demand that the data still holds what `mark` wrote."""
    for place, content in marks.items():
        found = scene.session.read(inputs.memory + place, len(content))
        scene.require(
            found == content,
            f"the data no longer holds {content.hex(' ')} at byte {place}",
            "memory that cannot be read" if found is None else found.hex(" "),
        )


def _leaves_data(scene: Scene, function: str) -> None:
    inputs = some_image_inputs(scene, linear=function == WITH_LAYOUT)
    marks = mark(scene, inputs)
    scene.require_status(create(scene, inputs, function), SUCCESS)
    require_marks(scene, inputs, marks)


@proves("hsa_ext_image_create/data-preserved")
def creating_leaves_the_data(scene: Scene) -> None:
    """Creating an image leaves the bytes of its data as they were."""
    _leaves_data(scene, PLAIN)


@proves("hsa_ext_image_create_with_layout/data-preserved")
def creating_in_a_layout_leaves_the_data(scene: Scene) -> None:
    """Creating an image in the linear layout leaves the bytes of its data as they were."""
    _leaves_data(scene, WITH_LAYOUT)


@proves("hsa_ext_image_create_v2/one-level")
def one_level_is_an_ordinary_image(scene: Scene) -> None:
    """With 0 or 1 levels, an image is created where an ordinary one is, on as much data."""
    inputs = some_image_inputs(scene)
    descriptor = Descriptor.parse(scene.session.model.read(inputs.descriptor, 56) or bytes(56))
    levels = scene.choose([0, 1])
    one = replace(inputs, descriptor=lay_out(scene, replace(descriptor, levels=levels)))
    scene.set_up(PLAIN, **creating(inputs))
    scene.require_status(create(scene, one, LEVELS), SUCCESS)


@proves("hsa_ext_image_destroy/data-stays")
def destroying_leaves_the_data(scene: Scene) -> None:
    """After an image is destroyed, its data holds the same bytes and can be freed."""
    inputs = some_image_inputs(scene)
    marks = mark(scene, inputs)
    handle = scene.set_up(PLAIN, **creating(inputs))["image"]
    scene.set_up("hsa_ext_image_destroy", agent=inputs.agent, image=handle)
    require_marks(scene, inputs, marks)
    _require_not_freed(scene)


@proves("hsa_ext_image_destroy_v2/data-stays")
def destroying_levels_leaves_the_data(scene: Scene) -> None:
    """After an image with levels is destroyed, its data can be freed."""
    agent = image_agent(scene)
    handle = levelled(scene, agent)
    scene.set_up("hsa_ext_image_destroy_v2", agent=agent, image=handle)
    _require_not_freed(scene)


def _require_not_freed(scene: Scene) -> None:
    block = [x.address for x in scene.session.model.live("allocation")][-1]
    freed = scene.call("hsa_amd_memory_pool_free", ptr=block)
    scene.require(freed.ok, "the data cannot be freed any more", freed.name)
