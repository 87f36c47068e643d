"""Caches of agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.callback_handles import renamed
from hsa_conformance.engine.checks.effects.relations import Holder
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.nodes import holders_of
from hsa_conformance.topics.core.caches.state import Cache


def reported(fixtures: Fixtures, agent: int) -> list[int]:
    """Return the caches of an agent, in the library's order."""
    answer = fixtures.session.set_up(
        "hsa_agent_iterate_caches", agent=agent, callback=Callback("hsa_cache_callback"), data=0
    )
    return [handle for handle, _ in answer.callbacks]


def agents(fixtures: Fixtures, *, rather_several: bool = False) -> list[int]:
    """Return the agents that have caches.

    Args:
        fixtures: the process.
        rather_several: only those with several, if there are such.

    """
    counts = {a.handle: len(reported(fixtures, a.handle)) for a in known_agents(fixtures)}
    several = [h for h, n in counts.items() if n > 1] if rather_several else []
    return several or [h for h, n in counts.items() if n]


def cache(fixtures: Fixtures) -> int:
    """Return a cache of some agent.

    Raises:
        Unavailable: no agent has any.

    """
    agent = fixtures.available(agents(fixtures), "cache")
    place, handle = fixtures.choose(list(enumerate(reported(fixtures, agent), 1)))
    words = f"{agent}_cache{place}"
    symbol = renamed(handle, words)
    fixtures.session.model.add("cache", symbol, thing=Cache(symbol))
    return symbol


def _cache(b: Builder, x: str) -> None:
    b.values[x] = cache(b)


def _no_cache(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))


def holders(fixtures: Fixtures) -> Sequence[Holder]:
    """Return the caches of all agents, each with its agent's processor."""
    return holders_of(fixtures, "cache", reported)


GENERATORS: Mapping[str, Generators] = {"is_cache": Generators(_cache, _no_cache)}
