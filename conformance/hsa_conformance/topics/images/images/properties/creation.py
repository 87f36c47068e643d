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
class Ground:
    """What an image is made on: an agent, a descriptor, and memory for its data."""

    agent: int
    descriptor: int
    access: int
    memory: int
    size: int


def ground(
    scene: Scene, agent: int, descriptor: Descriptor, access: int, *, linear: bool = False
) -> Ground:
    """Allocate what an image needs."""
    address = lay_out(scene, descriptor)
    info = ask_data(scene, agent, address, access, (0, 0) if linear else None)
    size, alignment = needs(info)
    return Ground(agent, address, access, data(scene, agent, size, alignment), size)


def some_ground(scene: Scene, *, linear: bool = False) -> Ground:
    """Allocate what some image needs."""
    agent, access = image_agent(scene), scene.choose(ACCESSES)
    chosen = supported(scene, agent, access, linear=linear)
    return ground(scene, agent, chosen, access, linear=linear)


def creating(on: Ground, function: str = PLAIN) -> dict[str, Value]:
    """Return the arguments that create an image."""
    layout = {
        "image_data_layout": LINEAR,
        "image_data_row_pitch": 0,
        "image_data_slice_pitch": 0,
    }
    return {
        "agent": on.agent,
        "image_descriptor": on.descriptor,
        "image_data": on.memory,
        "access_permission": on.access,
        "image": Out(),
        **(layout if function == WITH_LAYOUT else {}),
    }


def create(scene: Scene, on: Ground, function: str = PLAIN) -> Answer:
    """Make the call that a property is about."""
    return scene.call(function, **creating(on, function))


def mark(scene: Scene, on: Ground) -> dict[int, bytes]:
    """Write to both ends of the data and somewhere between, and return what stands where."""
    size = min(16, on.size)
    places = {0, scene.draw(drawing.integers(0, on.size - size)), on.size - size}
    marks: dict[int, bytes] = {}
    for place in sorted(places):
        content = scene.draw(drawing.binary(min_size=size, max_size=size))
        if not scene.session.write(on.memory + place, content):
            raise CannotMake("the host cannot write to the data")
        marks = {p: c for p, c in marks.items() if p + size <= place} | {place: content}
    return marks


def require_marks(scene: Scene, on: Ground, marks: dict[int, bytes]) -> None:
    """Demand that the data still holds what `mark` wrote."""
    for place, content in marks.items():
        found = scene.session.read(on.memory + place, len(content))
        scene.require(
            found == content,
            f"the data no longer holds {content.hex(' ')} at byte {place}",
            "memory that cannot be read" if found is None else found.hex(" "),
        )


def _leaves_data(scene: Scene, function: str) -> None:
    on = some_ground(scene, linear=function == WITH_LAYOUT)
    marks = mark(scene, on)
    scene.require_status(create(scene, on, function), SUCCESS)
    require_marks(scene, on, marks)


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
    on = some_ground(scene)
    descriptor = Descriptor.parse(scene.session.model.read(on.descriptor, 56) or bytes(56))
    levels = scene.choose([0, 1])
    one = replace(on, descriptor=lay_out(scene, replace(descriptor, levels=levels)))
    scene.set_up(PLAIN, **creating(on))
    scene.require_status(create(scene, one, LEVELS), SUCCESS)


@proves("hsa_ext_image_destroy/data-stays")
def destroying_leaves_the_data(scene: Scene) -> None:
    """After an image is destroyed, its data holds the same bytes and can be freed."""
    on = some_ground(scene)
    marks = mark(scene, on)
    handle = scene.set_up(PLAIN, **creating(on))["image"]
    scene.set_up("hsa_ext_image_destroy", agent=on.agent, image=handle)
    require_marks(scene, on, marks)
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
