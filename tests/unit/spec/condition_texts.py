"""Strategies for the texts of conditions, made from the vocabulary."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from hsa_spec.conditions import Vocabulary
from hsa_spec.conditions.vocabulary import TERMS, VIEWS
from hsa_spec.conditions.vocabulary import TEXTS as TEXT_PARAMS
from tests.unit.spec.toy_world import TEXTS

PARAMS = ("a", "b", "c")
VOCABULARY = Vocabulary(PARAMS, {"ONE": 1, "TEN": 10}, {"few_t": frozenset({1, 2, 10})})

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_DEPTH = 3


@cache
def atoms(depth: int = _DEPTH) -> st.SearchStrategy[str]:
    """Statements, with at most `depth` of them or of values inside one another."""
    simple = [_applied(name, depth) for name, t in TERMS.items() if t.result == "bool"]
    simple += [_attributes("bool", depth), _comparisons(_numbers(depth - 1))]
    simple += [_comparisons(st.one_of(_words(), _attributes("text", depth)))]
    simple += [
        st.builds("({} {} few_t)".format, _numbers(depth - 1), st.sampled_from(["in", "not in"]))
    ]
    if depth > 1:
        simple.append(st.builds("(not {})".format, st.deferred(lambda: atoms(depth - 1))))
    return st.one_of(simple)


def _comparisons(sides: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("({} {} {})".format, sides, st.sampled_from(_COMPARISONS), sides)


@cache
def _numbers(depth: int) -> st.SearchStrategy[str]:
    leaves = st.one_of(
        st.sampled_from([*PARAMS, *VOCABULARY.constants, "NULL"]),
        st.integers(-3, 12).map(str),
        st.sampled_from(["references()", "page_size()"]),
    )
    if depth <= 0:
        return leaves
    inner = st.deferred(lambda: _numbers(depth - 1))
    sums = st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "&"]), inner)
    # A literal zero is refused as a divisor; one that only turns out to be zero is not.
    divisors = inner.filter(lambda text: text not in ("0", "-0"))
    remainders = st.builds("({} % {})".format, inner, divisors)
    return st.one_of(
        leaves, sums, remainders, _attributes("int", depth), _applied("pointer_info_size", depth)
    )


def _words() -> st.SearchStrategy[str]:
    return st.sampled_from(TEXTS).map(repr)


@cache
def _applied(name: str, depth: int) -> st.SearchStrategy[str]:
    args = [_words() if p in TEXT_PARAMS else _numbers(depth - 1) for p in TERMS[name].params]
    return st.tuples(*args).map(lambda given: f"{name}({', '.join(given)})")


@cache
def _attributes(kind: str, depth: int) -> st.SearchStrategy[str]:
    return st.one_of(
        [
            _applied(view, depth).map(f"{{}}.{attribute}".format)
            for view, attributes in VIEWS.items()
            for attribute, of in attributes.items()
            if of == kind
        ]
    )
