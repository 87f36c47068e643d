"""The words that conditions are written with, as a dictionary."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.conditions import walk
from hsa_spec.conditions.syntax import Apply
from hsa_spec.conditions.vocabulary import ATTRIBUTES, TERMS, TEXTS, VIEWS
from hsa_spec.conditions.vocabulary.words import Term
from hsa_spec.model import Clause, Registry

_KINDS = {"bool": "a statement", "int": "a number", "text": "a text"}


def terms_of(clause: Clause) -> tuple[str, ...]:
    """Return the names of the terms of a clause's condition, each once."""
    nodes = (node for atom in clause.when for node in walk(atom.node))
    return tuple(dict.fromkeys(n.term.name for n in nodes if isinstance(n, Apply)))


def signature(term: Term) -> str:
    """Return how a term is written, with names for its arguments."""
    params = (f'"{p}"' if p in TEXTS else p for p in term.params)
    return f"{term.name}({', '.join(params)})"


def reading(term: Term) -> str:
    """Return how a term reads."""
    return term.english.format(*term.params)


def users(term: Term, registry: Registry) -> tuple[Clause, ...]:
    """Return the clauses that a term is used by."""
    return tuple(c for c in registry.clauses.values() if term.name in terms_of(c))


def kind(term: Term) -> str:
    """Return what a term is: a statement, a number, a text, or a thing with members."""
    return _KINDS.get(term.result, "a thing")


def members(term: Term) -> Iterator[tuple[str, str, str]]:
    """Yield name, kind and reading of what can be asked of the thing that a term finds."""
    for name, type_ in VIEWS.get(term.result, {}).items():
        yield name, _KINDS[type_], ATTRIBUTES[term.result, name].format(reading(term))


def lines(term: Term, registry: Registry) -> list[str]:
    """Return what the dictionary says of a term, as lines for people."""
    said = [f"{kind(term)}: {reading(term)}"]
    if term.negated:
        said.append(f"its opposite: {term.negated.format(*term.params)}")
    said += [f".{name}, {sort}: {text}" for name, sort, text in members(term)]
    for other, holds in term.implies:
        then = "holds" if holds else "does not hold"
        said.append(f"where it holds, {signature(TERMS[other])} {then}")
    using = users(term, registry)
    said.append(f"clauses that use it: {len(using) or 'none'}")
    said += [f"  {clause.id}" for clause in using]
    return [signature(term), *(f"  {line}" for line in said)]
