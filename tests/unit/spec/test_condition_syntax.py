"""The condition language takes what it defines, and says what is wrong with the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hsa_spec import ConditionError
from hsa_spec.conditions import Atom, parse, walk
from hsa_spec.conditions.syntax import (
    Apply,
    Argument,
    Arithmetic,
    Attribute,
    Compare,
    Constant,
    Literal,
    Member,
    Not,
)
from hsa_spec.conditions.vocabulary import ATTRIBUTES, TERMS, TEXTS, VIEWS
from tests.unit.spec.condition_texts import VOCABULARY, atoms

A, B = Argument("a"), Argument("b")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a == 1", Compare("==", A, Literal(1))),
        ("a != -1", Compare("!=", A, Literal(-1))),
        ("a == NULL", Compare("==", A, Constant("NULL", 0))),
        ("a < TEN", Compare("<", A, Constant("TEN", 10))),
        ("a % b >= 0x10", Compare(">=", Arithmetic("%", A, B), Literal(16))),
        ("a in few_t", Member(A, "few_t", frozenset({1, 2, 10}))),
        ("a not in few_t", Not(Member(A, "few_t", frozenset({1, 2, 10})))),
        ("initialized()", Apply(TERMS["initialized"], ())),
        ("not is_agent(a)", Not(Apply(TERMS["is_agent"], (A,)))),
        ("pool(a).allocatable", Attribute(Apply(TERMS["pool"], (A,)), "allocatable")),
        ('exhausted("memory")', Apply(TERMS["exhausted"], (Literal("memory"),))),
    ],
)
def test_becomes_these_nodes(text: str, node: Any) -> None:
    """Each form of the language becomes its node, and the text is kept."""
    assert Atom(text, node) == parse(text, VOCABULARY)


@given(atoms())
def test_everything_made_from_the_vocabulary_is_taken(text: str) -> None:
    """What is put together from the vocabulary parses, and parses alike twice."""
    assert parse(text, VOCABULARY) == parse(text, VOCABULARY)


@given(st.text(alphabet="ab01 ()<=!%&+-*.,'\"ntoi\n\0[]{}:@", max_size=30))
def test_other_text_is_refused_and_never_crashes(text: str) -> None:
    """Whatever is written, the answer is an atom or a ConditionError that quotes the text."""
    try:
        parse(text, VOCABULARY)
    except ConditionError as error:
        assert repr(text) in str(error)  # noqa: PT017 - most texts raise, some do not


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a ==", "not an expression: 'a =='"),
        ("a == \0", "not an expression"),
        ("a = 1", "not an expression"),
        ("a", "'a' is a value, not a statement that can hold or not"),
        ("pool(a)", "is a value, not a statement"),
        ("pool(a).granule", "is a value, not a statement"),
        ("a and b", "'a and b' is not part of the condition language"),
        ("a == True", "'True' is not part of the condition language"),
        ("a == -True", "'-True' is not part of the condition language"),
        ("a == 1.5", "'1.5' is not part of the condition language"),
        ("a == None", "'None' is not part of the condition language"),
        ("a < b < 3", "'a < b < 3' is not part of the condition language"),
        ("a // 2 == 1", "'a // 2' is not part of the condition language"),
        ("~a == 1", "'~a' is not part of the condition language"),
        ("(lambda: a)() == 1", "is not part of the condition language"),
        ("is_agent(handle=a)", "'is_agent(handle=a)' is not part of the condition language"),
        ("is_agent(*a)", "'*a' is not part of the condition language"),
        ("a[0] == 1", "'a[0]' is not part of the condition language"),
        ("__import__('os') == 1", "'__import__' is not a term; the terms are access_was_set, "),
        ("d == 1", "'d' is neither a parameter, nor an enumerator, nor NULL"),
        ("is_agnet(a)", "'is_agnet' is not a term; the terms are access_was_set, agent, "),
        ("is_agent()", "is_agent takes (handle), not 0 arguments"),
        ("is_reserved(a)", "is_reserved takes (address, size), not 1 arguments"),
        ('is_agent("gpu")', "the handle of is_agent must be a number"),
        ("is_agent(agent(a))", "the handle of is_agent must be a number"),
        ("is_agent(a == 1)", "the handle of is_agent must be a number"),
        ("exhausted(a)", "the resource of exhausted must be a word in quotes"),
        ("supports(1)", "the feature of supports must be a word in quotes"),
        ("a.size == 1", "'a' has no attributes"),
        ("page_size().x == 1", "'page_size()' has no attributes"),
        ("pool(a).size == 1", "a pool has no 'size'; it has allocatable, granule, "),
        ('a + "x" == 1', "both sides of '+' must be numbers"),
        ("initialized() + 1 == 2", "both sides of '+' must be numbers"),
        ("a % 0 == 1", "division by zero"),
        ("not a", "'not' wants a statement"),
        ("a is b", "'a is b' compares identity"),
        ('a == "x"', "cannot compare a number with a word in quotes"),
        ("initialized() == initialized()", "cannot compare a statement with a statement"),
        ("pool(a) == pool(b)", "cannot compare the pool itself with the pool itself"),
        ("a in b", "'b' is not the name of an enumeration"),
        ("a in (1, 2)", "'(1, 2)' is not the name of an enumeration"),
        ('"x" in few_t', "is no number, and few_t holds numbers"),
        ("initialized() in few_t", "'initialized()' is no number, and few_t holds numbers"),
    ],
)
def test_refuses(text: str, message: str) -> None:
    """What is outside the language is refused, with the text and what was expected."""
    with pytest.raises(ConditionError) as refused:
        parse(text, VOCABULARY)
    assert repr(text) in str(refused.value)
    assert message in str(refused.value)


def test_parameters_hide_enumerators() -> None:
    """A parameter is meant where an enumerator has the same name."""
    vocabulary = type(VOCABULARY)(("TEN",), VOCABULARY.constants, VOCABULARY.enums)
    assert frozenset({"TEN"}) == parse("TEN == 10", vocabulary).arguments


def test_arguments_are_the_parameters_that_are_mentioned() -> None:
    """An atom tells which parameters it is about, however deep they are."""
    atom = parse("not is_reserved(a, reservation(b).size + 1)", VOCABULARY)
    assert frozenset({"a", "b"}) == atom.arguments


@given(atoms(depth=2))
def test_walk_meets_every_parameter(text: str) -> None:
    """Walking an atom meets each parameter that its text mentions."""
    atom = parse(text, VOCABULARY)
    mentioned = {n.name for n in walk(atom.node) if isinstance(n, Argument)}
    assert atom.arguments == mentioned


def test_vocabulary_is_complete() -> None:
    """Every view and attribute can be said, and the parameters that are words exist."""
    assert {(v, a) for v, attributes in VIEWS.items() for a in attributes} == set(ATTRIBUTES)
    assert set(VIEWS) <= {t.result for t in TERMS.values()}
    assert {t.result for t in TERMS.values()} <= {"bool", "int", "text", *VIEWS}
    assert {p for t in TERMS.values() for p in t.params} >= TEXTS
