"""The JSON summary of a run."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from hsa_reports import Run, Verdict, render_summary, summary_schema
from hsa_reports.verdicts import WORST_FIRST
from hsa_spec import Registry
from tests.unit.reports.report_samples import (
    FULL,
    HOSTILE,
    all_pass,
    hostile_run,
    make_result,
    make_results,
    make_run,
)

CRASHES = "hsa_amd_vmem_address_reserve/zero-size"


def summary(run: Run, registry: Registry) -> dict[str, Any]:
    """Return the document, held to its schema."""
    found: dict[str, Any] = json.loads(render_summary(run, registry))
    jsonschema.validate(found, summary_schema())
    return found


@pytest.mark.parametrize(
    "run", [make_run(), all_pass(), make_run(end=None), *map(hostile_run, HOSTILE.values())]
)
def test_the_document_follows_the_schema_and_strangers_do_not(registry: Registry, run: Run) -> None:
    found = summary(run, registry)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**found, "more": 1}, summary_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({k: v for k, v in found.items() if k != "known"}, summary_schema())


def test_clauses_are_counted_by_verdict_topic_and_strength(registry: Registry) -> None:
    """Each way to count them comes to the same sum."""
    found = summary(make_run(), registry)
    assert {str(v): list(FULL.values()).count(v) for v in WORST_FIRST} == found["verdicts"]
    assert {"CRASH": 1, "HANG": 1, "FAIL": 1} == {
        v: found["topics"]["amd/vmem"][v] for v in ("CRASH", "HANG", "FAIL")
    }
    for kind in ("topics", "strengths"):
        assert len(FULL) == sum(n for counts in found[kind].values() for n in counts.values())
    assert {"must", "should", "may"} == set(found["strengths"])


def test_a_failing_run_lists_its_findings_worst_first(registry: Registry) -> None:
    found = summary(make_run(), registry)
    first = found["findings"][0]
    assert (CRASHES, "amd/vmem", "must", "CRASH", "SIGSEGV") == tuple(
        first[key] for key in ("clause", "topic", "strength", "verdict", "got")
    )
    order = [WORST_FIRST.index(Verdict(each["verdict"])) for each in found["findings"]]
    assert sorted(order) == order
    assert (False, 1) == (found["passes"], found["exit_status"])


def test_an_expected_failure_has_its_real_verdict_and_cause(registry: Registry) -> None:
    known = replace(
        make_result(CRASHES, Verdict.CRASH),
        verdict=Verdict.XFAIL,
        known=Verdict.CRASH,
        cause="reserve-zero",
    )
    others = [result for result in make_results() if result.clause != CRASHES]
    found = summary(make_run([*others, known]), registry)
    assert {"CRASH": 1} == found["known"]
    [cause] = [each for each in found["causes"] if each["id"] == "reserve-zero"]
    assert (True, 1, {"CRASH": 1}) == tuple(cause[k] for k in ("expected", "clauses", "verdicts"))
    [finding] = [each for each in found["findings"] if each["clause"] == CRASHES]
    assert ("XFAIL", "CRASH", "reserve-zero", "SIGSEGV") == tuple(
        finding[key] for key in ("verdict", "known", "cause", "got")
    )


def test_a_run_that_passes_has_no_findings(registry: Registry) -> None:
    found = summary(all_pass(), registry)
    assert (True, 0, []) == (found["passes"], found["exit_status"], found["findings"])


def test_a_run_that_was_cut_short_has_no_status(registry: Registry) -> None:
    found = summary(make_run(end=None), registry)
    assert (None, None, False) == (found["exit_status"], found["finished"], found["passes"])
