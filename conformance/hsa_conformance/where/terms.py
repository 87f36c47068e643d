"""Where a term of the language of conditions is: its words, its generators, what answers it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import hsa_reference
from hsa_conformance.engine.generation.terms import STATE_TERMS
from hsa_conformance.engine.topic import Topics
from hsa_conformance.where.place import Place, few, of_code
from hsa_conformance.where.texts import constants, first_arguments
from hsa_spec import Clause, Registry
from hsa_spec.conditions import vocabulary
from hsa_spec.conditions.vocabulary import TERMS
from hsa_spec.places import place_of
from hsa_spec.terms import users

#: The functions of the vocabulary that make terms.
_MAKERS: Final = frozenset({"thing", "place", "fact", "member", "Term"})


def word(name: str) -> Iterator[Place]:
    """Yield where the vocabulary has a term."""
    # What is said of a kind of objects gives `is_<kind>` and `<kind>`.
    for text in (name, name.removeprefix("is_")):
        for path in sorted(Path(vocabulary.__file__).parent.rglob("*.py")):
            for line in first_arguments(path, _MAKERS, text):
                yield Place(path, line, f"the word {name}")
                return


def generators(topics: Topics, name: str) -> Iterator[Place]:
    """Yield what makes a term true and false, and comparisons with it come true."""
    made = topics.repertoire.generators.get(name)
    if made and name not in STATE_TERMS:  # no generator decides the state of a process
        yield of_code(f"makes {name} true", made.true)
        yield of_code(f"makes {name} only just false", made.false)
    if comparison := topics.repertoire.comparisons.get(name):
        yield of_code(f"makes comparisons with {name} come true", comparison)


def places(registry: Registry, topics: Topics, name: str, most: int | None) -> Iterator[Place]:
    """Yield the places of a term."""
    if name not in TERMS:
        return
    yield from word(name)
    yield from generators(topics, name)
    if fact := topics.rules.facts.get(name):
        yield of_code("answered in the suite", fact)
        for path in sorted(Path(hsa_reference.__file__).parent.rglob("*.py")):
            for line in constants(path, name):
                yield Place(path, line, "answered in the reference")
    using = users(TERMS[name], registry)
    yield from few((_use(registry, clause) for clause in using), most)


def _use(registry: Registry, clause: Clause) -> Place:
    path, line = place_of(registry, registry.subject(clause), "clauses", clause.slug)
    return Place(path, line or 1, f"used by {clause.id}")
