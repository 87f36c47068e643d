"""What stands in the way of clauses that are BLOCKED."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hsa_reports.result import Result, ValueResult
from hsa_reports.run import Run
from hsa_reports.verdicts import Verdict


@dataclass(frozen=True)
class Obstacle:
    """One function that clauses wait for.

    Attributes:
        function: its name.
        how: what is wrong with it, as the first of the clauses says.
        verdict: the verdict of the clause of it that broke; None where it was not selected.
        finding: the permanent id of its cause, where a baseline names one.
        waiting: the ids of the clauses, in the order of the run.
        partly: those of which another check, value or machine was judged.

    """

    function: str
    how: str
    verdict: Verdict | None
    finding: str | None
    waiting: tuple[str, ...]
    partly: tuple[str, ...]


def obstacles(run: Run) -> Sequence[Obstacle]:
    """Return what blocks clauses, that for which most of them wait first."""
    found: dict[str, list[str]] = {}
    causes: dict[str, tuple[str, str]] = {}
    for clause, cause, how in _blocked(run):
        function = cause.partition("/")[0]
        found.setdefault(function, []).append(clause)
        causes.setdefault(function, (cause, how))
    wholly = {c for c, verdict in run.verdicts.items() if verdict is Verdict.BLOCKED}
    return sorted(
        (
            Obstacle(
                function,
                how,
                run.verdicts.get(cause),
                next((r.cause for r in run.by_clause.get(cause, ()) if r.cause), None),
                tuple(clause for clause in found[function] if clause in wholly),
                tuple(clause for clause in found[function] if clause not in wholly),
            )
            for function, (cause, how) in causes.items()
        ),
        key=lambda obstacle: (-len(obstacle.waiting), -len(obstacle.partly)),
    )


def blocking(run: Run, clause: str) -> Result | None:
    """Return the result of a clause that names what blocks it, None where none does."""
    return next((r for r in run.by_clause[clause] if r.blocked_by), None)


def _blocked(run: Run) -> Iterator[tuple[str, str, str]]:
    """Yield what is BLOCKED, or a part of it: its clause, the clause that broke, and how it did."""
    for clause, results in run.by_clause.items():
        parts: list[Result | ValueResult] = [*results, *(v for r in results for v in r.values)]
        for part in parts:
            if part.blocked_by:
                yield clause, part.blocked_by, (part.reason or "").partition(": ")[2]
                break
