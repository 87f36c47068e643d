"""Pools between which blocks can move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.amd.pools.fixtures import allocate_block, known_pools
from hsa_conformance.topics.amd.pools.state import Pool

CAN: Final = "hsa_amd_memory_pool_can_migrate"


def discover(fixtures: Fixtures) -> None:
    """Ask the library once between which pools blocks can move."""
    session, model = fixtures.session, fixtures.session.model
    if model.find("routes_asked") is not None or not session.offers(CAN):
        return
    model.add("routes_asked", thing=True)
    with session.learning():
        pools = known_pools(fixtures, lambda p: p.allocatable)
        for old in pools:
            for new in pools:
                # A refusal is for the clauses of the query to judge; nothing can move then.
                session.call(
                    CAN, src_memory_pool=old.handle, dst_memory_pool=new.handle, result=Out()
                )


def routes(fixtures: Fixtures) -> list[tuple[Pool, Pool]]:
    """Return the pools between which blocks can move, old and new."""
    discover(fixtures)
    model = fixtures.session.model
    known = model.objects.get("route", {})
    return [
        (model.find("pool", old), model.find("pool", new))
        for (old, new), allowed in known.items()
        if allowed
    ]


def _movable(b: Builder, pointer: str, pool: str) -> None:
    found = routes(b)
    if not found:
        raise NotOnMachine("the library moves blocks between no pools")
    old, new = b.choose(found)
    b.values[pointer], b.values[pool] = allocate_block(b, old), new.handle


def _not_movable(b: Builder, pointer: str, pool: str) -> None:
    b.values[pointer] = allocate_block(b)
    b.values[pool] = b.one_of(known_pools(b, lambda p: p.allocatable)).handle


GENERATORS: Mapping[str, Generators] = {"can_migrate": Generators(_movable, _not_movable)}
