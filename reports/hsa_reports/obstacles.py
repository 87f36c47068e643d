"""What stands in the way of clauses that are BLOCKED."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hsa_reports.result import Result
from hsa_reports.run import Run
from hsa_reports.verdicts import Verdict


@dataclass(frozen=True)
class Obstacle:
    """One function that clauses wait for.

    Attributes:
        function: its name.
        how: what is wrong with it, as the first of the clauses says.
        verdict: the verdict of the clause of it that broke; None where it was not selected.
        waiting: the ids of the clauses, in the order of the run.

    """

    function: str
    how: str
    verdict: Verdict | None
    waiting: tuple[str, ...]


def obstacles(run: Run) -> Sequence[Obstacle]:
    """Return what blocks clauses, that for which most of them wait first."""
    found: dict[str, list[str]] = {}
    causes: dict[str, tuple[str, str]] = {}
    for clause, cause, how in _blocked(run):
        function = cause.partition("/")[0]
        found.setdefault(function, []).append(clause)
        causes.setdefault(function, (cause, how))
    return sorted(
        (
            Obstacle(function, how, run.verdicts.get(cause), tuple(found[function]))
            for function, (cause, how) in causes.items()
        ),
        key=lambda obstacle: -len(obstacle.waiting),
    )


def blocking(run: Run, clause: str) -> Result | None:
    """Return the result of a clause that names what blocks it, None where none does."""
    return next((r for r in run.by_clause[clause] if r.blocked_by), None)


def _blocked(run: Run) -> Sequence[tuple[str, str, str]]:
    """Return the clauses that are BLOCKED, with the clause that broke, and how it did."""
    verdicts: Mapping[str, Verdict] = run.verdicts
    blocked = [c for c, verdict in verdicts.items() if verdict is Verdict.BLOCKED]
    first = {c: blocking(run, c) for c in blocked}
    return [
        (clause, result.blocked_by, (result.reason or "").partition(": ")[2])
        for clause, result in first.items()
        if result is not None and result.blocked_by
    ]
