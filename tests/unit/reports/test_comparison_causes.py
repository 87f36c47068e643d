"""The causes of failures that came or went between runs."""

from __future__ import annotations

import io
from dataclasses import replace

from hsa_reports import Explanation, Result, Run, Verdict
from hsa_reports.comparison import Comparison, render_markdown
from hsa_reports.comparison.causes import came, went
from hsa_reports.comparison.terminal import print_comparison
from hsa_reports.terminal import console
from hsa_spec import Registry
from tests.unit.reports.comparison_samples import CLAUSES, compared, run_of

PAGE = Explanation("a-page", "It is wrong", "It is quite wrong.")


def with_cause(run: Run, clause: str, cause: str) -> Run:
    """Return the run with the failure of a clause expected, for a cause."""

    def told(result: Result) -> Result:
        if result.clause != clause:
            return result
        return replace(result, verdict=Verdict.XFAIL, known=result.verdict, cause=cause)

    return replace(run, results=tuple(map(told, run.results)))


PASSES = run_of("PASS", "PASS")
FAILS = with_cause(run_of("PASS", "FAIL"), CLAUSES[1], "a-page")


def ids(comparison: Comparison) -> tuple[list[str], list[str]]:
    return [c.id for c in came(comparison)], [c.id for c in went(comparison)]


def test_a_cause_comes_with_its_first_failure_and_goes_with_its_last() -> None:
    """What runs between the first and the last show makes no difference."""
    assert (["a-page"], []) == ids(compared(PASSES, FAILS))
    assert ([], ["a-page"]) == ids(compared(FAILS, PASSES))
    assert ([], []) == ids(compared(PASSES, FAILS, PASSES))
    assert ([], []) == ids(compared(FAILS, FAILS))


def test_a_name_for_a_failure_is_no_other_cause() -> None:
    """One run has a baseline, and the other has none."""
    unnamed = run_of("PASS", "FAIL")
    assert ([], []) == ids(compared(unnamed, FAILS))
    assert ([], []) == ids(compared(FAILS, unnamed))


def test_a_cause_that_fails_another_clause_stays() -> None:
    """It was there before."""
    elsewhere = with_cause(run_of("FAIL", "PASS"), CLAUSES[0], "a-page")
    assert ([], []) == ids(compared(FAILS, elsewhere))


def test_what_a_run_could_not_show_is_no_news() -> None:
    absent = run_of("PASS", "NOT_APPLICABLE")
    assert ([], []) == ids(compared(absent, FAILS))
    assert ([], []) == ids(compared(FAILS, absent))


def test_terminal_and_markdown_list_what_came_and_what_went(registry: Registry) -> None:
    comparison = compared(PASSES, FAILS)
    stream = io.StringIO()
    print_comparison(comparison, registry, console(stream), {"a-page": PAGE})
    assert "Causes that came: 1\n  XFAIL (FAIL)  It is wrong (a-page)\n" in stream.getvalue()
    assert "Causes that went" not in stream.getvalue()
    text = render_markdown(comparison, registry, {"a-page": PAGE})
    assert "### Causes that came: 1\n\n- XFAIL (FAIL): It is wrong (`a-page`)\n" in text
