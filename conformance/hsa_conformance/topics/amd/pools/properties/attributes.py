"""The attributes of memory pools."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.properties.queries import (
    POOL,
    allocatable,
    anything,
    has_flag,
    pool_info,
    require_not_never,
    segment_number,
    some_pool,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.attributes import (
    ask,
    attributes,
    is_power_of_two,
    require_named,
    require_no_overrun,
)

proves = Proofs()


@proves("hsa_amd_memory_pool_get_info/value-size", examples=8)
def nothing_is_written_behind_a_pools_value(scene: Scene) -> None:
    """A query of a pool leaves the bytes behind the attribute's type as they were."""
    pool = some_pool(scene)
    attribute = scene.choose(attributes(scene.session, "hsa_amd_memory_pool_info_t"))
    require_no_overrun(scene, ask(scene, POOL, attribute, memory_pool=pool.handle), attribute)


@proves("hsa_amd_memory_pool_get_info/segment")
def the_segment_has_a_name(scene: Scene) -> None:
    """The segment of a pool is an enumerator of the header."""
    segment = pool_info(scene, some_pool(scene), "SEGMENT")
    require_named(scene, segment, "HSA_AMD_MEMORY_POOL_INFO_SEGMENT")


@proves("hsa_amd_memory_pool_get_info/location-value")
def the_location_has_a_name(scene: Scene) -> None:
    """The location of a pool is an enumerator of the header."""
    attribute = "HSA_AMD_MEMORY_POOL_INFO_LOCATION"
    pool = some_pool(scene)
    answer = ask(scene, POOL, attribute, memory_pool=pool.handle)
    if not answer.ok:
        clause = "location" if pool.allocatable else "location-not-allocatable"
        raise Unsuitable(f"{POOL}/{clause}: answered {answer.name}")
    require_named(scene, answer.number("value"), attribute)


@proves("hsa_amd_memory_pool_get_info/grain")
def no_pool_is_fine_and_coarse(scene: Scene) -> None:
    """No pool of the global segment is both fine-grained and coarse-grained."""
    pool = some_pool(scene)
    scene.require(
        not (has_flag(scene, pool, "FINE_GRAINED") and has_flag(scene, pool, "COARSE_GRAINED")),
        "a pool has the flags of both fine-grained and coarse-grained memory",
        pool.handle,
    )


@proves("hsa_amd_memory_pool_get_info/alignment")
def the_alignment_is_a_power_of_two(scene: Scene) -> None:
    """The alignment of blocks is a power of two in each pool that allows allocation."""
    pool = scene.choose(known_pools(scene, allocatable))
    alignment = pool_info(scene, pool, "RUNTIME_ALLOC_ALIGNMENT")
    scene.require(is_power_of_two(alignment), "the alignment is no power of two", alignment)


@proves("hsa_amd_memory_pool_get_info/no-allocation-in-segment")
def group_and_private_memory_cannot_be_allocated(scene: Scene) -> None:
    """Pools of the group and private segments do not allow allocation."""
    segments = [segment_number(scene, name) for name in ("GROUP", "PRIVATE")]
    pools = known_pools(scene, anything)
    inside = [p for p in pools if pool_info(scene, p, "SEGMENT") in segments]
    pool = scene.available(inside, "pool in the group or the private segment")
    scene.require(
        pool_info(scene, pool, "RUNTIME_ALLOC_ALLOWED") == 0,
        "a pool in the group segment or the private segment allows allocation",
        "true",
    )


@proves("hsa_amd_memory_pool_get_info/accessible-by-all", examples=4)
def what_is_accessible_by_all_is_barred_to_none(scene: Scene) -> None:
    """A pool that is accessible by all is never NEVER_ALLOWED for an agent."""
    attribute = "ACCESSIBLE_BY_ALL"
    open_ones = [p for p in known_pools(scene, anything) if pool_info(scene, p, attribute)]
    pool = scene.available(open_ones, "pool that is accessible by all")
    require_not_never(scene, scene.choose(known_agents(scene)), pool)
