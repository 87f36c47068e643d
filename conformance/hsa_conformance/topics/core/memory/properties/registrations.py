"""Memory that the runtime is told of."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.memory.generators import block
from hsa_conformance.topics.core.memory.properties.blocks import allocate
from hsa_conformance.topics.shared.memory import fill, require_contents

proves = Proofs()

REGISTER: Final = "hsa_memory_register"
DEREGISTER: Final = "hsa_memory_deregister"


def _content(scene: Scene) -> bytes:
    content: bytes = scene.draw(drawing.binary(min_size=1, max_size=64))
    return content


def _require_kept(scene: Scene, address: int, content: bytes, call: str) -> None:
    require_contents(scene, address, content, f"{call} changed the bytes of the range")


@proves("hsa_memory_register/contents-kept")
def registering_keeps_the_bytes(scene: Scene) -> None:
    """Registering a range leaves its bytes as they were."""
    content = _content(scene)
    address = scene.session.place(content, "memory")
    scene.set_up(REGISTER, ptr=address, size=len(content))
    _require_kept(scene, address, content, REGISTER)


@proves("hsa_memory_deregister/contents-kept")
def ending_a_registration_keeps_the_bytes(scene: Scene) -> None:
    """Deregistering a range leaves the bytes that the program wrote to it."""
    content = _content(scene)
    address = scene.session.place(bytes(len(content)), "memory")
    scene.set_up(REGISTER, ptr=address, size=len(content))
    fill(scene, address, content)
    scene.set_up(DEREGISTER, ptr=address, size=len(content))
    _require_kept(scene, address, content, DEREGISTER)


@proves("hsa_memory_register/no-nesting")
def registering_again_succeeds_and_changes_nothing(scene: Scene) -> None:
    """A range registered several times is deregistered by one call."""
    content = _content(scene)
    address = scene.session.place(content, "memory")
    for _ in range(1 + scene.draw(drawing.integers(1, 4))):
        answer = scene.call(REGISTER, ptr=address, size=len(content))
        scene.require_status(answer, SUCCESS)
        _require_kept(scene, address, content, REGISTER)
    answer = scene.call(DEREGISTER, ptr=address, size=len(content))
    scene.require_status(answer, SUCCESS)
    if scene.draw(drawing.booleans()):
        # A part can be registered once no registration overlaps it.
        part = scene.draw(drawing.integers(1, len(content)))
        scene.require_status(scene.call(REGISTER, ptr=address, size=part), SUCCESS)


@proves("hsa_memory_register/allocated-no-effect")
def registering_a_block_succeeds_and_changes_nothing(scene: Scene) -> None:
    """A block that is registered keeps its bytes, and can be freed like any other."""
    own = allocate(scene, of_host=True)
    content = _content(scene)[: own.size]
    fill(scene, own.address, content)
    answer = scene.call(REGISTER, ptr=own.address, size=own.size)
    scene.require_status(answer, SUCCESS)
    _require_kept(scene, own.address, content, REGISTER)
    scene.require_status(scene.call("hsa_memory_free", ptr=own.address), SUCCESS)
    block(scene, own.region)
