"""What an agent is told about its way to a memory pool."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.comparing import equal, every, part
from hsa_conformance.engine.calls.values import PATTERN
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.properties.queries import (
    ROUTE,
    anything,
    has_flag,
    never,
    pool_info,
    require_not_never,
    route_info,
    segment_number,
    some_pool,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.attributes import (
    ask,
    attributes,
    require_named,
    require_no_overrun,
)

proves = Proofs()

#: Links that the process under test has room for; machines have a handful.
MOST_HOPS: Final = 1000


@proves("hsa_amd_agent_memory_pool_get_info/value-size", examples=4)
def nothing_is_written_behind_a_routes_value(scene: Scene) -> None:
    """A query of an agent and a pool leaves the bytes behind the attribute's type alone."""
    pool, agent = some_pool(scene), scene.choose(known_agents(scene))
    enum = "hsa_amd_agent_memory_pool_info_t"
    attribute = scene.choose(attributes(scene.session, enum))
    answer = ask(scene, ROUTE, attribute, agent=agent.handle, memory_pool=pool.handle)
    require_no_overrun(scene, answer, attribute)


@proves("hsa_amd_agent_memory_pool_get_info/link-info-size", examples=4)
def as_many_links_are_written_as_there_are_hops(scene: Scene) -> None:
    """The array of links is written for as many links as there are hops, and no further."""
    pool, agent = some_pool(scene), scene.choose(known_agents(scene))
    hops = route_info(scene, agent, pool, "NUM_LINK_HOPS")
    if hops > MOST_HOPS:
        raise CannotMake(f"there is no room for {hops} hops")
    registry = scene.session.registry
    link = registry.structs["hsa_amd_memory_pool_link_info_t"].size
    room = link * (hops + 2)
    value = scene.session.place(bytes([PATTERN]) * room, f"&value of {hops} elements")
    scene.set_up(
        ROUTE,
        agent=agent.handle,
        memory_pool=pool.handle,
        attribute=registry.constants["HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO"],
        value=value,
    )
    content = scene.session.read(value, room) or b""
    rest = content[link * hops :]
    unwritten = int.from_bytes(bytes([PATTERN]) * 8, "little")
    words = range(link * hops, len(content), 8)
    scene.require(
        every(*(equal(part(content, place, 8), unwritten) for place in words)),
        f"bytes behind the {hops} elements of the value were written",
        rest.hex(" "),
    )


@proves("hsa_amd_agent_memory_pool_get_info/access-value", examples=4)
def the_access_has_a_name(scene: Scene) -> None:
    """The access of an agent to a pool is an enumerator of the header."""
    access = route_info(scene, scene.choose(known_agents(scene)), some_pool(scene), "ACCESS")
    attribute = "HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS"
    require_named(scene, access, attribute)


@proves("hsa_amd_agent_memory_pool_get_info/access-own-pool", examples=4)
def an_agent_can_access_its_own_pools(scene: Scene) -> None:
    """An agent's access to a pool that it reports itself is not NEVER_ALLOWED."""
    pool = some_pool(scene)
    require_not_never(scene, scene.session.model.find("agent", pool.agent), pool)


@proves("hsa_amd_agent_memory_pool_get_info/access-fine-grained", examples=4)
def every_agent_can_access_fine_grained_memory(scene: Scene) -> None:
    """No agent's access to a fine-grained pool is NEVER_ALLOWED."""
    fine = [p for p in known_pools(scene, anything) if has_flag(scene, p, "FINE_GRAINED")]
    pool = scene.available(fine, "fine-grained pool")
    require_not_never(scene, scene.choose(known_agents(scene)), pool)


@proves("hsa_amd_agent_memory_pool_get_info/access-other-segment", examples=4)
def other_agents_cannot_access_what_is_not_global(scene: Scene) -> None:
    """Group, private and read-only pools are NEVER_ALLOWED for every other agent."""
    pools = known_pools(scene, anything)
    outside = [
        p for p in pools if pool_info(scene, p, "SEGMENT") != segment_number(scene, "GLOBAL")
    ]
    pool = scene.available(outside, "pool outside the global segment")
    others = [a for a in known_agents(scene) if a.handle != pool.agent]
    agent = scene.available(others, "other agent than that of the pool")
    access = route_info(scene, agent, pool, "ACCESS")
    scene.require(
        access == never(scene),
        f"{agent.handle} can access {pool.handle}, which is outside the global segment",
        access,
    )


@proves("hsa_amd_agent_memory_pool_get_info/no-hops", examples=4)
def there_is_no_hop_to_ones_own_pool_or_to_one_out_of_reach(scene: Scene) -> None:
    """There are no hops to an agent's own pool, nor to one that it can never access."""
    pool, agent = some_pool(scene), scene.choose(known_agents(scene))
    own = pool.agent == agent.handle
    if not own and route_info(scene, agent, pool, "ACCESS") != never(scene):
        raise CannotMake("the pool is another agent's and within reach")
    hops = route_info(scene, agent, pool, "NUM_LINK_HOPS")
    scene.require(hops == 0, f"there are hops from {agent.handle} to {pool.handle}", hops)
