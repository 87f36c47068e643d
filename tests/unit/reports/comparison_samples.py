"""Small runs to hold against each other."""

from __future__ import annotations

from dataclasses import replace

from hsa_reports import Run, Verdict
from hsa_reports.comparison import Comparison
from tests.unit.reports.report_samples import ENDED, FULL, STARTED, make_result, make_run

CLAUSES = tuple(FULL)


def run_of(*verdicts: str | None) -> Run:
    """Return a run whose first clauses have these verdicts; None: the run did not select it."""
    found = {c: Verdict(v) for c, v in zip(CLAUSES, verdicts, strict=False) if v is not None}
    results = [make_result(c, v) for c, v in found.items() if v is not Verdict.NOT_RUN]
    return make_run(results, started=replace(STARTED, clauses=tuple(found)), end=ENDED)


def built(run: Run, build_id: str | None) -> Run:
    """Return the run as one of another build."""
    subject = replace(run.started.subject, build_id=build_id)
    return replace(run, started=replace(run.started, subject=subject))


def compared(*runs: Run) -> Comparison:
    """Return the comparison of builds named old, new, or r1, r2, ... where they are more."""
    same = len({run.started.subject.build_id for run in runs}) == 1
    runs = tuple(built(run, f"{n:040x}") if same else run for n, run in enumerate(runs))
    names = ("old", "new") if len(runs) == 2 else tuple(f"r{n + 1}" for n in range(len(runs)))
    return Comparison(names, runs)


def of_clause(*verdicts: str | None) -> Comparison:
    """Return the comparison of runs in which the second clause has these verdicts in turn.

    The first clause passes in all of them.
    """
    return compared(*(run_of("PASS", verdict) for verdict in verdicts))
