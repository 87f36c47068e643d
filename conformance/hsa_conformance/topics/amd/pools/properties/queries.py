"""Attributes of pools and of the ways to them, for properties that are about what these say."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.state import Pool
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.shared.attributes import number

POOL: Final = "hsa_amd_memory_pool_get_info"
ROUTE: Final = "hsa_amd_agent_memory_pool_get_info"


def anything(_: Pool) -> bool:
    """Accept every pool."""
    return True


def allocatable(pool: Pool) -> bool:
    """Accept the pools that blocks can be allocated from."""
    return pool.allocatable


def some_pool(scene: Scene) -> Pool:
    """Draw a pool."""
    return scene.choose(known_pools(scene, anything))


def pool_info(scene: Scene, pool: Pool, attribute: str) -> int:
    """Return an attribute of a pool; its name is given without the common prefix."""
    name = f"HSA_AMD_MEMORY_POOL_INFO_{attribute}"
    return number(scene, POOL, name, memory_pool=pool.handle)


def segment_number(scene: Scene, name: str) -> int:
    """Return the number of a segment."""
    return scene.session.registry.constants[f"HSA_AMD_SEGMENT_{name}"]


def _flags(scene: Scene, pool: Pool) -> int:
    """Return the flags of a pool in the global segment; those of others mean nothing."""
    if pool_info(scene, pool, "SEGMENT") != segment_number(scene, "GLOBAL"):
        return 0
    return pool_info(scene, pool, "GLOBAL_FLAGS")


def has_flag(scene: Scene, pool: Pool, flag: str) -> bool:
    """Return whether a pool has a flag, named without the common prefix."""
    name = f"HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_{flag}"
    return bool(_flags(scene, pool) & scene.session.registry.constants[name])


def route_info(scene: Scene, agent: Agent, pool: Pool, attribute: str) -> int:
    """Return an attribute of an agent's way to a pool, named without the common prefix."""
    name = f"HSA_AMD_AGENT_MEMORY_POOL_INFO_{attribute}"
    return number(scene, ROUTE, name, agent=agent.handle, memory_pool=pool.handle)


def never(scene: Scene) -> int:
    """Return the access of agents that cannot access a pool at all."""
    return scene.session.registry.constants["HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED"]


def require_not_never(scene: Scene, agent: Agent, pool: Pool) -> None:
    """Demand that an agent can be given access to the blocks of a pool."""
    scene.require(
        route_info(scene, agent, pool, "ACCESS") != never(scene),
        f"{agent.handle} can never access {pool.handle}",
        "HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED",
    )
