"""The summary by topic."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports import Run, Verdict
from hsa_reports.by_topic import Outcome, by_topic, topic
from hsa_reports.run import UNKNOWN
from hsa_spec import Registry, load
from tests.unit.reports.report_samples import STARTED, make_result, make_run

CLAUSES = ("hsa_init/counts", "hsa_agent_get_info/no-agent", "hsa_amd_memory_pool_allocate/fits")


def found(*verdicts: Verdict) -> Run:
    """Return a run with a clause of three topics each, which have these verdicts."""
    results = [make_result(c, v) for c, v in zip(CLAUSES, verdicts, strict=True)]
    return make_run(results, started=replace(STARTED, clauses=CLAUSES))


def test_the_topic_with_the_worst_failures_comes_first(registry: Registry) -> None:
    """What ends the process is worse than what fails, and that than what warns."""
    rows = by_topic(found(Verdict.WARN, Verdict.FAIL, Verdict.FRAGILE), registry)
    assert ["amd/pools", "core/agents", "core/init"] == [row.topic for row in rows]


def test_an_expected_failure_counts_as_what_it_is(registry: Registry) -> None:
    expected = replace(make_result(CLAUSES[0], Verdict.XFAIL), known=Verdict.CRASH)
    [row] = by_topic(make_run([expected], started=replace(STARTED, clauses=CLAUSES[:1])), registry)
    assert row.counts[Outcome.DIES] == 1


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        (Verdict.HANG, Outcome.DIES),
        (Verdict.FLAKY, Outcome.FAILS),
        (Verdict.XPASS, Outcome.FAILS),
        (Verdict.UNDOCUMENTED, Outcome.WARNS),
        (Verdict.BLOCKED, Outcome.OPEN),
        (Verdict.IMITATED, Outcome.OPEN),
        (Verdict.PASS, Outcome.PASSES),
    ],
)
def test_every_verdict_that_can_be_judged_has_its_place(
    registry: Registry, verdict: Verdict, outcome: Outcome
) -> None:
    for row in by_topic(found(verdict, verdict, verdict), registry):
        assert {each for each, n in row.counts.items() if n} == {outcome}


@pytest.mark.parametrize("verdict", [Verdict.UNTESTED, Verdict.NOT_APPLICABLE])
def test_what_nothing_can_be_said_of_is_left_out(registry: Registry, verdict: Verdict) -> None:
    assert () == by_topic(found(verdict, verdict, verdict), registry)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("hsa_queue_create/success", "core/queues"),
        ("queue/anything", "rules/queue"),
        ("hsa_new/thing", UNKNOWN),
    ],
)
def test_a_clause_has_the_topic_of_its_function_or_rule(clause: str, expected: str) -> None:
    assert expected == topic(clause, load())
