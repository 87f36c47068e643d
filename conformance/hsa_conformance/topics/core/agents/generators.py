"""Agents, and arrays of agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.generators import (
    Comparison,
    Generators,
    choose_by_attribute,
    put_handles,
    spoilt,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents, put_agents


def _agent(b: Builder, x: str) -> None:
    b.values[x] = b.one_of(known_agents(b)).handle


def _no_agent(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (pool.handle for pool in b.session.model.live("pool")))


def _agents(b: Builder, array: str, count: str) -> None:
    put_agents(b, array, count, known_agents(b))


def _agents_one_bad(b: Builder, array: str, count: str) -> None:
    put_handles(b, array, count, _spoilt(b, b.readable()))


def _agents_one_zero(b: Builder, array: str, count: str) -> None:
    put_handles(b, array, count, _spoilt(b, 0))


def _spoilt(b: Builder, bad: int) -> list[int]:
    """Return agents and one that is none, also more than a library keeps room for on its stack."""
    often = b.each("each agent", {"once": 1, "many times": 16})
    return spoilt(b, [agent.handle for agent in known_agents(b)] * often, bad)


def _choose(b: Builder, names: Sequence[str], attribute: str, op: str, wanted: object) -> None:
    choose_by_attribute(b, names[0], known_agents(b), attribute, op, wanted)


GENERATORS: Mapping[str, Generators] = {
    "is_agent": Generators(_agent, _no_agent),
    "agents_valid": Generators(_agents, _agents_one_bad),
    "agents_zero": Generators(_agents_one_zero, _agents),
}

COMPARISONS: Mapping[str, Comparison] = {"agent": _choose}
