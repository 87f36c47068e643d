"""Who is blamed for a mistake, by the runs of a library with it and without it."""

from __future__ import annotations

from dataclasses import replace

from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.unit.reports.report_samples import STARTED, make_failure, make_result, make_run
from tests.wrong.blame import fate_of
from tests.wrong.fates import Fate, Mistake, Outcome

GUILTY, OTHER = "hsa_init/success", "hsa_shut_down/not-initialized"
MISTAKE = Mistake("toys", "locks", "no lock", {"hsa_init"})


def judged(registry: Registry, *results: Result, before: Result | None = None) -> Fate:
    """Return the fate of a mistake by results; without it all pass, but for `before`."""
    started = replace(STARTED, clauses=(GUILTY, OTHER))
    passing = [make_result(clause, Verdict.PASS) for clause in (GUILTY, OTHER)]
    right = [before if before and before.clause == r.clause else r for r in passing]
    without = make_run(right, started=started)
    return fate_of(MISTAKE, make_run([*results], started=started), without, registry)


def test_a_clause_of_a_guilty_function_that_fails_blames_it(registry: Registry) -> None:
    found = judged(registry, make_result(GUILTY, Verdict.WARN), make_result(OTHER, Verdict.PASS))
    assert MISTAKE.fate(Outcome.BLAMED, {GUILTY: "WARN"}) == found


def test_a_clause_of_another_function_that_fails_is_no_blame(registry: Registry) -> None:
    """Even if one of a guilty function fails, too."""
    for verdict, by in ((Verdict.FAIL, {GUILTY: "FAIL"}), (Verdict.PASS, {})):
        found = judged(registry, make_result(GUILTY, verdict), make_result(OTHER, Verdict.FAIL))
        assert MISTAKE.fate(Outcome.SURVIVED, by, {OTHER: "FAIL"}, "others blamed") == found


def test_a_library_that_looks_right_has_a_survivor(registry: Registry) -> None:
    found = judged(registry, make_result(GUILTY, Verdict.PASS), make_result(OTHER, Verdict.PASS))
    assert MISTAKE.fate(Outcome.SURVIVED, why="not noticed") == found


def test_a_clause_that_is_no_longer_judged_is_named(registry: Registry) -> None:
    found = judged(registry, make_result(GUILTY, Verdict.FAIL), make_result(OTHER, Verdict.VACUOUS))
    assert MISTAKE.fate(Outcome.BLAMED, {GUILTY: "FAIL"}, {OTHER: "VACUOUS"}) == found


def test_a_clause_that_keeps_others_from_being_judged_is_weaker_than_blame(
    registry: Registry,
) -> None:
    blocked = replace(make_result(OTHER, Verdict.BLOCKED), reason=f"{GUILTY}: a call failed")
    found = judged(registry, make_result(GUILTY, Verdict.PASS), blocked)
    assert MISTAKE.fate(Outcome.BLOCKED, {GUILTY: "BLOCKED"}, {OTHER: "BLOCKED"}) == found


def test_a_verdict_from_before_is_not_blamed_on_the_mistake(registry: Registry) -> None:
    imitated = replace(
        make_result(GUILTY, Verdict.IMITATED), failure=make_failure(GUILTY, Verdict.FAIL)
    )
    found = judged(registry, imitated, make_result(OTHER, Verdict.PASS), before=imitated)
    assert (Outcome.SURVIVED, "not noticed") == (found.outcome, found.why)
    found = judged(registry, imitated, make_result(OTHER, Verdict.PASS))
    assert MISTAKE.fate(Outcome.IMITATED, {GUILTY: "IMITATED"}, {GUILTY: "IMITATED"}) == found
