"""Which of the failures of a clause a program is made of."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from hsa_reports import Failure, Result, Run
from hsa_reports.verdicts import rank


def failing(run: Run) -> dict[str, Result]:
    """Return a result for each clause that has a failure: what shows most with the fewest steps.

    One whose last step decides comes before one that only words describe.
    """
    found = ((clause, _plainest(results)) for clause, results in run.by_clause.items())
    return {clause: result for clause, result in found if result is not None}


def failing_values(run: Run) -> dict[str, Result]:
    """Return such a result for each value that a failure depends on, by clause and value."""
    found: dict[str, list[Result]] = {}
    for result in chain.from_iterable(run.by_clause.values()):
        if result.value is not None:
            found.setdefault(result.name, []).append(result)
    plainest = ((name, _plainest(results)) for name, results in found.items())
    return {name: result for name, result in plainest if result is not None}


def _plainest(results: Iterable[Result]) -> Result | None:
    broken = [(failure, r) for r in results for failure in _failure(r)]
    if not broken:
        return None
    _, found = min(broken, key=lambda b: (b[0].demand is None, rank(b[1].verdict), len(b[0].steps)))
    return found


def _failure(result: Result) -> tuple[Failure, ...]:
    return () if result.failure is None else (result.failure,)
