"""Asks each sort of names for the places of one."""

from __future__ import annotations

from difflib import get_close_matches

from hsa_conformance.engine.topic import Topics
from hsa_conformance.where import (
    clauses,
    declarations,
    enumerators,
    evidence,
    functions,
    rooms,
    terms,
    verdicts,
)
from hsa_conformance.where.place import FEW, Place
from hsa_reports import Verdict
from hsa_spec import Registry
from hsa_spec.conditions.vocabulary import TERMS


class Unknown(Exception):  # noqa: N818 - not an error of the program
    """Nothing has this name; the message says what is near."""


def where(registry: Registry, topics: Topics, name: str, most: int | None = FEW) -> list[Place]:
    """Return every place where something of a name is written.

    Args:
        registry: the specification.
        topics: what the suite knows of the API.
        name: of a function, clause, rule, type, enumerator, macro, term, verdict, topic or
            finding.
        most: how many places of one sort are wanted, None for all.

    Raises:
        Unknown: nothing has this name.

    """
    found = [
        *functions.places(registry, topics, name, most),
        *clauses.places(registry, topics, name, most),
        *declarations.places(registry, name, most),
        *enumerators.places(registry, name, most),
        *terms.places(registry, topics, name, most),
        *verdicts.places(name, most),
        *rooms.places(registry, topics, name),
        *evidence.of_finding(name, most),
    ]
    if not found:
        raise Unknown(_unknown(registry, topics, name))
    return list(dict.fromkeys(found))


def _unknown(registry: Registry, topics: Topics, name: str) -> str:
    names = [
        *(*registry.functions, *registry.clauses, *registry.enums, *registry.structs),
        *registry.rules,
        *(*registry.callbacks, *registry.typedefs, *registry.tables, *registry.macros),
        *(*registry.constants, *TERMS, *Verdict, *registry.topics, *topics.groups),
        *evidence.finding_names(),
    ]
    near = get_close_matches(name, list(dict.fromkeys(names)), 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"nothing is named {name!r}; {hint}"
