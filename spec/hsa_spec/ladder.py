"""The levels in which a new runtime can be written, each of which stands on those before it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.documents import Document, check_documents, read_documents
from hsa_spec.errors import RegistryError
from hsa_spec.model import Function, Registry, Subject

LADDER = Path(__file__).with_name("ladder.yaml")
_SCHEMA = Path(__file__).with_name("ladder.schema.json")


@dataclass(frozen=True)
class Level:
    """One level.

    Attributes:
        name: what the command line calls it.
        summary: what a runtime can do that has reached it.
        functions: what has to be written for it, in the order of the registry.
        clauses: the ids of the clauses that it is judged by.

    """

    name: str
    summary: str
    functions: tuple[Function, ...]
    clauses: frozenset[str]


def read_ladder(registry: Registry, path: Path = LADDER) -> tuple[Level, ...]:
    """Return the levels, the first to be written in front.

    Args:
        registry: where functions and clauses are.
        path: the list of levels.

    Raises:
        RegistryError: the list is malformed, or names what is not in the registry.

    """
    documents = list(read_documents(path))
    check_documents(documents, _SCHEMA)
    [document] = documents
    count = len(document.data["levels"])
    single = {
        clause
        for index in range(count)
        for clause in _known(document, index, "clauses", registry.clauses)
    }
    slugs = {clause.slug for clause in registry.clauses.values()}
    each = {slug for index in range(count) for slug in _known(document, index, "each", slugs)}
    single |= {clause.id for clause in registry.clauses.values() if clause.slug in each}
    return tuple(_levels(document, single, registry))


def up_to(levels: Sequence[Level], name: str) -> tuple[Level, ...]:
    """Return a level and those before it.

    Raises:
        ValueError: there is no level of that name.

    """
    return tuple(levels[: [level.name for level in levels].index(name) + 1])


def _levels(document: Document, single: set[str], registry: Registry) -> Iterator[Level]:
    taken: set[str] = set()
    for index, row in enumerate(document.data["levels"]):
        named = _known(document, index, "functions", registry.functions)
        topics = _known(document, index, "topics", registry.topics)
        functions = tuple(
            f
            for f in registry.functions.values()
            if f.name not in taken and (f.name in named or f.topic in topics)
        )
        taken |= {f.name for f in functions}
        rules = [registry.rules[n] for n in _known(document, index, "rules", registry.rules)]
        subjects: tuple[Subject, ...] = (*functions, *rules)
        of_subjects = {c.id for s in subjects for c in s.clauses} - single
        of_each = {
            clause.id
            for clause in registry.clauses.values()
            if clause.function in taken and clause.slug in row.get("each", ())
        }
        clauses = frozenset(of_subjects.union(row.get("clauses", ()), of_each))
        yield Level(row["level"], row["summary"], functions, clauses)


def _known(document: Document, index: int, key: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the names that a level has under a key.

    Raises:
        RegistryError: one of them is not in the registry.

    """
    names = tuple(document.data["levels"][index].get(key, ()))
    for place, name in enumerate(names):
        if name not in known:
            error: RegistryError = document.error(
                ["levels", index, key, place], f"{name} is not in the registry"
            )
            raise error
    return names
