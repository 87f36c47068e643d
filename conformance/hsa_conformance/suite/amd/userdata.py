"""Pointers of the application that are kept with blocks."""

from __future__ import annotations

from hypothesis import strategies as st

from hsa_conformance.checks.properties import Scene, proves
from hsa_conformance.suite.pointer_info import describe

SET = "hsa_amd_pointer_info_set_userdata"
DATA = st.integers(0, (1 << 64) - 1)


def _require_kept(scene: Scene, blocks: dict[int, int]) -> None:
    """Demand that each block has its pointer."""
    for address, data in blocks.items():
        found = describe(scene, address)["userData"]
        scene.require(found == data, f"userData is not {data:#x}", f"{found:#x}")


@proves(f"{SET}/reads-back")
def each_block_has_the_pointer_that_was_set(scene: Scene) -> None:
    """The pointers of several blocks do not disturb each other."""
    blocks = {scene.block(): scene.draw(DATA) for _ in range(scene.draw(st.integers(1, 4)))}
    for address, data in blocks.items():
        scene.must(SET, ptr=address, userdata=data)
    _require_kept(scene, blocks)


@proves(f"{SET}/replaces")
def the_last_pointer_counts(scene: Scene) -> None:
    """A second pointer takes the place of the first."""
    block = scene.block()
    data: int = 0
    for _ in range(scene.draw(st.integers(2, 4))):
        data = scene.draw(DATA)
        scene.must(SET, ptr=block, userdata=data)
    _require_kept(scene, {block: data})
