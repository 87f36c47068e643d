"""What is said of a comparison."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hsa_reports import Run, RunEnded, Verdict
from hsa_reports.comparison import Comparison
from hsa_reports.comparison.words import (
    chain,
    counts,
    dying,
    growth,
    headline,
    latest,
    left_out,
    notes,
    reproduce,
)
from hsa_spec import Registry
from tests.unit.reports.comparison_samples import built, compared, of_clause, run_of
from tests.unit.reports.report_samples import ENDED, STARTED, SUBJECT, make_run


def started(run: Run, **changes: Any) -> Run:
    return replace(run, started=replace(run.started, **changes))


@pytest.mark.parametrize(
    ("comparison", "tone", "text"),
    [
        (of_clause("PASS", "PASS"), "good", "No difference: same verdict in both runs for "),
        (of_clause("PASS", "PASS", "PASS"), "good", "same verdict in all 3 runs for 2 clauses."),
        (
            of_clause("PASS", "NOT_APPLICABLE"),
            "good",
            "No clause that can be compared differs: same verdict in both runs for 1 clause.",
        ),
        (
            of_clause("NOT_APPLICABLE", "CRASH"),
            "open",
            "for 1 clause. Not compared, but failing in new: 1 clause.",
        ),
        (of_clause("FAIL", "PASS"), "good", "No clause got worse from old to new: 1 fixed."),
        (of_clause("CRASH", "FAIL"), "good", "from old to new: 1 milder."),
        (of_clause("PASS", "FAIL"), "bad", "1 clause got worse from old to new (1 regressed)."),
        (
            compared(run_of("PASS", "FAIL", "WARN"), run_of("FAIL", "CRASH", "PASS")),
            "bad",
            "2 clauses got worse from old to new (1 regressed, 1 worse); 1 fixed.",
        ),
        (
            of_clause("PASS", "NOT_RUN"),
            "nothing",
            "NOT ALL WAS COMPARED: new did not reach 1 clause that held before.",
        ),
        (compared(run_of("PASS"), run_of(None, "PASS")), "nothing", "NOTHING WAS COMPARED: old"),
    ],
)
def test_the_headline_claims_no_more_than_was_compared(
    comparison: Comparison, tone: str, text: str
) -> None:
    """Worse comes first; then what could not be compared; then what did not change."""
    head = headline(comparison)
    assert tone == head.tone
    assert text in head.text


def test_runs_under_the_same_conditions_need_no_note(registry: Registry) -> None:
    """Nothing is said where nothing has to be known."""
    assert () == notes(compared(make_run(), make_run()), replace(registry, digest="sha256:5eed"))


@pytest.mark.parametrize(
    ("build_id", "notes_expected"),
    [
        ("8f3a6c1f0d7e44b2", ("The same build in all runs (build id 8f3a6c1f0d7e44b2).",)),
        (None, ()),
    ],
)
def test_runs_of_one_build_are_told(
    registry: Registry, build_id: str | None, notes_expected: tuple[str, ...]
) -> None:
    """Who forgot to build again must not read that nothing changed."""
    run = built(make_run(), build_id)
    comparison = Comparison(("old", "new"), (run, run))
    assert notes_expected == notes(comparison, replace(registry, digest="sha256:5eed"))


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        (
            {"registry_digest": "sha256:other"},
            "Different registry digests: sha256:5eed (old); sha256:other (new). A clause may",
        ),
        ({"profile": "full"}, "Different profiles: quick (old); full (new). More examples"),
        ({"seed": 7}, "Different seeds: chosen by the run (old); 7 (new). Other examples"),
        ({"suite_version": "0.2"}, "Different suite versions: 0.1.0 (old); 0.2 (new). A clause"),
        (
            {"subject": replace(SUBJECT, imitation="virtual KFD, machine gfx90a")},
            "Different imitations of the driver: none (old); virtual KFD, machine gfx90a (new).",
        ),
    ],
)
def test_different_conditions_are_told(registry: Registry, changes: Any, note: str) -> None:
    """Runs that were made in another way are compared, and the reader is told."""
    found = notes(compared(make_run(), started(make_run(), **changes)), registry)
    assert [] != [text for text in found if text.startswith(note)]


def test_runs_with_the_same_value_are_named_together(registry: Registry) -> None:
    """A note names each value once."""
    runs = (make_run(), started(make_run(), seed=1), make_run())
    expected = "Different seeds: chosen by the run (r1, r3); 1 (r2). Other examples find other"
    assert notes(compared(*runs), registry)[0].startswith(expected)


@pytest.mark.parametrize(
    ("end", "note"),
    [
        (None, "new: The run was cut short: clauses without a result are NOT_RUN."),
        (
            replace(ENDED, initialised=False),
            "new: Nothing was judged in an initialised runtime.",
        ),
        (
            replace(ENDED, exit_status=3, summary="no child"),
            "new: The run ended with exit status 3: no child",
        ),
    ],
)
def test_a_run_in_trouble_is_told_by_name(
    registry: Registry, end: RunEnded | None, note: str
) -> None:
    """A run that did not come to a good end says so before its verdicts."""
    assert (note,) == notes(compared(make_run(), make_run(end=end)), registry)


def test_runs_that_look_swapped_are_told(registry: Registry) -> None:
    """A run that had ended before the one named ahead of it was started is probably the older."""
    late = STARTED.started + timedelta(days=1)
    later = started(make_run(end=replace(ENDED, finished=late)), started=late)
    expected = ("new ran before old, but is compared as the later one.",)
    assert expected == notes(compared(later, make_run()), registry)
    assert () == notes(compared(make_run(), later), registry)


def test_what_is_left_out_is_counted_by_run_and_verdict() -> None:
    """One sentence for each reason."""
    comparison = compared(run_of("PASS", "NOT_APPLICABLE", None), run_of("PASS", "CRASH", "PASS"))
    assert (
        "Applicable only in some runs, so not compared: 1 clause "
        "(old: 1 NOT_APPLICABLE; new: 1 CRASH).",
        "Selected only in some runs, so not compared: 1 clause (old: none; new: 1 PASS).",
    ) == left_out(comparison)


def test_a_chain_shows_every_run() -> None:
    """The oldest run comes first, and a run that did not select the clause says so."""
    [change] = of_clause("PASS", None, "NOT_APPLICABLE", "FAIL").changes
    assert "PASS -> not selected -> NOT_APPLICABLE -> FAIL" == chain(change, "->")


def test_a_chain_has_the_real_verdict_of_an_expected_failure() -> None:
    """And the signal, so that a crash does not look like a wrong status."""
    old, new = run_of("PASS", "XFAIL"), run_of("PASS", "PASS")
    [_, found] = old.results
    assert found.failure
    failure = replace(found.failure, got="CRASH (SIGSEGV)")
    found = replace(found, known=Verdict.FRAGILE, failure=failure)
    [change] = compared(replace(old, results=(old.results[0], found)), new).changes
    assert "XFAIL (FRAGILE SIGSEGV) -> PASS" == chain(change, "->")


def test_what_ends_the_process_is_counted_in_each_run() -> None:
    assert (0, 2) == dying(compared(run_of("PASS", "PASS"), run_of("CRASH", "HANG")))


def test_only_verdicts_that_occur_are_counted() -> None:
    """A row has one number for each run, and how it grew from the first to the last."""
    found = counts(compared(run_of("PASS", "PASS"), run_of("PASS", "FAIL"), run_of("PASS")))
    assert {"FAIL": (0, 1, 0), "PASS": (2, 1, 1)} == found
    assert ["", "-1", "+2"] == [growth(row) for row in ((0, 1, 0), (2, 1, 1), (1, 3))]


def test_the_reason_comes_from_the_last_run_that_can_tell() -> None:
    """A run in which the clause is not applicable explains nothing."""
    comparison = of_clause("PASS", "CRASH", "NOT_APPLICABLE")
    [change] = comparison.changes
    name, run = latest(comparison, change)
    assert ("r2", comparison.runs[1]) == (name, run)
    assert (reproduce(run, change.clause) or "").startswith("hsa-conformance reproduce")
    assert None is reproduce(comparison.runs[0], change.clause)
