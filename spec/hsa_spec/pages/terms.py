"""The page with the words that conditions are written with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hsa_spec.conditions.vocabulary import TERMS
from hsa_spec.conditions.vocabulary.words import Term
from hsa_spec.model import Registry
from hsa_spec.pages.markup import INDEX, Words, code, table
from hsa_spec.terms import kind, members, reading, signature, terms_of

_INTRODUCTION = """\
# Terms

The words that the conditions of clauses are written with, beside the parameters of the function,
numbers, constants and `NULL`. `hsa-conformance spec show TERM` lists the clauses that use one."""


def terms_page(registry: Registry, words: Words) -> str:
    """Return the page, without the mark."""
    uses = Counter(name for clause in registry.clauses.values() for name in terms_of(clause))
    rows = [row for name in sorted(TERMS) for row in _rows(TERMS[name], uses[name])]
    heads = ("Term", "What it is", "It says", "Its opposite", "Clauses")
    return f"{_INTRODUCTION} [Index]({words.url(INDEX)}).\n\n{table(heads, rows)}\n"


def _rows(term: Term, uses: int) -> Iterator[tuple[str, ...]]:
    opposite = term.negated.format(*term.params)
    yield code(signature(term)), kind(term), reading(term), opposite, str(uses)
    for name, sort, text in members(term):
        yield code(f"{signature(term)}.{name}"), sort, text, "", ""
