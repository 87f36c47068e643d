"""Chooses clauses by the names that people type."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from hsa_conformance.engine.topic import Topics
from hsa_spec import Clause, Registry


class SelectionError(Exception):
    """A name matches nothing; the message says what is near."""


def select(registry: Registry, topics: Topics, wanted: Sequence[str]) -> list[Clause]:
    """Return the clauses that are wanted, in the order of the registry; all for no wish.

    Args:
        registry: the specification.
        topics: what the suite knows of the API, with its short names.
        wanted: groups, topics, functions, clause ids or beginnings of ids.

    Raises:
        SelectionError: a name matches no clause.

    """
    if not wanted:
        return list(registry.clauses.values())
    chosen: set[str] = set()
    for name in wanted:
        found = list(registry.select(topics.groups.get(name, name)))
        if not found:
            raise SelectionError(_unknown(registry, topics, name))
        # A whole name means itself, although it may be the beginning of another.
        exact = [c for c in found if name in (c.id, c.function)]
        chosen |= {c.id for c in exact or found}
    return [c for c in registry.clauses.values() if c.id in chosen]


def _unknown(registry: Registry, topics: Topics, name: str) -> str:
    names = [*topics.groups, *registry.topics, *registry.functions, *registry.clauses]
    near = get_close_matches(name, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"{name!r} is no group, topic, function or clause; {hint}"
