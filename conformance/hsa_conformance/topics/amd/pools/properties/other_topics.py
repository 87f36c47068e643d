"""Pools, and what other topics say of their memory."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.pools.fixtures import all_pools, allocate_block, known_pools
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.traversal import Traversal
from hsa_reports import Verdict

proves = Proofs()

_POOL = "hsa_amd_memory_pool_get_info"
_REGION = "hsa_region_get_info"


@proves("hsa_executable_destroy/external-memory-stays")
def memory_of_variables_outlives_the_executable(scene: Scene) -> None:
    """After an executable is destroyed, memory of its external variables keeps its bytes.

    It can be freed, too.
    """
    # A variable that all agents share lies where all of them can read and write.
    pools = known_pools(scene, lambda p: p.allocatable and p.location == "cpu")
    block, handle = allocate_block(scene, scene.choose(pools)), executables.executable(scene)
    held = b"what a variable holds"
    reachable = scene.session.write(block, held)
    executables.define(scene, handle, "apart", place=block)
    scene.set_up("hsa_executable_destroy", executable=handle)
    if reachable:
        found = scene.session.read(block, len(held))
        scene.require(found == held, "the memory of a variable changed", found)
    answer = scene.call("hsa_amd_memory_pool_free", ptr=block)
    scene.require_status(answer, SUCCESS)


@proves("hsa_agent_iterate_regions/as-pools")
def what_an_agent_has_as_a_pool_it_has_as_a_region(scene: Scene) -> None:
    """For a pool of an agent from which memory can be allocated there is a region of its size."""
    if not scene.session.offers("hsa_amd_agent_iterate_memory_pools"):
        raise Unavailable(Verdict.NOT_APPLICABLE, "the implementation has no memory pools")
    pools = [pool for pool in all_pools(scene) if pool.allocatable]
    pool = scene.available(pools, "pool that allows allocation")
    info = "HSA_AMD_MEMORY_POOL_INFO_"
    segment = scene.session.registry.constants["HSA_AMD_SEGMENT_GLOBAL"]
    asked = ask(scene, _POOL, f"{info}SEGMENT", memory_pool=pool.handle)
    if not asked.ok or asked.number("value") != segment:
        raise Unsuitable("the pool is not known to be of the global segment")
    size = ask(scene, _POOL, f"{info}SIZE", memory_pool=pool.handle)
    if not size.ok:
        raise Unsuitable("the size of the pool is not known")
    traversal = Traversal(
        scene, "hsa_agent_iterate_regions", "hsa_region_callback", agent=pool.agent
    )
    regions = traversal.handles()
    sizes = [size for region in regions for size in _global_sizes(scene, region)]
    scene.require(
        size.number("value") in sizes,
        "no region of the agent is as large as its pool",
        f"pool: {size.number('value'):#x}, regions: {', '.join(map(hex, sizes)) or 'none'}",
    )


def _global_sizes(scene: Scene, region: int) -> list[int]:
    """Return the size of a region of the global segment; nothing of another one."""
    segment = ask(scene, _REGION, "HSA_REGION_INFO_SEGMENT", region=region)
    named = scene.session.registry.constants["HSA_REGION_SEGMENT_GLOBAL"]
    size = ask(scene, _REGION, "HSA_REGION_INFO_SIZE", region=region)
    known = segment.ok and size.ok and segment.number("value") == named
    return [size.number("value")] if known else []
