"""Which of the failures of a clause a program is made of."""

from __future__ import annotations

from hsa_reports import Failure, Run
from hsa_reports.verdicts import rank


def failing(run: Run) -> dict[str, Failure]:
    """Return a failure for each clause that has one: the one that shows most with the fewest steps.

    One whose last step decides comes before one that only words describe.
    """
    found: dict[str, Failure] = {}
    for clause, results in run.by_clause.items():
        broken = [(r.verdict, r.failure) for r in results if r.failure is not None]
        if broken:
            _, found[clause] = min(
                broken, key=lambda b: (b[1].demand is None, rank(b[0]), len(b[1].steps))
            )
    return found
