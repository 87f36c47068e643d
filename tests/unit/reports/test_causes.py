"""The causes of a run's failures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports import (
    AllowedStatus,
    Explanation,
    Failure,
    Result,
    Step,
    Verdict,
    Weight,
    causes_of,
)
from hsa_reports.causes import BUILD_OPTION, WITHOUT_ASSERTIONS, Cause
from hsa_reports.failure import ASSERTED
from tests.unit.reports.report_samples import FULL, STARTED, make_run

PAGE = Explanation("a-page", "It is wrong", "It is quite wrong.", ("6.1.2",), Weight.STATUS)
RIGHT = AllowedStatus("HSA_STATUS_SUCCESS", ("hsa_init/success",))
REFUSED = AllowedStatus("HSA_STATUS_ERROR_INVALID_ARGUMENT", ("hsa_init/success",))
CLAUSES = list(FULL)


def failed(
    clause: str = CLAUSES[0],
    verdict: Verdict = Verdict.FAIL,
    got: str = "HSA_STATUS_ERROR",
    allowed: AllowedStatus = REFUSED,
    steps: int = 1,
) -> Result:
    calls = tuple(Step("process", "hsa_init()", got) for _ in range(steps))
    failure = Failure("it fails", calls, got, (allowed,), program="reproduce it")
    return Result(clause, "satisfied", verdict, failure=failure)


def expected(result: Result, cause: str | None = "a-page") -> Result:
    reason = f"known: it does ({cause})" if cause else "known: it does"
    return replace(result, verdict=Verdict.XFAIL, known=result.verdict, cause=cause, reason=reason)


def causes(*results: Result) -> tuple[Cause, ...]:
    return causes_of(make_run(list(results)), {"a-page": PAGE})


def test_what_a_baseline_names_is_one_cause_whatever_fails() -> None:
    [cause] = causes(
        expected(failed(CLAUSES[0])),
        expected(failed(CLAUSES[1], Verdict.CRASH, "CRASH (SIGSEGV)", steps=5)),
        expected(failed(CLAUSES[1], Verdict.CRASH, "CRASH (SIGSEGV)", steps=3)),
    )
    assert ("a-page", "It is wrong", True, True) == (
        cause.id,
        cause.title,
        cause.named,
        cause.expected,
    )
    assert {Verdict.CRASH: 1, Verdict.FAIL: 1} == cause.verdicts
    assert {"SIGSEGV": 1} == cause.ends
    assert 1 == cause.deaths
    assert cause.example.failure
    assert 3 == len(cause.example.failure.steps)


def test_a_cause_without_an_explanation_has_the_reason_of_the_baseline() -> None:
    """A baseline of one's own names causes that have no page."""
    [cause] = causes(expected(failed(), "of-our-own"))
    assert ("of-our-own", "it does", "it does") == (
        cause.id,
        cause.title,
        cause.explanation.paragraph,
    )


@pytest.mark.parametrize("known", [True, False])
def test_what_nobody_named_is_grouped_by_its_signature(known: bool) -> None:
    """Whether it is expected is no matter."""
    results = [failed(got="HSA_STATUS_ERROR"), failed(got="HSA_STATUS_SUCCESS")]
    both = [*results, replace(results[0], check="near miss")]
    found = causes(*(expected(r, None) if known else r for r in both))
    assert [2, 1] == sorted((len(cause.results) for cause in found), reverse=True)
    assert not any(cause.named for cause in found)
    assert all(cause.expected is known for cause in found)
    assert {(STARTED.subject.release,)} == {cause.explanation.releases for cause in found}


@pytest.mark.parametrize(
    "result",
    [
        Result(CLAUSES[0], "satisfied", v)
        for v in Verdict
        if v in ["PASS", "XPASS", "BLOCKED", "VACUOUS"]
    ]
    + [replace(failed(), verdict=Verdict.IMITATED)],
    ids=lambda result: result.verdict,
)
def test_what_is_no_failure_of_the_library_has_no_cause(result: Result) -> None:
    assert () == causes(result)


def test_the_heaviest_cause_comes_first() -> None:
    """The order of the results makes no difference."""
    heaviest_first = [
        failed(CLAUSES[0], Verdict.FRAGILE, "CRASH (SIGSEGV)", RIGHT),
        failed(CLAUSES[1], Verdict.CRASH, "CRASH (SIGABRT)"),
        failed(CLAUSES[2], Verdict.HANG, "HANG (30 s)"),
        failed(CLAUSES[3], Verdict.FAIL, "HSA_STATUS_ERROR", RIGHT),
        failed(CLAUSES[4], Verdict.FAIL, "HSA_STATUS_ERROR"),
        failed(CLAUSES[5], Verdict.FAIL, "HSA_STATUS_SUCCESS"),
        failed(CLAUSES[6], Verdict.FRAGILE, "CRASH (SIGSEGV)"),
        failed(CLAUSES[7], Verdict.WARN, "HSA_STATUS_ERROR", RIGHT),
        failed(CLAUSES[8], Verdict.UNDOCUMENTED, "HSA_STATUS_ERROR"),
    ]
    found = causes(*reversed(heaviest_first))
    assert heaviest_first == [cause.example for cause in found]
    assert causes(*heaviest_first) == found


@pytest.mark.parametrize("allowed", [RIGHT, REFUSED])
@pytest.mark.parametrize("known", [False, True])
def test_a_failed_assertion_is_a_build_option_of_little_weight(
    allowed: AllowedStatus, known: bool
) -> None:
    """Other builds lack it, so that it is no certain end of the process in correct use."""
    result = failed(verdict=Verdict.CRASH, got=f"CRASH (SIGABRT, {ASSERTED})", allowed=allowed)
    other = failed(CLAUSES[1], Verdict.CRASH, "CRASH (SIGABRT)", RIGHT)
    crash, cause = causes(expected(result, "of-our-own") if known else result, other)
    assert (Weight.ROBUSTNESS, BUILD_OPTION) == (cause.weight, cause.explanation.defect)
    assert cause.explanation.paragraph.endswith(f". {WITHOUT_ASSERTIONS}")
    assert (Weight.PROCESS, None) == (crash.weight, crash.explanation.defect)
    assert WITHOUT_ASSERTIONS not in crash.explanation.paragraph


def test_a_page_says_what_a_failed_assertion_weighs() -> None:
    """Somebody has looked what comes of it without assertions."""
    died = failed(verdict=Verdict.CRASH, got=f"CRASH (SIGABRT, {ASSERTED})")
    [cause] = causes(expected(died))
    assert (PAGE.weight, PAGE.defect) == (cause.weight, cause.explanation.defect)


def test_of_equals_the_cause_of_more_clauses_comes_first() -> None:
    one = expected(failed(CLAUSES[0]), "of-one")
    two = [expected(failed(clause), "of-two") for clause in CLAUSES[1:3]]
    assert ["of-two", "of-one"] == [cause.id for cause in causes(one, *two)]


def test_machines_are_those_that_show_it() -> None:
    results = [replace(failed(), machine=name) for name in ("gfx90a", "gfx1100")]
    [cause] = causes(*results)
    assert ("gfx90a", "gfx1100") == cause.machines
