"""Which of the failures of a clause a program is made of."""

from __future__ import annotations

from hsa_reports import Failure, Result, Run
from hsa_reports.verdicts import rank


def failing(run: Run) -> dict[str, Result]:
    """Return a result for each clause that has a failure: what shows most with the fewest steps.

    One whose last step decides comes before one that only words describe.
    """
    found: dict[str, Result] = {}
    for clause, results in run.by_clause.items():
        broken = [(failure, r) for r in results for failure in _failure(r)]
        if broken:
            _, found[clause] = min(
                broken, key=lambda b: (b[0].demand is None, rank(b[1].verdict), len(b[0].steps))
            )
    return found


def _failure(result: Result) -> tuple[Failure, ...]:
    return () if result.failure is None else (result.failure,)
