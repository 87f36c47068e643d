"""Chooses clauses by the names that people type."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from hsa_conformance.engine.topic import Topics
from hsa_spec import Clause, Registry
from hsa_spec.ladder import read_ladder, up_to

#: The levels of a new runtime; a level of it, and those before, is `smoke/` and its name.
SMOKE = "smoke"


class SelectionError(Exception):
    """A name matches nothing; the message says what is near."""


def select(registry: Registry, topics: Topics, wanted: Sequence[str]) -> list[Clause]:
    """Return the clauses that are wanted, in the order of the registry; all for no wish.

    Args:
        registry: the specification.
        topics: what the suite knows of the API, with its short names.
        wanted: groups, topics, functions, rules, clause ids or beginnings of ids; `smoke` and
            levels such as `smoke/agents`.

    Raises:
        SelectionError: a name matches no clause.

    """
    if not wanted:
        return list(registry.clauses.values())
    chosen: set[str] = set()
    for name in wanted:
        if name.partition("/")[0] == SMOKE:
            chosen |= _smoke(registry, name)
            continue
        found = list(registry.select(topics.groups.get(name, name)))
        if not found:
            raise SelectionError(_unknown(registry, topics, name))
        # A whole name means itself, although it may be the beginning of another.
        exact = [c for c in found if name in (c.id, c.function, c.subject)]
        chosen |= {c.id for c in exact or found}
    return [c for c in registry.clauses.values() if c.id in chosen]


def _smoke(registry: Registry, name: str) -> set[str]:
    """Return the clauses of the levels up to one, or of all levels."""
    levels = read_ladder(registry)
    _, slash, level = name.partition("/")
    if slash:
        try:
            levels = up_to(levels, level)
        except ValueError:
            names = ", ".join(f"{SMOKE}/{each.name}" for each in levels)
            raise SelectionError(f"{name!r} is no level; the levels are {names}") from None
    return {clause for each in levels for clause in each.clauses}


def _unknown(registry: Registry, topics: Topics, name: str) -> str:
    names = [SMOKE, *topics.groups, *registry.topics, *registry.functions]
    names += [*registry.rules, *registry.clauses]
    near = get_close_matches(name, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"{name!r} is no group, topic, function, rule or clause; {hint}"
