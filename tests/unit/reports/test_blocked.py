"""What the reports say of clauses that are BLOCKED."""

from __future__ import annotations

from dataclasses import replace

from hsa_reports import Result, Verdict, render_html, render_markdown
from hsa_reports.cautions import warnings
from hsa_reports.obstacles import obstacles
from hsa_reports.result import ValueResult
from hsa_reports.run import Run
from hsa_spec import Registry
from tests.unit.reports.report_samples import STARTED, make_result, make_run

BROKEN = "hsa_signal_create/success"
WAITING = ("hsa_signal_destroy/success", "hsa_signal_wait_relaxed/success")
OTHER = "hsa_memory_free/success"
SAID = "2 clauses wait for hsa_signal_create (FAIL): answered HSA_STATUS_ERROR"


def waiting(clause: str, reason: str) -> Result:
    return replace(make_result(clause, Verdict.BLOCKED), reason=reason)


def a_run() -> Run:
    results = [
        waiting(OTHER, "hsa_memory_allocate/success: CRASH (SIGSEGV)"),
        make_result(BROKEN, Verdict.FAIL),
        *(waiting(clause, f"{BROKEN}: answered HSA_STATUS_ERROR") for clause in WAITING),
    ]
    return make_run(results, started=replace(STARTED, clauses=tuple(r.clause for r in results)))


def test_clauses_are_counted_by_the_function_that_they_wait_for() -> None:
    """The one for which most clauses wait comes first; one that was not selected says so."""
    assert [
        ("hsa_signal_create", Verdict.FAIL, WAITING),
        ("hsa_memory_allocate", None, (OTHER,)),
    ] == [(o.function, o.verdict, o.waiting) for o in obstacles(a_run())]


def test_a_clause_that_fails_as_well_waits_in_part(registry: Registry) -> None:
    """What one of its checks shows counts more than what another one could not reach."""
    clause = WAITING[0]
    results = [make_result(clause, Verdict.FAIL), waiting(clause, f"{BROKEN}: answered nothing")]
    run = make_run(results, started=replace(STARTED, clauses=(clause,)))
    assert [((), (clause,))] == [(o.waiting, o.partly) for o in obstacles(run)]
    said = "1 clause waits in part for hsa_signal_create (not selected): answered nothing"
    assert said in warnings(run, registry)


def test_a_value_that_cannot_be_tried_waits_in_part_by_the_name_of_the_finding(
    registry: Registry,
) -> None:
    """A clause that holds with other values is among those that wait."""
    untried = ValueResult("agent", "gpu2", "untried", f"{BROKEN}: answered HSA_STATUS_ERROR")
    lacking = ValueResult("agent", "dsp1", "lacking", f"{OTHER}: answered HSA_STATUS_ERROR")
    results = [
        replace(make_result(BROKEN, Verdict.XFAIL), cause="signals-refused"),
        replace(make_result(WAITING[0], Verdict.PASS), values=(untried, lacking)),
        waiting(WAITING[1], f"{BROKEN}: answered HSA_STATUS_ERROR"),
    ]
    run = make_run(results, started=replace(STARTED, clauses=tuple(r.clause for r in results)))
    said = "1 clause waits and 1 clause waits in part for hsa_signal_create"
    assert f"{said} (XFAIL, signals-refused): answered HSA_STATUS_ERROR" in warnings(run, registry)


def test_every_report_says_who_stands_in_the_way(registry: Registry) -> None:
    """Each function has a line of its own, with how it broke."""
    assert SAID in warnings(a_run(), registry)
    assert ("1 clause waits for hsa_memory_allocate (not selected): CRASH (SIGSEGV)") in warnings(
        a_run(), registry
    )
    assert SAID in render_html(a_run(), registry)
    assert "2 clauses wait for hsa" in render_markdown(a_run(), registry)
