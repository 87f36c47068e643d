"""Conditions and clauses read as English."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from hsa_spec import Kind, Registry, Strength, describe
from hsa_spec.conditions import parse, phrase
from hsa_spec.conditions.vocabulary import ATTRIBUTES, TERMS
from hsa_spec.conditions.vocabulary.words import Term
from tests.unit.spec.condition_texts import VOCABULARY, atoms


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("a == 1", "a is 1"),
        ("a != NULL", "a is not NULL"),
        ("a < TEN", "a is less than TEN"),
        ("a <= b", "a is at most b"),
        ("a > -2", "a is greater than -2"),
        ("a >= b + 1", "a is at least b plus 1"),
        ("a - b * 2 == 0", "a minus b times 2 is 0"),
        ("a & 3 != 0", "a bit-wise and 3 is not 0"),
        ("a % page_size() == 0", "a is a multiple of the page size"),
        ("a % page_size() != 0", "a is not a multiple of the page size"),
        ("a % 4 == 1", "the remainder of a divided by 4 is 1"),
        ("not a == 1", "a is not 1"),
        ("not a < 1", "a is at least 1"),
        ("not a % 4 == 0", "a is not a multiple of 4"),
        ("a in few_t", "a is a value of few_t"),
        ("a not in few_t", "a is not a value of few_t"),
        ("initialized()", "the runtime is initialised"),
        ("not initialized()", "the runtime is not initialised"),
        ("references() == 0", "the reference count of the runtime is 0"),
        ("is_agent(a)", "a is an agent"),
        ("not is_agent(a)", "a is not an agent"),
        ("pool(a).allocatable", "a allows allocation"),
        ("not pool(a).allocatable", "it is not so that a allows allocation"),
        ("a != reservation(b).size", "a is not the size of the range reserved at b"),
        ('agent(a).device == "gpu"', "the device type of a is gpu"),
        ('exhausted("memory")', "the machine has run out of memory"),
        ('not exhausted("memory")', "the machine has memory to spare"),
    ],
)
def test_phrase(text: str, english: str) -> None:
    """Each form of the language has its words."""
    assert english == phrase(parse(text, VOCABULARY))


@given(atoms())
def test_every_atom_has_words(text: str) -> None:
    """No placeholder is left, and two negations cancel out."""
    words = phrase(parse(text, VOCABULARY))
    assert words
    assert "{" not in words
    assert words == phrase(parse(f"not not {text}", VOCABULARY))
    assert words != phrase(parse(f"not {text}", VOCABULARY))


@pytest.mark.parametrize("term", TERMS.values(), ids=lambda t: t.name)
def test_term_reads_as_it_is_used(term: Term) -> None:
    """A term's words mention each argument, and a statement has words for its opposite."""
    marks = [f"<{p}>" for p in term.params]
    assert all(mark in term.english.format(*marks) for mark in marks)
    assert (term.result == "bool") == bool(term.negated)
    if term.negated:
        assert all(mark in term.negated.format(*marks) for mark in marks)


def test_attributes_mention_what_they_belong_to() -> None:
    """The words of an attribute have a place for the thing."""
    assert all("{0}" in english for english in ATTRIBUTES.values())


def test_sentence_of_a_clause(registry: Registry) -> None:
    """A clause reads as function, answer and conditions."""
    expected = (
        "hsa_amd_vmem_address_free answers HSA_STATUS_ERROR_INVALID_ARGUMENT when the runtime is "
        "initialised, and va is the start of a reserved range, and size is not the size of the "
        "range reserved at va."
    )
    assert expected == describe(registry.clauses["hsa_amd_vmem_address_free/size-differs"])


def test_sentence_names_every_allowed_status(registry: Registry) -> None:
    """Where several answers are right, all are named."""
    sentence = describe(registry.clauses["hsa_amd_vmem_map/flags"])
    assert "HSA_STATUS_SUCCESS or HSA_STATUS_ERROR_INVALID_ARGUMENT" in sentence


def test_sentence_ends_with_what_the_clause_adds(registry: Registry) -> None:
    """What a clause states besides its condition comes last."""
    clause = registry.clauses["hsa_iterate_agents/success"]
    assert describe(clause).endswith(f". {clause.states}")


def test_sentence_without_condition_is_what_the_clause_states(registry: Registry) -> None:
    """Effects, exports and undefined behaviour never 'answer always'."""
    for clause in registry.clauses.values():
        if clause.kind is not Kind.STATUS or not clause.when:
            assert clause.states == describe(clause)
    undefined = registry.clauses["hsa_shut_down/old-handles"]
    assert undefined.strength is Strength.UNDEFINED
    assert undefined.states == describe(replace(undefined, status=("HSA_STATUS_ERROR",)))
