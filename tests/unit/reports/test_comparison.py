"""What changed between runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports import APPLICABILITY, Run, ValueResult, Verdict
from hsa_reports.comparison import Comparison, Group
from hsa_reports.verdicts import BROKEN
from tests.unit.reports.comparison_samples import CLAUSES, compared, of_clause, run_of
from tests.unit.reports.report_samples import ENDED, STARTED, make_result, make_run

REGRESSED, WORSE, MILDER, FIXED = Group.REGRESSED, Group.WORSE, Group.MILDER, Group.FIXED
UNTRIED, TRIED, SAME, SUSPECT = Group.UNTRIED, Group.TRIED, Group.SAME, Group.SUSPECT


def test_the_same_run_twice_has_no_change() -> None:
    """Every verdict differs from no other where a run is held against itself."""
    comparison = compared(make_run(), make_run())
    assert ((), (), 29, 0) == (
        comparison.changes,
        comparison.partial,
        comparison.same,
        comparison.worse,
    )


@pytest.mark.parametrize(
    ("check", "imitation", "worse"),
    [
        pytest.param("satisfied", "virtual KFD, machine gfx90a", 1, id="the machine is the same"),
        pytest.param(APPLICABILITY, "virtual KFD, machine gfx90a", 0, id="another release"),
        pytest.param("satisfied", None, 0, id="machines that may be others"),
    ],
)
def test_what_held_is_worse_where_the_library_lists_nothing_for_it_any_more(
    check: str, imitation: str | None, worse: int
) -> None:
    """That no clause fails is no reason to take two builds for equal."""
    old, new = run_of("PASS", "PASS"), run_of("PASS", "NOT_APPLICABLE")
    results = tuple(replace(r, check=check) for r in new.results)
    old, new = (_imitated(run, imitation) for run in (old, replace(new, results=results)))
    comparison = compared(old, new)
    assert worse == comparison.worse
    assert [UNTRIED] * worse == [change.group for change in comparison.changes]


@pytest.mark.parametrize(
    ("check", "version", "group", "worse"),
    [
        pytest.param("threads", "0.2.0", Group.CHECKED, 0, id="a new suite makes it"),
        pytest.param("threads", "0.1.0", REGRESSED, 1, id="the library gave no cause for it"),
        pytest.param("satisfied", "0.2.0", REGRESSED, 1, id="both suites make it"),
    ],
)
def test_what_fails_a_check_that_nobody_made_before_did_not_get_worse(
    check: str, version: str, group: Group, worse: int
) -> None:
    """A library that did not change may fail what a newer suite looks for."""
    old, new = run_of("PASS", "PASS"), run_of("PASS", "FAIL")
    old = replace(old, results=tuple(replace(r, check="satisfied") for r in old.results))
    results = tuple(replace(r, check=check if r.failure else "satisfied") for r in new.results)
    started = replace(new.started, suite_version=version)
    comparison = compared(old, replace(new, started=started, results=results))
    assert "0.1.0" == old.started.suite_version
    assert [group] == [change.group for change in comparison.changes]
    assert worse == comparison.worse


def _imitated(run: Run, imitation: str | None) -> Run:
    subject = replace(run.started.subject, imitation=imitation)
    return replace(run, started=replace(run.started, subject=subject))


@pytest.mark.parametrize(
    ("verdicts", "group", "worse"),
    [
        ("PASS FAIL", REGRESSED, True),
        ("PASS WARN", REGRESSED, True),
        ("PASS XFAIL", REGRESSED, True),
        ("XPASS FLAKY", REGRESSED, True),
        ("UNDOCUMENTED XFAIL", WORSE, True),
        ("BLOCKED CRASH", REGRESSED, True),
        ("UNTESTED FAIL", REGRESSED, True),
        ("FAIL PASS", FIXED, False),
        ("WARN PASS", FIXED, False),
        ("PASS FRAGILE", REGRESSED, True),
        ("CRASH FRAGILE", MILDER, False),
        ("XFAIL XPASS", FIXED, False),
        ("FAIL CRASH", WORSE, True),
        ("WARN FAIL", WORSE, True),
        ("XFAIL FAIL", WORSE, True),
        ("PASS UNDOCUMENTED", REGRESSED, True),
        ("PASS BLOCKED", UNTRIED, True),
        ("XPASS VACUOUS", UNTRIED, True),
        ("PASS UNTESTED", UNTRIED, True),
        ("CRASH FAIL", MILDER, False),
        ("FAIL XFAIL", MILDER, False),
        ("FAIL BLOCKED", UNTRIED, False),
        ("UNDOCUMENTED PASS", FIXED, False),
        ("UNTESTED PASS", TRIED, False),
        ("UNTESTED BLOCKED", SAME, False),
        ("XPASS PASS", SAME, False),
        ("PASS XPASS", SAME, False),
    ],
)
def test_a_change_of_two_runs_has_a_group_and_may_be_worse(
    verdicts: str, group: Group, worse: bool
) -> None:
    """A word, and whether it speaks against the last run: what held and was not judged does."""
    [change] = of_clause(*verdicts.split()).changes
    assert (CLAUSES[1], group, worse) == (change.clause, change.group, change.worse)


@pytest.mark.parametrize(
    ("verdicts", "group", "worse"),
    [
        ("PASS FAIL PASS", SAME, False),
        ("PASS PASS FAIL", REGRESSED, True),
        ("FAIL PASS PASS", FIXED, False),
        ("NOT_APPLICABLE PASS CRASH", REGRESSED, True),
        ("IMITATED FAIL PASS NOT_RUN", FIXED, False),
    ],
)
def test_of_many_runs_the_first_and_the_last_that_can_tell_decide(
    verdicts: str, group: Group, worse: bool
) -> None:
    """Runs that cannot judge a clause are passed over; what comes between is listed alone."""
    [change] = of_clause(*verdicts.split()).changes
    assert (group, worse) == (change.group, change.worse)


def on_imitation(*failed: bool | None, machine: str = "gfx90a") -> Run:
    """Return a run whose clauses the same imitation decided: whether each failed there."""
    run = run_of("PASS", *("PASS" if f is None else "IMITATED" for f in failed))
    subject = replace(run.started.subject, imitation=machine)
    failure = make_result(CLAUSES[1], Verdict.FAIL).failure
    results = [run.results[0]]
    results += [
        replace(result, failure=failure if fails else None)
        for result, fails in zip(run.results[1:], failed, strict=True)
    ]
    started = replace(run.started, subject=subject)
    return replace(run, started=started, results=tuple(results))


@pytest.mark.parametrize(
    ("failed", "groups", "worse"),
    [
        ((False, True), [SUSPECT], 1),
        ((True, False), [FIXED], 0),
        ((False, True, False), [SAME], 0),
        ((False, False), [], 0),
        ((True, True), [], 0),
        ((None, True), [], 0),
    ],
)
def test_what_differs_on_one_imitation_comes_from_the_library(
    failed: tuple[bool | None, ...], groups: list[Group], worse: int
) -> None:
    """The same imitation decided in all runs, so a failure of the last one is the library's."""
    comparison = compared(*(on_imitation(each) for each in failed))
    assert (groups, worse) == ([c.group for c in comparison.changes], comparison.worse)


@pytest.mark.parametrize(
    ("libraries", "verdicts", "groups"),
    [
        (("one", "one"), ("PASS", "FAIL"), [Group.MACHINE]),
        (("one", "one"), ("XFAIL", "PASS"), [Group.MACHINE]),
        (("one", "one"), ("PASS", "PASS"), []),
        (("one", "one"), ("PASS", "IMITATED"), []),
        (("one", "one"), ("PASS", "UNTESTED"), []),
        (("one", "other"), ("XFAIL", "PASS"), [FIXED]),
        ((None, None), ("XFAIL", "PASS"), [FIXED]),
    ],
)
def test_one_library_has_one_verdict_on_every_imitation(
    libraries: tuple[str | None, str | None], verdicts: tuple[str, str], groups: list[Group]
) -> None:
    """What differs nevertheless is decided by the imitation, and each difference is worse."""
    runs = []
    for machine, library, verdict in zip(("gfx90a", "other"), libraries, verdicts, strict=True):
        run = run_of("PASS", verdict)
        subject = replace(run.started.subject, imitation=machine, build_id=library)
        runs.append(replace(run, started=replace(run.started, subject=subject)))
    comparison = Comparison(("usual", "other"), tuple(runs))
    assert groups == [change.group for change in comparison.changes]
    assert (Group.MACHINE in groups) == (comparison.worse > 0)


@pytest.mark.parametrize(
    ("library", "verdict", "agreed"),
    [("one", "PASS", 2), ("one", "UNTESTED", 1), (None, "PASS", 0)],
)
def test_what_imitations_agree_on_is_counted_for_one_library(
    library: str | None, verdict: str, agreed: int
) -> None:
    """Clauses count that were judged on each of them, with one verdict."""
    runs = [
        replace(run, started=replace(run.started, subject=subject))
        for machine, run in (("gfx90a", run_of("PASS", "PASS")), ("other", run_of("PASS", verdict)))
        for subject in [replace(run.started.subject, imitation=machine, build_id=library)]
    ]
    assert agreed == Comparison(("usual", "other"), tuple(runs)).agreed


def test_what_differs_on_two_imitations_says_nothing() -> None:
    """Another imitation may have brought the failure about."""
    comparison = compared(on_imitation(False), on_imitation(True, machine="gfx942-4"))
    assert ((), 0) == (comparison.changes, comparison.worse)


@pytest.mark.parametrize(
    ("verdicts", "kind"),
    [
        (("NOT_APPLICABLE", "CRASH"), "Applicable"),
        (("PASS", "IMITATED"), "Applicable"),
        (("NOT_RUN", "FAIL"), "Reached"),
        (("PASS", None), "Selected"),
        ((None, "NOT_APPLICABLE", "PASS"), "Selected"),
    ],
)
def test_what_only_some_runs_can_tell_is_counted_and_not_listed(
    verdicts: tuple[str | None, ...], kind: str
) -> None:
    """A clause that one run alone speaks of is no change."""
    comparison = of_clause(*verdicts)
    assert () == comparison.changes
    assert {kind: [CLAUSES[1]]} == {k: [c.clause for c in v] for k, v in comparison.partly.items()}


def test_every_clause_is_the_same_or_changed_or_partial() -> None:
    """No clause of any run is lost, and none is counted twice."""
    comparison = compared(
        run_of("PASS", "FAIL", "NOT_APPLICABLE", "PASS", None),
        run_of("PASS", "PASS", "NOT_APPLICABLE", "NOT_APPLICABLE", "CRASH"),
    )
    assert (2, 1, 2) == (comparison.same, len(comparison.changes), len(comparison.partial))
    assert 5 == len(comparison.clauses)


@pytest.mark.parametrize("verdict", sorted(BROKEN | {Verdict.XFAIL}))
def test_partial_clauses_that_fail_in_the_last_run_are_counted(verdict: str) -> None:
    """A new function that fails in any way is no change, and must not be overlooked either."""
    comparison = compared(
        run_of("PASS", "NOT_APPLICABLE", "FAIL"), run_of("PASS", verdict, "NOT_APPLICABLE")
    )
    assert 1 == comparison.failing_alone


def test_the_worst_changes_come_first() -> None:
    """What got worse is before what did not, the deadliest in front."""
    comparison = compared(
        run_of("PASS", "CRASH", "PASS", "PASS"), run_of("BLOCKED", "FAIL", "FAIL", "CRASH")
    )
    assert [CLAUSES[n] for n in (3, 2, 0, 1)] == [c.clause for c in comparison.changes]


def test_verdicts_of_some_clauses_are_counted_by_run() -> None:
    """Only verdicts that occur are counted, the worst first."""
    comparison = compared(
        run_of("PASS", "NOT_APPLICABLE", "NOT_APPLICABLE"), run_of("PASS", "PASS", "CRASH")
    )
    partial = comparison.partial
    assert {Verdict.NOT_APPLICABLE: 2} == comparison.counts_in(0, partial)
    assert [(Verdict.CRASH, 1), (Verdict.PASS, 1)] == [*comparison.counts_in(1, partial).items()]


def test_runs_without_a_clause_that_both_judge_show_nothing() -> None:
    """Two selections with nothing in common cannot be compared."""
    assert compared(run_of("PASS", None), run_of(None, "PASS")).shows_nothing
    assert compared(run_of("PASS"), run_of("UNTESTED")).shows_nothing
    assert not compared(run_of("PASS"), run_of("FAIL")).shows_nothing


def test_a_last_run_that_lost_the_runtime_shows_nothing() -> None:
    """What is judged without hsa_init says nothing about a runtime that worked before."""
    works, lost = run_of("PASS"), replace(run_of("PASS"), end=replace(ENDED, initialised=False))
    assert compared(works, lost).shows_nothing
    assert not compared(lost, works).shows_nothing
    assert not compared(lost, lost).shows_nothing


def test_what_held_and_was_not_reached_again_is_counted() -> None:
    """A run that was cut short does not show that what held before still does."""
    old = run_of("PASS", "PASS", "FAIL", "UNTESTED")
    new = run_of("PASS", "NOT_RUN", "NOT_RUN", "NOT_RUN")
    assert (1, 0) == (compared(old, new).unreached, compared(new, old).unreached)


def test_one_known_bad_value_hides_no_other() -> None:
    """Where a clause fails in both runs, a value that fails in the later one alone is a change."""

    def run(*bad: str) -> Run:
        tried = tuple(
            ValueResult("attribute", name, "failed" if name in bad else "judged")
            for name in ("A", "B")
        )
        whole = replace(make_result(CLAUSES[0], Verdict.PASS), values=tried)
        failed = make_result(CLAUSES[0], Verdict.FAIL)
        blamed = [replace(failed, value=f"attribute={name}") for name in bad]
        return make_run([whole, *blamed], started=replace(STARTED, clauses=CLAUSES[:1]))

    comparison = compared(run("A"), run("A", "B"))
    assert [(CLAUSES[0], "attribute=B", REGRESSED, True)] == [
        (c.clause, c.value, c.group, c.worse) for c in comparison.changes
    ]
    assert f"{CLAUSES[0]} with attribute=B" == comparison.changes[0].name
    assert () == compared(run("A"), run("A")).changes


def expecting(known: Verdict, got: str = "CRASH (SIGSEGV)") -> Run:
    """Return a run whose first clause passes, and whose second fails as its baseline says."""
    run = run_of("PASS", "XFAIL")
    first, second = run.results
    assert second.failure
    failure = replace(second.failure, got=got)
    return replace(run, results=(first, replace(second, known=known, failure=failure)))


@pytest.mark.parametrize(
    ("first", "last", "group"),
    [
        (Verdict.FAIL, Verdict.CRASH, WORSE),
        (Verdict.FRAGILE, Verdict.CRASH, WORSE),
        (Verdict.CRASH, Verdict.WARN, MILDER),
    ],
)
def test_expected_failures_of_different_kinds_differ(
    first: Verdict, last: Verdict, group: Group
) -> None:
    """What both runs expect may have become a crash."""
    [change] = compared(expecting(first), expecting(last)).changes
    assert (CLAUSES[1], group, group is WORSE) == (change.clause, change.group, change.worse)


def test_the_same_expected_failure_is_no_change() -> None:
    """Another signal is none: it may be chance."""
    comparison = compared(expecting(Verdict.CRASH), expecting(Verdict.CRASH, "CRASH (SIGABRT)"))
    assert () == comparison.changes


def test_a_failure_that_answers_another_status_is_told_and_not_worse() -> None:
    """Whether it is expected or not; a status in common is no change."""

    def answering(*statuses: str) -> Run:
        run = expecting(Verdict.FAIL, statuses[0])
        first, second = run.results
        assert second.failure
        more = [
            replace(second, check=status, failure=replace(second.failure, got=status))
            for status in statuses[1:]
        ]
        return replace(run, results=(first, second, *more))

    comparison = compared(answering("HSA_STATUS_SUCCESS"), answering("HSA_STATUS_ERROR"))
    [change] = comparison.changes
    assert (CLAUSES[1], Group.DIFFERENT, False) == (change.clause, change.group, change.worse)
    both = answering("HSA_STATUS_ERROR", "HSA_STATUS_SUCCESS")
    assert () == compared(answering("HSA_STATUS_SUCCESS"), both).changes


def test_values_that_are_expected_to_fail_in_different_ways_differ() -> None:
    """The clause has one verdict in both runs."""

    def crashing(known: Verdict, value: Verdict) -> Run:
        run = expecting(known)
        first, second = run.results
        return replace(run, results=(first, second, replace(second, known=value, value="a=b")))

    old, new = crashing(Verdict.CRASH, Verdict.FAIL), crashing(Verdict.CRASH, Verdict.CRASH)
    [change] = compared(old, new).changes
    assert (CLAUSES[1], "a=b", True) == (change.clause, change.value, change.worse)
    assert ("XFAIL (FAIL)", "XFAIL (CRASH SIGSEGV)") == change.labels
