"""Where an enumerator is declared, and what names it: clauses and the suite's own code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hsa_conformance import topics as rooms
from hsa_conformance.where.place import Place, few
from hsa_conformance.where.texts import mentions
from hsa_spec import Clause, Registry
from hsa_spec.conditions import walk
from hsa_spec.conditions.syntax import Constant
from hsa_spec.places import place_of, place_of_attribute


def places(registry: Registry, name: str, most: int | None) -> Iterator[Place]:
    """Yield the places of an enumerator."""
    if name not in registry.constants:
        return
    for enum in registry.enums.values():
        for index, enumerator in enumerate(enum.enumerators):
            if enumerator.name == name:
                path, line = place_of(registry, enum, "enumerators", index)
                yield Place(path, line or 1, f"enumerator of {enum.name}")
    if name in registry.attributes:
        path, line = place_of_attribute(registry, registry.attributes[name])
        yield Place(path, line or 1, "what a query of it reports")
    naming = [clause for clause in registry.clauses.values() if _names(clause, name)]
    yield from few((_use(registry, clause) for clause in naming), most)
    yield from few(_in_code(name), most)


def _names(clause: Clause, name: str) -> bool:
    nodes = (node for atom in clause.when for node in walk(atom.node))
    return name in clause.status or any(isinstance(n, Constant) and n.name == name for n in nodes)


def _use(registry: Registry, clause: Clause) -> Place:
    path, line = place_of(registry, registry.subject(clause), "clauses", clause.slug)
    return Place(path, line or 1, f"named by {clause.id}")


def _in_code(name: str) -> Iterator[Place]:
    files = sorted(Path(rooms.__file__).parent.rglob("*.py"))
    for path, line, text in mentions(files, name):
        yield Place(path, line, f"named in the suite: {text.strip()}")
