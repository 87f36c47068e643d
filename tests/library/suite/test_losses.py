"""Clauses that held in an earlier run, and that a library lists nothing for any more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_conformance.baselines.earlier import of_run
from hsa_conformance.runs.exit_status import FAILED, PASSED, Tally
from hsa_conformance.runs.losses import losses
from hsa_reports import APPLICABILITY, Result, Run, Verdict
from hsa_reports.subject import virtual_kfd
from hsa_spec import Registry
from tests.unit.reports.report_samples import STARTED, make_result

HELD, OTHER = "hsa_init/success", "hsa_shut_down/success"
GONE = make_result(HELD, Verdict.NOT_APPLICABLE, "satisfied")


def _earlier(*machines: str) -> Run:
    subject = replace(STARTED.subject, imitation=virtual_kfd(machines))
    started = replace(STARTED, subject=subject, clauses=(HELD, OTHER))
    found = (make_result(HELD, Verdict.PASS), make_result(OTHER, Verdict.FAIL))
    return Run(started, found, (), None)


@pytest.mark.parametrize(
    ("machines", "found", "lost"),
    [
        pytest.param(["gfx90a"], [GONE], True, id="lost"),
        pytest.param(["gfx1100"], [GONE], False, id="another machine"),
        pytest.param([], [GONE], False, id="a real machine, which may be another one"),
        pytest.param(["gfx90a"], [replace(GONE, check=APPLICABILITY)], False, id="not offered"),
        pytest.param(["gfx90a"], [replace(GONE, clause=OTHER)], False, id="it failed before"),
        pytest.param(
            ["gfx90a"], [GONE, replace(GONE, verdict=Verdict.PASS)], False, id="judged elsewhere"
        ),
    ],
)
def test_what_held_and_is_not_judged_any_more_fails_the_run(
    registry: Registry, machines: list[str], found: list[Result], lost: bool
) -> None:
    """It is said once for all clauses, and no clause fails for it."""
    words = losses(of_run(_earlier("gfx90a"), "before", registry), machines, found)
    told = f"1 clause held in before, and the library lists nothing for it any more, such as {HELD}"
    assert (told if lost else "") == words
    judged = make_result(OTHER, Verdict.PASS)
    tally = Tally(strict=False, results=[*found, judged], initialised=True)
    end = tally.end(None, excused=False, lost=words)
    assert (FAILED if lost else PASSED, lost) == (end.status, words != "" and words in end.why)
