"""The traversal of an agent's regions."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_conformance.topics.amd.pools.fixtures import all_pools
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.memory.generators import discover
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.traversal import Traversal, require_known
from hsa_reports import Verdict

proves = Proofs()

_POOL = "hsa_amd_memory_pool_get_info"
_REGION = "hsa_region_get_info"


def _traversal(scene: Scene, agent: int | None = None) -> Traversal:
    chosen = scene.choose(known_agents(scene)).handle if agent is None else agent
    return Traversal(scene, "hsa_agent_iterate_regions", "hsa_region_callback", agent=chosen)


@proves("hsa_agent_iterate_regions/each-once")
def each_region_is_reported_once(scene: Scene) -> None:
    """Each region of an agent is reported once, and every traversal reports the same regions."""
    discover(scene)
    agent = scene.choose(known_agents(scene)).handle
    keys = scene.session.model.objects.get("region_of", {})
    _traversal(scene, agent).reports_once({region for of, region in keys if of == agent})


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
    regions = _traversal(scene, pool.agent).handles()
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


@proves("hsa_agent_iterate_regions/valid-regions")
def what_is_reported_is_a_region(scene: Scene) -> None:
    """Each handle that the traversal reports is a region that has a segment."""
    handles = _traversal(scene).handles()
    if not handles:
        raise Unsuitable("the agent has no region")
    answers = [
        ask(scene, "hsa_region_get_info", "HSA_REGION_INFO_SEGMENT", region=handle)
        for handle in handles
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_REGION")


@proves("hsa_agent_iterate_regions/passes-data")
def regions_come_with_the_data_of_the_caller(scene: Scene) -> None:
    """Each call of the callback gets the caller's data unchanged, NULL included."""
    _traversal(scene).passes_data()


@proves("hsa_agent_iterate_regions/stops-early")
def the_callback_ends_the_traversal_of_regions(scene: Scene) -> None:
    """No region is reported after the callback answers anything but success."""
    _traversal(scene).stops()


@proves("hsa_agent_iterate_regions/returns-callback-status")
def the_traversal_of_regions_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of regions answers the status with which the callback ended it."""
    _traversal(scene).returns_callback_status()


@proves("hsa_agent_iterate_regions/same-order")
def regions_come_in_the_same_order(scene: Scene) -> None:
    """Two traversals of an agent's regions report the same handles in the same order."""
    agent = scene.choose(known_agents(scene)).handle
    first, second = _traversal(scene, agent).handles(), _traversal(scene, agent).handles()
    names = ", ".join(f"{handle:#x}" for handle in second)
    scene.require(first == second, "the second traversal has another order", names)
