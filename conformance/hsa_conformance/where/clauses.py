"""Where a clause is said, what makes its condition hold, what judges it, and what bears it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hsa_conformance.engine.topic import Topics
from hsa_conformance.where import evidence, terms
from hsa_conformance.where.judging import Judging
from hsa_conformance.where.place import Place, few, of_code
from hsa_conformance.where.texts import constants
from hsa_spec import Clause, Kind, Registry, defaults
from hsa_spec.clauses import built_clauses
from hsa_spec.places import document_of, kind_of, place_of
from hsa_spec.terms import terms_of


def places(registry: Registry, topics: Topics, name: str, most: int | None) -> Iterator[Place]:
    """Yield the places of a clause."""
    clause = registry.clauses.get(name)
    if clause is None:
        return
    yield from said(registry, clause)
    for term in terms_of(clause):
        yield from terms.word(term)
        yield from terms.generators(topics, term)
    yield from Judging(registry, topics).places(clause)
    if clause.kind is Kind.STATUS:  # a case names a status, and no clause
        yield from few(evidence.golden_cases(clause.function, clause.status), most)
    yield from few(evidence.findings([clause.id]), most)
    yield from few(evidence.known_failures([clause.id]), most)


def said(registry: Registry, clause: Clause) -> Iterator[Place]:
    """Yield where the registry says a clause, and the rule for what it leaves to a default."""
    subject = registry.subject(clause)
    found = document_of(registry, subject)
    if found is None:
        return
    document, whole = found
    family = f", of the family {whole.data[kind_of(document)]}" if document != whole else ""
    clauses: Mapping[str, Any] = document.data.get("clauses") or {}
    if clause.slug in clauses:
        path, line = place_of(registry, subject, "clauses", clause.slug)
        yield Place(path, line or 1, f"clause {clause.slug}{family}")
    else:
        path, line = place_of(registry, subject)
        yield Place(path, line or 1, f"function {subject.name}{family}: implies {clause.slug}")
    if clause.kind is Kind.EXPORT:
        yield of_code("what every exported function has", built_clauses)
    elif clause.subject in registry.functions and "when" not in (clauses.get(clause.slug) or {}):
        yield from _rule(clause.slug)


def _rule(slug: str) -> Iterator[Place]:
    """Yield where the defaults say what the name of a clause stands for, if they do."""
    bodies = Path(defaults.__file__).parent / "bodies.py"
    ends = (slug[start:] for start in range(len(slug)) if slug[start] == "-")
    for known in (slug, *ends):
        for line in constants(bodies, known):
            yield Place(bodies, line, f"what the name {slug} stands for")
            return
