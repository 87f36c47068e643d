"""Memory pools, blocks from them, and agents that reach them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import NotOnMachine
from hsa_conformance.engine.generation.generators import (
    Comparison,
    Generators,
    choose_by_attribute,
    put_handles,
)
from hsa_conformance.topics.amd.pools.fixtures import allocate_block, known_pools
from hsa_conformance.topics.amd.pools.state import Pool, find_allocation, pool_access, pools
from hsa_conformance.topics.core.agents.fixtures import known_agents, put_agents


def _pool(b: Builder, x: str) -> None:
    b.values[x] = b.one_of(known_pools(b, lambda _: True)).handle


def _no_pool(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))


def _block(b: Builder, x: str) -> None:
    b.values[x] = allocate_block(b)


def _no_block(b: Builder, x: str) -> None:
    b.values[x] = b.choose([b.readable(), allocate_block(b) + 64])


def _agents_reaching(b: Builder, array: str, count: str, pointer: str) -> None:
    block = find_allocation(b.session.model, b.number(pointer))
    if block is None:
        b.values[pointer] = allocate_block(b)
        block = b.session.model.find("allocation", b.number(pointer))
    able = [a for a in known_agents(b) if access(b, a.handle, block.pool) != "never"]
    put_agents(b, array, count, able)


def _agents_not_reaching(b: Builder, array: str, count: str, pointer: str) -> None:
    agent, pool = out_of_reach(b, known_pools(b, lambda p: p.allocatable))
    b.values[pointer] = allocate_block(b, pool)
    put_handles(b, array, count, [agent])


def out_of_reach(b: Builder, pools: list[Pool]) -> tuple[int, Pool]:
    """Draw an agent, and one of the pools that it can never reach.

    Raises:
        NotOnMachine: there is no such pair.

    """
    pairs = [
        (agent.handle, pool)
        for pool in pools
        for agent in known_agents(b)
        if access(b, agent.handle, pool.handle) == "never"
    ]
    if not pairs:
        raise NotOnMachine("every agent of the machine can reach every pool")
    return b.choose(pairs)


def access(b: Builder, agent: int, pool: int) -> str:
    """Return "never", "default" or "on_request": how an agent reaches a pool."""
    return pool_access(b.session.model, agent, pool)


def _choose(b: Builder, names: Sequence[str], attribute: str, op: str, wanted: object) -> None:
    choose_by_attribute(b, names[0], pools(b.session.model), attribute, op, wanted)


GENERATORS: Mapping[str, Generators] = {
    "is_pool": Generators(_pool, _no_pool),
    "is_allocation": Generators(_block, _no_block),
    "agents_reach": Generators(_agents_reaching, _agents_not_reaching),
}

COMPARISONS: Mapping[str, Comparison] = {"pool": _choose}
