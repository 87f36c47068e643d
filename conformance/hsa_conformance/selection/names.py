"""Finds the clauses for the names and queries that people type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from hsa_conformance.engine.session.axes import Pin
from hsa_conformance.engine.topic import Topics
from hsa_conformance.selection.asking import Asking
from hsa_conformance.selection.query import QueryError, answer
from hsa_spec import Clause, Registry
from hsa_spec.ladder import read_ladder, up_to

#: The levels of a new runtime; a level of it, and those before, is `smoke/` and its name.
SMOKE = "smoke"


class SelectionError(Exception):
    """A query matches nothing or cannot be read; the message says what is near or allowed."""


@dataclass(frozen=True)
class Wish:
    """The clauses that somebody wants judged.

    Attributes:
        clauses: in the order of the registry.
        values: the values of axes that a clause is to be tried with, by its id; all of them where
            there are none.

    """

    clauses: list[Clause]
    values: Mapping[str, frozenset[Pin]]


def select(registry: Registry, topics: Topics, wanted: Sequence[str]) -> list[Clause]:
    """Return the clauses that are wanted; see `read_wish`.

    Raises:
        SelectionError: a name or a query matches no clause, or cannot be understood.

    """
    return read_wish(registry, topics, wanted).clauses


def read_wish(registry: Registry, topics: Topics, wanted: Sequence[str]) -> Wish:
    """Return which clauses are wanted, and with which values; all for no wish.

    Args:
        registry: the specification.
        topics: what the suite knows of the API, with its short names.
        wanted: queries, of which a clause has to meet one. A query may be the name of a group,
            topic, function, rule or clause, or the beginning of an id; `smoke` and levels such as
            `smoke/agents`; `CLAUSE[AXIS=VALUE]`, which is tried with this value alone; or
            `KEY:VALUE`. They are joined by `and`, `or`, `not` and parentheses.

    Raises:
        SelectionError: a name or a query matches no clause, or cannot be understood.

    """
    if not wanted:
        return Wish(list(registry.clauses.values()), {})
    asking = Asking(registry, topics)
    everything = frozenset(registry.clauses)

    values: dict[str, frozenset[Pin]] = {}

    def meaning(key: str | None, value: str) -> frozenset[str]:
        if key:
            return asking.of(key, value)
        name, bracket, rest = value.partition("[")
        named = _named(registry, topics, name)
        if bracket:
            pin = _pin(registry, name, rest)
            values[name] = values.get(name, frozenset()) | {pin}
        return named

    chosen: set[str] = set()
    for query in wanted:
        try:
            found = answer(query, everything, asking.keys, meaning)
        except QueryError as error:
            raise SelectionError(str(error)) from None
        if not found:
            raise SelectionError(f"{query!r} matches no clause; leave a condition out")
        chosen |= found
    return Wish([c for c in registry.clauses.values() if c.id in chosen], values)


def _pin(registry: Registry, name: str, text: str) -> Pin:
    """Return the axis and the value that stand in brackets after the id of a clause.

    Raises:
        QueryError: it is no clause, or the text no axis with a value.

    """
    axis, equals, value = text.removesuffix("]").partition("=")
    if not (axis and equals and value and text.endswith("]")):
        raise QueryError(f"{name}[{text}: write CLAUSE[AXIS=VALUE], as a report names the value")
    if name not in registry.clauses:
        raise QueryError(f"{name!r} is not a clause: only the id of one can have [{axis}={value}]")
    return axis, value


def _named(registry: Registry, topics: Topics, name: str) -> frozenset[str]:
    """Return the clauses of a name.

    Raises:
        QueryError: there is nothing of that name.

    """
    if name.partition("/")[0] == SMOKE:
        return frozenset(_smoke(registry, name))
    found = list(registry.select(topics.groups.get(name, name)))
    if not found:
        raise QueryError(_unknown(registry, topics, name))
    # A whole name means itself, although it may be the beginning of another.
    exact = [c for c in found if name in (c.id, c.function, c.subject)]
    return frozenset(c.id for c in exact or found)


def _smoke(registry: Registry, name: str) -> set[str]:
    """Return the clauses of the levels up to one, or of all levels."""
    levels = read_ladder(registry)
    _, slash, level = name.partition("/")
    if slash:
        try:
            levels = up_to(levels, level)
        except ValueError:
            names = ", ".join(f"{SMOKE}/{each.name}" for each in levels)
            raise QueryError(f"{name!r} is no level; the levels are {names}") from None
    return {clause for each in levels for clause in each.clauses}


def _unknown(registry: Registry, topics: Topics, name: str) -> str:
    names = [SMOKE, *topics.groups, *registry.topics, *registry.functions]
    names += [*registry.rules, *registry.clauses]
    near = get_close_matches(name, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"{name!r} is no group, topic, function, rule or clause; {hint}"
