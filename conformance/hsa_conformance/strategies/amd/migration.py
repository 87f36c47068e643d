"""Pools between which blocks can move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.calls import Out
from hsa_conformance.model.state import Pool
from hsa_conformance.strategies.builder import Builder, Lacking, Stock
from hsa_conformance.strategies.makers import Makers

CAN: Final = "hsa_amd_memory_pool_can_migrate"


def survey(stock: Stock) -> None:
    """Ask the library once between which pools blocks can move."""
    session, model = stock.session, stock.session.model
    if model.find("routes_asked") is not None or CAN not in session.exports:
        return
    model.keep("routes_asked", thing=True)
    steps = len(session.trace)
    pools = stock.pools(lambda p: p.allocatable)
    for old in pools:
        for new in pools:
            # A refusal is for the clauses of the query to judge; nothing can move then.
            session.call(CAN, src_memory_pool=old.handle, dst_memory_pool=new.handle, result=Out())
    del session.trace[steps:]


def routes(stock: Stock) -> list[tuple[Pool, Pool]]:
    """Return the pools between which blocks can move, old and new."""
    survey(stock)
    pools = stock.session.model.pools
    known = stock.session.model.objects.get("route", {})
    return [(pools[old], pools[new]) for (old, new), allowed in known.items() if allowed]


def _movable(b: Builder, pointer: str, pool: str) -> None:
    found = routes(b)
    if not found:
        raise Lacking("the library moves blocks between no pools")
    old, new = b.choose(found)
    b.values[pointer], b.values[pool] = b.block(old), new.handle


def _not_movable(b: Builder, pointer: str, pool: str) -> None:
    b.values[pointer] = b.block()
    b.values[pool] = b.choose(b.pools(lambda p: p.allocatable)).handle


MAKERS: Mapping[str, Makers] = {"can_migrate": Makers(_movable, _not_movable)}
