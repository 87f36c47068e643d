"""Pointers of the application that are kept with blocks."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.pools.fixtures import allocate, allocate_block, known_pools
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


@proves("hsa_amd_pointer_info_set_userdata/ends-with-block")
def a_new_block_has_no_pointer_of_a_freed_one(scene: Scene) -> None:
    """A block at the address of a freed one does not have the user pointer of that one.

    Blocks of a few sizes get a pointer each and are freed, and as many are allocated again.
    """
    pool = scene.choose(known_pools(scene, lambda pool: pool.allocatable))
    sizes = [pool.granule * count for count in (1, 2, 3)] * 2
    before: dict[int, int] = {}
    for size in sizes:
        address = allocate(scene, pool, size)
        before[address] = scene.draw(drawing.integers(1, (1 << 64) - 1))
        scene.set_up(SET, ptr=address, userdata=before[address])
    for address in before:
        scene.set_up("hsa_amd_memory_pool_free", ptr=address)
    again = [address for size in sizes if (address := allocate(scene, pool, size)) in before]
    if not again:
        raise CannotMake("no block lies where a freed one lay")
    for address in again:
        found = describe(scene, address)["userData"]
        scene.require(
            found != before[address], "a block has the user pointer of a freed one", f"{found:#x}"
        )


@proves("hsa_amd_pointer_info_set_userdata/replaces")
def the_last_pointer_counts(scene: Scene) -> None:
    """A second user pointer of a block replaces the first."""
    block = allocate_block(scene)
    data: int = 0
    for _ in range(scene.draw(drawing.integers(2, 4))):
        data = scene.draw(DATA)
        scene.set_up(SET, ptr=block, userdata=data)
    _require_kept(scene, {block: data})
