"""Caches of agents."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_adapters.protocol import Callback
from hsa_conformance.model.core.caches import Cache
from hsa_conformance.strategies.builder import Builder, Stock
from hsa_conformance.strategies.makers import Makers
from hsa_conformance.symbols import Symbol
from hsa_reports.actions import Named


def reported(stock: Stock, agent: int) -> list[int]:
    """Return the caches of an agent, in the library's order."""
    answer = stock.session.must(
        "hsa_agent_iterate_caches", agent=agent, callback=Callback("hsa_cache_callback"), data=0
    )
    return [handle for handle, _ in answer.callbacks]


def agents(stock: Stock) -> list[int]:
    """Return the agents that have caches, only those with several if there are such."""
    counts = {a.handle: len(reported(stock, a.handle)) for a in stock.agents()}
    return [h for h, n in counts.items() if n > 1] or [h for h, n in counts.items() if n]


def cache(stock: Stock) -> int:
    """Return a cache of some agent.

    Raises:
        Unavailable: no agent has any.

    """
    agent = stock.available(agents(stock), "cache")
    place, handle = stock.choose(list(enumerate(reported(stock, agent), 1)))
    words = f"{agent}_cache{place}"
    symbol = Symbol(handle, words, origin=Named(words))
    stock.session.model.keep("cache", symbol, thing=Cache(symbol))
    return symbol


def _cache(b: Builder, x: str) -> None:
    b.values[x] = cache(b)


def _no_cache(b: Builder, x: str) -> None:
    b.values[x] = b.choose([b.readable(), b.choose(b.agents()).handle])


MAKERS: Mapping[str, Makers] = {"is_cache": Makers(_cache, _no_cache)}
