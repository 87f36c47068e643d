"""The exit status that comes of what a run has found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hsa_conformance.baselines import Entry, KnownFailures
from hsa_conformance.runs.exit_status import Tally
from hsa_reports import Result, Verdict
from hsa_spec.releases import Release

README = Path(__file__).parents[3] / "README.md"
CREATE, MAP = "hsa_amd_vmem_handle_create", "hsa_amd_vmem_map"
FINE = Result("hsa_init/success", "satisfied", Verdict.PASS)
BLOCKED = Result(
    f"{MAP}/success", "satisfied", Verdict.BLOCKED, f"{CREATE}/success: answered HSA_STATUS_ERROR"
)


def end(
    *results: Result, expected: KnownFailures | None = None, strays: tuple[str, ...] = ()
) -> int:
    """Return the exit status of a run with these results, of an initialised runtime."""
    collected = {result.clause for result in (FINE, *results)}
    tally = Tally(False, [FINE, *results], set(strays), initialised=True, collected=collected)
    return tally.end(expected, excused=False).status


def entry(verdict: Verdict, got: str = "HSA_STATUS_ERROR") -> Entry:
    """Return a known failure of the function that creates memory."""
    return Entry(
        f"{CREATE}/success", verdict, got, Release(), None, "library", "it does", None, None
    )


def test_a_run_that_holds_answers_0() -> None:
    assert 0 == end()


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("verdict", Verdict)
def test_the_verdicts_that_make_a_run_fail_are_those_that_the_readme_names(
    verdict: Verdict, strict: bool
) -> None:
    """README has them in one sentence."""
    text = README.read_text(encoding="utf-8")
    found = re.search(r"^(.+) make the exit status 1; with `--strict` (.+) do too", text, re.M)
    assert found
    named = set(re.findall(r"[A-Z_]{4,}", f"{found[1]} {found[2] if strict else ''}"))
    assert len(named) == (7 if strict else 5)
    result = Result(f"{MAP}/success", "satisfied", verdict)
    tally = Tally(strict, [FINE, result], initialised=True, collected={FINE.clause, result.clause})
    assert (verdict in named) == (tally.end(None, excused=False).status == 1)


def test_a_clause_that_nothing_explains_why_it_is_blocked_answers_3() -> None:
    assert 3 == end(BLOCKED)


@pytest.mark.parametrize("verdict", [Verdict.FAIL, Verdict.WARN, Verdict.UNDOCUMENTED])
def test_a_clause_that_a_failing_function_blocks_answers_1(verdict: Verdict) -> None:
    assert 1 == end(BLOCKED, Result(f"{CREATE}/success", "satisfied", verdict))


def test_a_failure_that_was_not_selected_explains_a_block() -> None:
    assert 1 == end(BLOCKED, strays=(f"{CREATE}/size-zero",))


def test_a_pass_of_the_function_explains_no_block() -> None:
    assert 3 == end(BLOCKED, Result(f"{CREATE}/success", "satisfied", Verdict.PASS))


def test_a_known_failure_may_block() -> None:
    assert 0 == end(BLOCKED, Result(f"{CREATE}/success", "satisfied", Verdict.XFAIL))


def test_a_known_failure_of_another_clause_explains_no_block() -> None:
    assert 3 == end(BLOCKED, Result(f"{CREATE}/size-zero", "satisfied", Verdict.XFAIL))


def test_a_baseline_may_say_what_blocks() -> None:
    known = entry(Verdict.BLOCKED)
    expected = KnownFailures((known,), (known,))
    assert 0 == end(expected.as_expected(BLOCKED), expected=expected)
    assert "; known: it does" in (expected.as_expected(BLOCKED).reason or "")


@pytest.mark.parametrize("known", [entry(Verdict.BLOCKED, "SIGSEGV"), entry(Verdict.FAIL)])
def test_a_baseline_that_says_something_else_explains_no_block(known: Entry) -> None:
    assert 3 == end(BLOCKED, expected=KnownFailures((known,), (known,)))


def test_what_is_blocked_no_more_is_told_where_everything_was_tried() -> None:
    known = entry(Verdict.BLOCKED)
    expected = KnownFailures((known,), (known,))
    [(_, surprise)] = expected.absent_failures([FINE], set(), everything=True)
    assert (known.clause, Verdict.XPASS) == (surprise.clause, surprise.verdict)
    assert [] == list(expected.absent_failures([FINE, BLOCKED], set(), everything=True))
    assert [] == list(expected.absent_failures([FINE], {known.clause}))


def test_a_clause_without_a_result_answers_3() -> None:
    tally = Tally(False, [FINE], initialised=True, collected={FINE.clause, BLOCKED.clause})
    found = tally.end(None, excused=False)
    assert (3, True) == (found.status, "1 clause was never reached" in found.why)


def test_a_failure_goes_before_what_was_left_undone() -> None:
    broken = Result(f"{MAP}/size-larger", "satisfied", Verdict.FAIL)
    assert 1 == end(BLOCKED, broken)


def test_a_run_that_judged_nothing_answers_3() -> None:
    tally = Tally(False)
    assert 3 == tally.end(None, excused=False).status
    assert 0 == tally.end(None, excused=True).status
