"""Clauses that held in an earlier run of the same machine, and are not applicable any more."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_conformance.baselines import Baseline
from hsa_reports import APPLICABILITY, Result, Verdict
from hsa_reports.counting import clause_count


def losses(baseline: Baseline | None, machines: Sequence[str], results: Sequence[Result]) -> str:
    """Return how many clauses the library lists nothing for any more, in words; "" for none.

    Args:
        baseline: what the earlier run has shown, if there is one.
        machines: the imitated machines of this run.
        results: all results of this run.

    """
    if baseline is None or not machines or baseline.machines != tuple(machines):
        return ""
    judged = {r.clause for r in results if r.verdict is not Verdict.NOT_APPLICABLE}
    lacking = {r.clause for r in results if r.check != APPLICABILITY} - judged
    lost = sorted(lacking & baseline.held)
    if not lost:
        return ""
    return (
        f"{clause_count(len(lost))} held in {baseline.name}, and the library lists nothing for "
        f"{'it' if len(lost) == 1 else 'them'} any more, such as {lost[0]}"
    )
