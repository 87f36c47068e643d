"""Runs for the tests of baselines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from hsa_reports import Failure, Result, Run, RunEnded, RunStarted, Subject, ValueResult, Verdict
from hsa_spec import load

FUNCTION = "hsa_shut_down"
CLAUSE = f"{FUNCTION}/success"
OTHER = f"{FUNCTION}/not-initialized"
MACHINES = "virtual KFD, machine gfx90a"
NOW = datetime(2024, 1, 1, tzinfo=UTC)


def failing(
    clause: str = CLAUSE,
    verdict: Verdict = Verdict.CRASH,
    got: str = "CRASH (SIGSEGV)",
    value: str | None = None,
    machine: str | None = None,
) -> Result:
    """Return a result that shows a failure."""
    failure = Failure(f"it shows {got}", (), got, ())
    return Result(
        clause, "check", verdict, failure.summary, failure=failure, value=value, machine=machine
    )


def passing(clause: str = CLAUSE, *values: str, machine: str | None = None) -> Result:
    """Return a result that shows none, after some values were tried."""
    pairs = (value.split("=", 1) for value in values)
    tried = tuple(ValueResult(axis, name, "judged") for axis, name in pairs)
    return Result(clause, "check", Verdict.PASS, values=tried, machine=machine)


def expected(result: Result) -> Result:
    """Return a failure as a baseline sees it that knows it."""
    return replace(result, verdict=Verdict.XFAIL, known=result.verdict, reason="known: it is")


def run(
    *results: Result,
    release: str | None = "ROCm 6.1.2, interface 1.4",
    imitation: str | None = MACHINES,
    select: Iterable[str] | None = None,
    command: tuple[str, ...] = ("hsa-conformance", "run"),
) -> Run:
    """Return a run of all clauses of a function."""
    clauses = [c.id for c in load().functions[FUNCTION].clauses] if select is None else select
    subject = Subject(
        "library", "library", "lib.so", None, release, "said", {}, False, (), None, imitation
    )
    started = RunStarted("1", "sha256:0", NOW, command, "quick", 0, False, subject, tuple(clauses))
    return Run(started, results, (), RunEnded(NOW, 0, True, "done"))
