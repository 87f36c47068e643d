"""How much memory of a GPU is available: less while a block is held, and as much as before."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.pools.fixtures import allocate, available, known_pools
from hsa_conformance.topics.amd.pools.state import Pool

proves = Proofs()

MIB: Final = 1 << 20
#: By how much less may be missing, in bytes: what is available is told in whole steps.
STEP: Final = 4 * MIB
#: How often a block is allocated and freed.
ROUNDS: Final = 4
#: Other processes may take or give back memory of the same GPU meanwhile.
TRIES: Final = 3


def _pool_and_size(scene: Scene) -> tuple[Pool, int]:
    """Choose a pool of a GPU, and the size of a block of which it has room for two."""
    pools = known_pools(scene, lambda p: p.allocatable and p.location == "gpu")
    pool = scene.available(pools, "memory pool of a GPU in which memory can be allocated")
    sizes = {f"{number} MiB": number * MIB for number in (8, 16, 64)}
    size = scene.each("size", sizes)
    if available(scene, pool.agent) < 2 * size:
        raise CannotMake("the GPU has no room for such a block")
    return pool, size


def _free(scene: Scene, address: int) -> None:
    scene.set_up("hsa_amd_memory_pool_free", ptr=address)


@proves("hsa_amd_memory_pool_allocate/less-available")
def a_block_is_not_available(scene: Scene) -> None:
    """While a block of a GPU is held, HSA_AMD_AGENT_INFO_MEMORY_AVAIL is lower by its size."""
    pool, size = _pool_and_size(scene)
    taken = 0
    for _ in range(TRIES):
        before = available(scene, pool.agent)
        address = allocate(scene, pool, size)
        taken = before - available(scene, pool.agent)
        _free(scene, address)
        if taken > size - STEP:
            break
    scene.require(
        taken > size - STEP,
        f"as much memory is available as without a block of {size} bytes",
        f"{taken} bytes less",
    )


@proves("hsa_amd_memory_pool_free/available-again")
def freed_memory_is_available(scene: Scene) -> None:
    """When blocks of a GPU are allocated and freed, as much memory is available afterwards."""
    pool, size = _pool_and_size(scene)
    _free(scene, allocate(scene, pool, size))
    missing = 0
    for _ in range(TRIES):
        before = available(scene, pool.agent)
        for _ in range(ROUNDS):
            _free(scene, allocate(scene, pool, size))
        missing = before - available(scene, pool.agent)
        if missing < size:
            break
    scene.require(
        missing < size,
        f"of {ROUNDS} blocks of {size} bytes that were freed memory is missing",
        f"{missing} bytes less",
    )
