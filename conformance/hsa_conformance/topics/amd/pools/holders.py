"""Memory pools, and the ways of agents to them, with the processors that they are of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from hsa_conformance.engine.checks.effects.relations import Holder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.amd.pools.fixtures import all_pools
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.nodes import node_of, node_of_handle


def pools(fixtures: Fixtures) -> Sequence[Holder]:
    """Return the pools, each with the processor of the agent that lists it."""
    return [
        Holder(
            str(pool.handle),
            {"memory_pool": pool.handle},
            {"agent": {"agent": pool.agent}},
            partial(node_of_handle, fixtures, pool.agent),
        )
        for pool in all_pools(fixtures)
    ]


def routes(fixtures: Fixtures) -> Sequence[Holder]:
    """Return the ways of each agent to each pool, with the processors at both ends."""
    return [
        Holder(
            f"{agent.handle} and {pool.handle}",
            {"agent": agent.handle, "memory_pool": pool.handle},
            {"agent": {"agent": agent.handle}, "memory_pool": {"memory_pool": pool.handle}},
            partial(node_of, fixtures, agent),
            partial(node_of_handle, fixtures, pool.agent),
        )
        for agent in known_agents(fixtures)
        for pool in all_pools(fixtures)
    ]
