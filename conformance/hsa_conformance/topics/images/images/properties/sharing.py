"""Images of different access that share their data."""

from __future__ import annotations

from dataclasses import replace

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.images.images.discovery import image_agent
from hsa_conformance.topics.images.images.fixtures import BOX
from hsa_conformance.topics.images.images.properties.copies import (
    BYTES,
    RGBA,
    Picture,
    drawn,
    get,
    put,
    require_content,
)
from hsa_conformance.topics.images.images.properties.creation import (
    PLAIN,
    WITH_LAYOUT,
    create,
    creating,
    image_inputs,
)
from hsa_conformance.topics.images.images.properties.needs import SHARED, able, invariant, sharing
from hsa_conformance.topics.images.images.state import LINEAR, OPAQUE

proves = Proofs()

READ_ONLY, WRITE_ONLY = 1, 2


def _shares_data(scene: Scene, function: str, layout: int) -> None:
    agent, descriptor = invariant(scene, layout)
    accesses = able(scene, agent, descriptor, layout)
    inputs = image_inputs(scene, agent, descriptor, accesses[0], linear=layout == LINEAR)
    named = scene.session.registry.enums["hsa_access_permission_t"].enumerators
    for access in scene.parts("access", {e.name: e.value for e in named if e.value in accesses}):
        scene.require_status(create(scene, replace(inputs, access=access), function), SUCCESS)


@proves("hsa_ext_image_create/data-shared")
def images_share_their_data(scene: Scene) -> None:
    """One piece of data carries an image for each access."""
    _shares_data(scene, PLAIN, OPAQUE)


@proves("hsa_ext_image_create_with_layout/data-shared")
def linear_images_share_their_data(scene: Scene) -> None:
    """One piece of linear data carries an image for each access."""
    _shares_data(scene, WITH_LAYOUT, LINEAR)


def _shares_elements(scene: Scene, function: str, layout: int) -> None:
    scene.needs_kernels()
    agent = image_agent(scene)
    geometries = (1, 4) if layout == LINEAR else (1, 4, BOX)
    of_bytes = [(geometry, BYTES, RGBA) for geometry in geometries]
    have = [d for d in sharing(scene, agent, layout) if d.format in of_bytes]
    descriptor = scene.available(have, f"{SHARED}, and whose elements are bytes")
    accesses = able(scene, agent, descriptor, layout)
    pairs = [(w, r) for w in accesses for r in accesses if READ_ONLY != w != r != WRITE_ONLY]
    inputs = image_inputs(scene, agent, descriptor, accesses[0], linear=layout == LINEAR)
    slices = descriptor.depth or descriptor.layers or 1
    written, read = (
        Picture(
            agent,
            scene.set_up(function, **creating(replace(inputs, access=access), function))["image"],
            descriptor.width,
            descriptor.height,
            slices,
            inputs.memory,
        )
        for access in scene.choose(pairs)
    )
    content = drawn(scene, written.size)
    scene.require_status(put(scene, written, content), SUCCESS)
    require_content(scene, get(scene, read), content)


@proves("hsa_ext_image_create/data-shared")
def images_share_their_elements(scene: Scene) -> None:
    """Elements imported into an image are exported from one of another access on its data."""
    _shares_elements(scene, PLAIN, OPAQUE)


@proves("hsa_ext_image_create_with_layout/data-shared")
def linear_images_share_their_elements(scene: Scene) -> None:
    """Elements imported into a linear image are exported from one of another access."""
    _shares_elements(scene, WITH_LAYOUT, LINEAR)
