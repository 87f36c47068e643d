"""Turns the campaign's results into the events of the reports."""

from __future__ import annotations

import hsa_reports
from hsa_conformance.campaign import Failure, Result
from hsa_reports import Verdict
from hsa_reports.actions import Refuse


def to_event(result: Result, reproduce: str, program: str | None) -> hsa_reports.Result:
    """Return a result as an event of the run.

    Args:
        result: what a check found.
        reproduce: the command that shows a failure again.
        program: the command that makes a program of it; None where no event file is written, and
            left out where the driver was made to fail, which no program can do.

    """
    return hsa_reports.Result(
        clause=result.clause,
        check=result.check,
        verdict=Verdict(result.verdict),
        reason=result.reason,
        satisfied=result.counts.satisfied,
        near_misses=result.counts.near_misses,
        discarded=result.counts.discarded,
        calls=result.counts.calls,
        seconds=round(result.seconds, 4),
        failure=_failure(result.failure, reproduce, program) if result.failure else None,
    )


def _failure(failure: Failure, reproduce: str, program: str | None) -> hsa_reports.Failure:
    violation = failure.violation
    return hsa_reports.Failure(
        summary=violation.summary,
        steps=tuple(hsa_reports.Step(s.process, s.call, s.result, s.action) for s in failure.steps),
        got=violation.got,
        allowed=tuple(
            hsa_reports.Allowed(status, tuple(clauses))
            for status, clauses in violation.allowed.items()
        ),
        detail=violation.detail,
        stderr=violation.stderr,
        seen=violation.seen,
        reproduce=reproduce,
        demand=violation.demand,
        program=None if any(isinstance(s.action, Refuse) for s in failure.steps) else program,
    )
