"""Makes a finding of a clause that does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.judging import verdict
from hsa_reports.demands import Demand
from hsa_spec import Clause, DecidedBy


def breach(
    clause: Clause,
    summary: str,
    got: str,
    allowed: Mapping[str, Sequence[str]],
    *,
    demand: Demand | None = None,
    decided_by: DecidedBy | None = None,
    step_count: int | None = None,
    stated: bool = True,
) -> Violation:
    """Return the finding that a clause does not hold, with the verdict that the rule gives.

    Args:
        clause: the clause, which is blamed.
        summary: what is wrong, in a sentence.
        got: what was observed.
        allowed: each allowed answer with the clauses that allow it.
        demand: what the last step had to do, as far as a program can tell.
        decided_by: who decides what is wrong, where that is not whom the clause names.
        step_count: how many of the steps show it, where that is not all of them.
        stated: whether a text says in as many words that this is wrong.

    """
    found = verdict.of_breach(clause, stated=stated)
    return Violation(
        clause.id,
        found,
        summary,
        got,
        allowed,
        demand=demand,
        decided_by=decided_by,
        step_count=step_count,
    )
