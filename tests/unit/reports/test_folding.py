"""Several machines in a report: what they showed alike is said once."""

from __future__ import annotations

from dataclasses import replace

from hsa_reports import Failure, Result, ValueResult, Verdict
from hsa_reports.folding import folded

PASS = Result(
    "hsa_agent_get_info/name",
    "satisfied",
    Verdict.PASS,
    satisfied=3,
    calls=10,
    values=(
        ValueResult("agent", "gpu", "judged"),
        ValueResult("agent", "second gpu", "lacking", "one GPU"),
    ),
    machine="gfx90a",
)
FAIL = replace(
    PASS, verdict=Verdict.FAIL, reason="it broke", failure=Failure("it broke", (), "garbage", ())
)


def test_what_machines_show_alike_is_one_result() -> None:
    """Its counts are those of all, and a value counts where it could be tried."""
    other = replace(
        PASS, values=(ValueResult("agent", "second gpu", "judged"),), machine="gfx90a-2"
    )
    [result] = folded([PASS, other])
    assert (6, 20, "gfx90a; gfx90a-2") == (result.satisfied, result.calls, result.machine)
    assert {"gpu": "judged", "second gpu": "judged"} == {t.value: t.outcome for t in result.values}


def test_a_failure_names_all_machines_that_show_it() -> None:
    """The example is that of the first."""
    [result] = folded([FAIL, replace(FAIL, machine="gfx1100"), replace(FAIL, machine="apu")])
    assert "it broke; also on [gfx1100], [apu]" == result.reason
    assert FAIL.failure == result.failure


def test_what_machines_show_otherwise_stays_apart() -> None:
    """Verdict, value and check tell results apart."""
    others = [
        FAIL,
        replace(PASS, machine="gfx1100"),
        replace(FAIL, value="agent=gpu"),
        replace(FAIL, check="near miss"),
        replace(FAIL, cause="a-page"),
    ]
    assert [(r.verdict, r.machine) for r in folded(others)] == [
        (r.verdict, r.machine) for r in others
    ]


def test_results_of_a_single_machine_stay_as_they_are() -> None:
    """Two equal ones were found twice."""
    alone = replace(FAIL, machine=None)
    assert [alone, alone] == folded([alone, alone])
