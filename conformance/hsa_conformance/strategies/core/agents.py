"""Agents, and arrays of agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from hsa_conformance.strategies.builder import Builder
from hsa_conformance.strategies.makers import (
    Comparer,
    Makers,
    choose_by_attribute,
    put_handles,
    spoilt,
)


def _agent(b: Builder, x: str) -> None:
    b.values[x] = b.choose(b.agents()).handle


def _no_agent(b: Builder, x: str) -> None:
    wrong_kind = [p.handle for p in b.session.model.pools.values()][:1]
    b.values[x] = b.choose([b.readable(), *wrong_kind])


def _agents(b: Builder, array: str, count: str) -> None:
    chosen = b.agents()[: b.draw(st.integers(1, max(1, len(b.agents()))))]
    put_handles(b, array, count, [a.handle for a in chosen])


def _agents_one_bad(b: Builder, array: str, count: str) -> None:
    put_handles(b, array, count, spoilt(b, [a.handle for a in b.agents()], b.readable()))


def _agents_one_zero(b: Builder, array: str, count: str) -> None:
    put_handles(b, array, count, spoilt(b, [a.handle for a in b.agents()], 0))


def _choose(b: Builder, names: Sequence[str], attribute: str, op: str, wanted: object) -> None:
    choose_by_attribute(b, names[0], b.session.model.agents, attribute, op, wanted)


MAKERS: Mapping[str, Makers] = {
    "is_agent": Makers(_agent, _no_agent),
    "agents_valid": Makers(_agents, _agents_one_bad),
    "agents_zero": Makers(_agents_one_zero, _agents),
}

COMPARERS: Mapping[str, Comparer] = {"agent": _choose}
