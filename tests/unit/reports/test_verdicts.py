"""The order of the verdicts and what each counts as."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hsa_reports.verdicts import (
    FAILURES,
    JUDGED,
    OUTSIDE_PERCENTAGES,
    WORST_FIRST,
    Verdict,
    rank,
    worst,
)

verdicts = st.lists(st.sampled_from(Verdict))


def test_every_verdict_has_one_place_in_the_order() -> None:
    assert sorted(Verdict) == sorted(WORST_FIRST)
    assert len(Verdict) == len(WORST_FIRST)


def test_the_published_schema_has_the_same_verdicts() -> None:
    schema = json.loads(files("hsa_reports").joinpath("events.schema.json").read_text("utf-8"))
    assert list(WORST_FIRST) == schema["$defs"]["verdict"]["enum"]


@given(verdicts, st.randoms())
def test_the_worst_does_not_depend_on_the_order_of_the_results(
    found: list[Verdict], random: Random
) -> None:
    shuffled = random.sample(found, len(found))
    assert worst(found) == worst(shuffled)


@given(verdicts, verdicts)
def test_the_worst_of_parts_is_the_worst_of_all(one: list[Verdict], other: list[Verdict]) -> None:
    parts = [worst(part) for part in (one, other) if part]
    assert worst(one + other) == worst(parts)


@given(verdicts.filter(bool), st.sampled_from(Verdict))
def test_another_result_never_makes_a_clause_better(found: list[Verdict], more: Verdict) -> None:
    assert rank(worst([*found, more])) <= rank(worst(found))


@given(verdicts, st.booleans())
def test_a_failure_is_never_hidden_by_other_results(found: list[Verdict], strict: bool) -> None:
    failed = any(verdict.fails(strict=strict) for verdict in found)
    assert failed == worst(found).fails(strict=strict)


@given(verdicts)
def test_a_clause_passes_only_where_all_that_was_tried_passed(found: list[Verdict]) -> None:
    silent = {Verdict.UNTESTED, Verdict.NOT_APPLICABLE}
    expected = Verdict.PASS in found and set(found) <= silent | {Verdict.PASS}
    assert expected == (worst(found) is Verdict.PASS)


def test_a_clause_without_results_was_not_run() -> None:
    assert Verdict.NOT_RUN is worst([])


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("warning", [Verdict.WARN, Verdict.FRAGILE])
def test_a_warning_fails_a_strict_run_only(warning: Verdict, strict: bool) -> None:
    assert strict is warning.fails(strict=strict)


def test_what_fails_was_judged_and_is_in_the_percentages() -> None:
    assert FAILURES <= JUDGED
    assert not JUDGED & OUTSIDE_PERCENTAGES


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_has_a_meaning_in_words(verdict: Verdict) -> None:
    assert verdict.meaning
