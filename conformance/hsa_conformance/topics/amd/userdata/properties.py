"""Pointers of the application that are kept with blocks."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.pools.fixtures import allocate_block
from hsa_conformance.topics.shared.pointer_info import describe

proves = Proofs()

SET = "hsa_amd_pointer_info_set_userdata"
DATA = drawing.integers(0, (1 << 64) - 1)


def _require_kept(scene: Scene, blocks: dict[int, int]) -> None:
    """Demand that each block has its pointer."""
    for address, data in blocks.items():
        found = describe(scene, address)["userData"]
        scene.require(found == data, f"userData is not {data:#x}", f"{found:#x}")


@proves("hsa_amd_pointer_info_set_userdata/reads-back")
def each_block_has_the_pointer_that_was_set(scene: Scene) -> None:
    """Each of several blocks gives the user pointer that the last successful call set for it."""
    blocks = [allocate_block(scene) for _ in range(scene.draw(drawing.integers(1, 4)))]
    kept: dict[int, int] = {}
    for _ in range(scene.elements("calls for a block", most=2)):
        for address in blocks:
            kept[address] = scene.draw(DATA)
            scene.set_up(SET, ptr=address, userdata=kept[address])
    _require_kept(scene, kept)


@proves("hsa_amd_pointer_info_set_userdata/replaces")
def the_last_pointer_counts(scene: Scene) -> None:
    """A second user pointer of a block replaces the first."""
    block = allocate_block(scene)
    data: int = 0
    for _ in range(scene.draw(drawing.integers(2, 4))):
        data = scene.draw(DATA)
        scene.set_up(SET, ptr=block, userdata=data)
    _require_kept(scene, {block: data})
