"""Memory pools, blocks from them, and agents that reach them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from hsa_conformance.findings import Unavailable
from hsa_conformance.model.state import Pool
from hsa_conformance.strategies.builder import Builder
from hsa_conformance.strategies.makers import Comparer, Makers, choose_by_attribute, put_handles


def _pool(b: Builder, x: str) -> None:
    b.values[x] = b.choose(b.pools(lambda _: True)).handle


def _no_pool(b: Builder, x: str) -> None:
    wrong_kind = [a.handle for a in b.agents()][:1]
    b.values[x] = b.choose([b.readable(), *wrong_kind])


def _block(b: Builder, x: str) -> None:
    b.values[x] = b.block()


def _no_block(b: Builder, x: str) -> None:
    b.values[x] = b.choose([b.readable(), b.block() + 64])


def _agents_reaching(b: Builder, array: str, count: str, pointer: str) -> None:
    block = b.session.model.allocation(b.number(pointer))
    if block is None:
        b.values[pointer] = b.block()
        block = b.session.model.allocations[b.number(pointer)]
    able = [a.handle for a in b.agents() if access(b, a.handle, block.pool) != "never"]
    put_handles(b, array, count, able[: b.draw(st.integers(1, max(1, len(able))))])


def _agents_not_reaching(b: Builder, array: str, count: str, pointer: str) -> None:
    agent, pool = out_of_reach(b, b.pools(lambda p: p.allocatable))
    b.values[pointer] = b.block(pool)
    put_handles(b, array, count, [agent])


def out_of_reach(b: Builder, pools: list[Pool]) -> tuple[int, Pool]:
    """Draw an agent, and one of the pools that it can never reach.

    Raises:
        Unavailable: there is no such pair.

    """
    pairs = [
        (agent.handle, pool)
        for pool in pools
        for agent in b.agents()
        if access(b, agent.handle, pool.handle) == "never"
    ]
    if not pairs:
        raise Unavailable("NOT_APPLICABLE", "every agent of the machine can reach every pool")
    return b.choose(pairs)


def access(b: Builder, agent: int, pool: int) -> str:
    """Return "never", "default" or "on_request": how an agent reaches a pool."""
    return b.session.model.pool_access(agent, pool)


def _choose(b: Builder, names: Sequence[str], attribute: str, op: str, wanted: object) -> None:
    choose_by_attribute(b, names[0], b.session.model.pools, attribute, op, wanted)


MAKERS: Mapping[str, Makers] = {
    "is_pool": Makers(_pool, _no_pool),
    "is_allocation": Makers(_block, _no_block),
    "agents_reach": Makers(_agents_reaching, _agents_not_reaching),
}

COMPARERS: Mapping[str, Comparer] = {"pool": _choose}
