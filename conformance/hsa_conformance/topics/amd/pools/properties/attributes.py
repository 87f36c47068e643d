"""The attributes of memory pools."""

from __future__ import annotations

from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
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
    ask_where_answered,
    attributes,
    is_power_of_two,
    require_named,
    require_no_overrun,
)

proves = Proofs()


@proves("hsa_amd_memory_pool_get_info/value-size", examples=8)
def nothing_is_written_behind_a_pools_value(scene: Scene) -> None:
    """The bytes that follow a value of the attribute's type stay as they were."""
    pool = some_pool(scene)
    attribute = scene.choose(attributes(scene.session.registry, "hsa_amd_memory_pool_info_t"))
    require_no_overrun(scene, ask(scene, POOL, attribute, memory_pool=pool.handle), attribute)


@proves("hsa_amd_memory_pool_get_info/segment")
def the_segment_has_a_name(scene: Scene) -> None:
    """The segment is one that the header defines."""
    segment = pool_info(scene, some_pool(scene), "SEGMENT")
    require_named(scene, segment, "HSA_AMD_MEMORY_POOL_INFO_SEGMENT", "hsa_amd_segment_t")


@proves("hsa_amd_memory_pool_get_info/location-value")
def the_location_has_a_name(scene: Scene) -> None:
    """The location is one that the header defines."""
    attribute = "HSA_AMD_MEMORY_POOL_INFO_LOCATION"
    pool = some_pool(scene).handle
    location = ask_where_answered(scene, POOL, attribute, memory_pool=pool).number("value")
    require_named(scene, location, attribute, "hsa_amd_memory_pool_location_t")


@proves("hsa_amd_memory_pool_get_info/grain")
def no_pool_is_fine_and_coarse(scene: Scene) -> None:
    """The two flags exclude each other."""
    pool = some_pool(scene)
    scene.require(
        not (has_flag(scene, pool, "FINE_GRAINED") and has_flag(scene, pool, "COARSE_GRAINED")),
        "a pool has the flags of both fine-grained and coarse-grained memory",
        pool.handle,
    )


@proves("hsa_amd_memory_pool_get_info/alignment")
def the_alignment_is_a_power_of_two(scene: Scene) -> None:
    """Addresses of blocks can be aligned as the pool says."""
    pool = scene.choose(known_pools(scene, allocatable))
    alignment = pool_info(scene, pool, "RUNTIME_ALLOC_ALIGNMENT")
    scene.require(is_power_of_two(alignment), "the alignment is no power of two", alignment)


@proves("hsa_amd_memory_pool_get_info/no-allocation-in-segment")
def group_and_private_memory_cannot_be_allocated(scene: Scene) -> None:
    """Memory that exists only while a kernel runs is not given out."""
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
    """No agent can never access the blocks of such a pool."""
    pool = some_pool(scene)
    attribute = "HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL"
    answer = ask_where_answered(scene, POOL, attribute, memory_pool=pool.handle)
    if answer.number("value") == 0:
        raise CannotMake("the pool is not accessible by all")
    require_not_never(scene, scene.choose(known_agents(scene)), pool)
