"""The traversal of memory pools, and their attributes."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from hsa_conformance.checks.properties import Scene, proves
from hsa_conformance.model.state import Agent, Pool
from hsa_conformance.session import PATTERN
from hsa_conformance.strategies.builder import CannotMake
from hsa_conformance.suite.attributes import (
    ask,
    ask_where_answered,
    attributes,
    is_power_of_two,
    number,
    require_named,
    require_no_overrun,
)
from hsa_conformance.suite.traversal import Traversal

POOL: Final = "hsa_amd_memory_pool_get_info"
ROUTE: Final = "hsa_amd_agent_memory_pool_get_info"


# hsa_amd_agent_iterate_memory_pools


def _pools_of(scene: Scene, agent: Agent) -> list[Pool]:
    return scene.pools(lambda p: p.agent == agent.handle)


def _traversal(scene: Scene, least: int = 0) -> tuple[Traversal, Agent]:
    """Return the traversal of the pools of an agent that has as many as that, and the agent."""
    agent = scene.choose([a for a in scene.agents() if len(_pools_of(scene, a)) >= least])
    function = "hsa_amd_agent_iterate_memory_pools"
    return Traversal(scene, function, "hsa_memory_pool_callback", agent=agent.handle), agent


@proves("hsa_amd_agent_iterate_memory_pools/once-per-pool")
def each_pool_is_reported_once(scene: Scene) -> None:
    """No handle comes twice, and every traversal reports the same pools."""
    traversal, agent = _traversal(scene)
    traversal.reports_once({int(p.handle) for p in _pools_of(scene, agent)})


@proves("hsa_amd_agent_iterate_memory_pools/valid-pools")
def what_is_reported_is_a_pool(scene: Scene) -> None:
    """Each handle can be asked for its segment."""
    for handle in _traversal(scene)[0].handles():
        answer = ask(scene, POOL, "HSA_AMD_MEMORY_POOL_INFO_SEGMENT", memory_pool=handle)
        scene.require_status(answer, "HSA_STATUS_SUCCESS")


@proves("hsa_amd_agent_iterate_memory_pools/passes-data")
def pools_come_with_the_data_of_the_caller(scene: Scene) -> None:
    """The callback receives what the caller passed, whatever it is."""
    _traversal(scene, least=1)[0].passes_data()


@proves("hsa_amd_agent_iterate_memory_pools/stops")
def the_callback_ends_the_traversal_of_pools(scene: Scene) -> None:
    """No pool is reported after an answer other than success."""
    _traversal(scene, least=2)[0].stops()


@proves("hsa_amd_agent_iterate_memory_pools/returns-callback-status")
def the_traversal_of_pools_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The status that ended the traversal comes back."""
    _traversal(scene, least=1)[0].returns_callback_status()


@proves("hsa_amd_agent_iterate_memory_pools/fine-grained-on-host")
def fine_grained_memory_is_the_hosts_or_a_gpus(scene: Scene) -> None:
    """No third kind of agent has fine-grained pools; the clause's contest is about GPUs."""
    pool = scene.choose([p for p in scene.pools(_anything) if _flags(scene, p) & _fine(scene)])
    scene.require(
        pool.location in ("cpu", "gpu"),
        "a fine-grained pool belongs to an agent that is neither a CPU nor a GPU",
        pool.location,
    )


# hsa_amd_memory_pool_get_info


def _anything(_: Pool) -> bool:
    return True


def _allocatable(pool: Pool) -> bool:
    return pool.allocatable


def _some_pool(scene: Scene) -> Pool:
    return scene.choose(scene.pools(_anything))


def _info(scene: Scene, pool: Pool, attribute: str) -> int:
    name = f"HSA_AMD_MEMORY_POOL_INFO_{attribute}"
    return number(scene, POOL, name, memory_pool=pool.handle)


def _segment(scene: Scene, name: str) -> int:
    return scene.session.registry.constants[f"HSA_AMD_SEGMENT_{name}"]


def _flags(scene: Scene, pool: Pool) -> int:
    """Return the flags of a pool in the global segment; those of others mean nothing."""
    if _info(scene, pool, "SEGMENT") != _segment(scene, "GLOBAL"):
        return 0
    return _info(scene, pool, "GLOBAL_FLAGS")


def _fine(scene: Scene) -> int:
    return scene.session.registry.constants["HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED"]


@proves("hsa_amd_memory_pool_get_info/value-size", examples=8)
def nothing_is_written_behind_a_pools_value(scene: Scene) -> None:
    """The bytes that follow a value of the attribute's type stay as they were."""
    pool = _some_pool(scene)
    attribute = scene.choose(attributes(scene.session.registry, "hsa_amd_memory_pool_info_t"))
    require_no_overrun(scene, ask(scene, POOL, attribute, memory_pool=pool.handle), attribute)


@proves("hsa_amd_memory_pool_get_info/segment")
def the_segment_has_a_name(scene: Scene) -> None:
    """The segment is one that the header defines."""
    segment = _info(scene, _some_pool(scene), "SEGMENT")
    require_named(scene, segment, "HSA_AMD_MEMORY_POOL_INFO_SEGMENT", "hsa_amd_segment_t")


@proves("hsa_amd_memory_pool_get_info/location-value")
def the_location_has_a_name(scene: Scene) -> None:
    """The location is one that the header defines."""
    attribute = "HSA_AMD_MEMORY_POOL_INFO_LOCATION"
    pool = _some_pool(scene).handle
    location = ask_where_answered(scene, POOL, attribute, memory_pool=pool).number("value")
    require_named(scene, location, attribute, "hsa_amd_memory_pool_location_t")


@proves("hsa_amd_memory_pool_get_info/grain")
def no_pool_is_fine_and_coarse(scene: Scene) -> None:
    """The two flags exclude each other."""
    coarse = scene.session.registry.constants["HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED"]
    both = _fine(scene) | coarse
    flags = _flags(scene, _some_pool(scene))
    scene.require(
        flags & both != both, "a pool is both fine-grained and coarse-grained", f"{flags:#x}"
    )


@proves("hsa_amd_memory_pool_get_info/alignment")
def the_alignment_is_a_power_of_two(scene: Scene) -> None:
    """Addresses of blocks can be aligned as the pool says."""
    pool = scene.choose(scene.pools(_allocatable))
    alignment = _info(scene, pool, "RUNTIME_ALLOC_ALIGNMENT")
    scene.require(is_power_of_two(alignment), "the alignment is no power of two", alignment)


@proves("hsa_amd_memory_pool_get_info/no-allocation-in-segment")
def group_and_private_memory_cannot_be_allocated(scene: Scene) -> None:
    """Memory that exists only while a kernel runs is not given out."""
    segments = [_segment(scene, name) for name in ("GROUP", "PRIVATE")]
    pools = scene.pools(_anything)
    pool = scene.choose([p for p in pools if _info(scene, p, "SEGMENT") in segments])
    scene.require(
        _info(scene, pool, "RUNTIME_ALLOC_ALLOWED") == 0,
        "a pool in the group segment or the private segment allows allocation",
        "true",
    )


@proves("hsa_amd_memory_pool_get_info/accessible-by-all")
def what_is_accessible_by_all_is_barred_to_none(scene: Scene) -> None:
    """No agent can never access the blocks of such a pool."""
    pool = _some_pool(scene)
    attribute = "HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL"
    answer = ask_where_answered(scene, POOL, attribute, memory_pool=pool.handle)
    if answer.number("value") == 0:
        raise CannotMake("the pool is not accessible by all")
    _require_not_never(scene, scene.choose(scene.agents()), pool)


# hsa_amd_agent_memory_pool_get_info


def _route(scene: Scene, agent: Agent, pool: Pool, attribute: str) -> int:
    name = f"HSA_AMD_AGENT_MEMORY_POOL_INFO_{attribute}"
    return number(scene, ROUTE, name, agent=agent.handle, memory_pool=pool.handle)


def _never(scene: Scene) -> int:
    return scene.session.registry.constants["HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED"]


def _require_not_never(scene: Scene, agent: Agent, pool: Pool) -> None:
    scene.require(
        _route(scene, agent, pool, "ACCESS") != _never(scene),
        f"{agent.handle} can never access {pool.handle}",
        "HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED",
    )


def _owner(scene: Scene, pool: Pool) -> Agent:
    return next(a for a in scene.agents() if a.handle == pool.agent)


@proves("hsa_amd_agent_memory_pool_get_info/value-size")
def nothing_is_written_behind_a_routes_value(scene: Scene) -> None:
    """The bytes that follow a value of the attribute's type stay as they were."""
    pool, agent = _some_pool(scene), scene.choose(scene.agents())
    enum = "hsa_amd_agent_memory_pool_info_t"
    attribute = scene.choose(attributes(scene.session.registry, enum))
    answer = ask(scene, ROUTE, attribute, agent=agent.handle, memory_pool=pool.handle)
    require_no_overrun(scene, answer, attribute)


@proves("hsa_amd_agent_memory_pool_get_info/link-info-size", examples=2)
def as_many_links_are_written_as_there_are_hops(scene: Scene) -> None:
    """The bytes behind the array stay as they were, all of them where there is no hop."""
    pool, agent = _some_pool(scene), scene.choose(scene.agents())
    hops = _route(scene, agent, pool, "NUM_LINK_HOPS")
    registry = scene.session.registry
    link = registry.structs["hsa_amd_memory_pool_link_info_t"].size
    room = link * (hops + 2)
    value = scene.session.place(bytes([PATTERN]) * room, f"&value of {hops} elements")
    scene.must(
        ROUTE,
        agent=agent.handle,
        memory_pool=pool.handle,
        attribute=registry.constants["HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO"],
        value=value,
    )
    rest = (scene.session.read(value, room) or b"")[link * hops :]
    scene.require(
        not rest.strip(bytes([PATTERN])),
        f"bytes behind the {hops} elements of the value were written",
        rest.hex(" "),
    )


@proves("hsa_amd_agent_memory_pool_get_info/access-value")
def the_access_has_a_name(scene: Scene) -> None:
    """The access is one that the header defines."""
    access = _route(scene, scene.choose(scene.agents()), _some_pool(scene), "ACCESS")
    attribute = "HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS"
    require_named(scene, access, attribute, "hsa_amd_memory_pool_access_t")


@proves("hsa_amd_agent_memory_pool_get_info/access-own-pool")
def an_agent_can_access_its_own_pools(scene: Scene) -> None:
    """The pools that an agent reports are not barred to it."""
    pool = _some_pool(scene)
    _require_not_never(scene, _owner(scene, pool), pool)


@proves("hsa_amd_agent_memory_pool_get_info/access-fine-grained")
def every_agent_can_access_fine_grained_host_memory(scene: Scene) -> None:
    """No agent is barred from a fine-grained pool; the clause's contest is about those on GPUs."""
    pools = [p for p in scene.pools(_anything) if p.location == "cpu"]
    pool = scene.choose([p for p in pools if _flags(scene, p) & _fine(scene)])
    _require_not_never(scene, scene.choose(scene.agents()), pool)


@proves("hsa_amd_agent_memory_pool_get_info/access-other-segment")
def other_agents_cannot_access_what_is_not_global(scene: Scene) -> None:
    """Group, private and read-only memory is its own agent's."""
    pools = scene.pools(_anything)
    outside = [p for p in pools if _info(scene, p, "SEGMENT") != _segment(scene, "GLOBAL")]
    pool = scene.choose(outside)
    agent = scene.choose([a for a in scene.agents() if a.handle != pool.agent])
    access = _route(scene, agent, pool, "ACCESS")
    scene.require(
        access == _never(scene),
        f"{agent.handle} can access {pool.handle}, which is outside the global segment",
        access,
    )


@proves("hsa_amd_agent_memory_pool_get_info/no-hops", examples=2)
def there_is_no_hop_to_ones_own_pool_or_to_one_out_of_reach(scene: Scene) -> None:
    """Links are counted where there is something to cross."""
    pool, agent = _some_pool(scene), scene.choose(scene.agents())
    own = pool.agent == agent.handle
    if not own and _route(scene, agent, pool, "ACCESS") != _never(scene):
        raise CannotMake("the pool is another agent's and within reach")
    hops = _route(scene, agent, pool, "NUM_LINK_HOPS")
    scene.require(hops == 0, f"there are hops from {agent.handle} to {pool.handle}", hops)
