"""What results mean of a clause that another one may stand in for, as the version is unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from hsa_reports import Result, Verdict, worst
from hsa_reports.verdicts import rank
from hsa_spec import Clause, Kind

_BROKEN: Final = (Verdict.FAIL, Verdict.WARN)


def either(
    clause: Clause,
    results: Sequence[Result],
    others: Sequence[Clause],
    judge: Callable[[Clause], Sequence[Result]],
) -> list[Result]:
    """Return the results of a clause that may not be in force.

    What no clause allows is a finding. What only some of them allow is UNTESTED: nobody knows which
    of them is in force. What all allow is PASS.

    Args:
        clause: the clause.
        results: those of its checks; of a status, held against what all of the clauses allow.
        others: the clauses that are in force where it is not.
        judge: returns the results of one of those; asked for effects.

    """
    found = worst(r.verdict for r in results)
    if clause.kind is Kind.STATUS:
        widest = all(set(other.status) <= set(clause.status) for other in others)
        return list(results) if widest else [_undecided(r, clause, others) for r in results]
    if found not in (Verdict.PASS, *_BROKEN):
        return list(results)
    all_results = [results, *(judge(other) for other in others)]
    verdicts = [worst(r.verdict for r in each) for each in all_results]
    if all(v is Verdict.PASS for v in verdicts):
        return list(results)
    if all(v in _BROKEN for v in verdicts):
        return list(max(zip(verdicts, all_results, strict=True), key=lambda pair: rank(pair[0]))[1])
    if Verdict.PASS in verdicts:
        passed = replace(results[0], verdict=Verdict.PASS, failure=None)
        return [_undecided(passed, clause, others)]
    unjudged = [o for o, v in zip(others, verdicts[1:], strict=True) if v not in _BROKEN]
    reason = (
        f"the version is unknown: what is done is wrong by this clause ({clause.versions}), and "
        f"could not be held against {_named(unjudged)}, which may be in force"
    )
    return [replace(results[0], verdict=Verdict.UNTESTED, reason=reason, failure=None)]


def _undecided(result: Result, clause: Clause, others: Sequence[Clause]) -> Result:
    if result.verdict is not Verdict.PASS:
        return result
    reason = (
        f"the version is unknown: what is done is right by this clause ({clause.versions}) or by "
        f"{_named(others)}, and may be wrong by the one in force"
    )
    return replace(result, verdict=Verdict.UNTESTED, reason=reason)


def _named(clauses: Sequence[Clause]) -> str:
    return ", ".join(f"{clause.id} ({clause.versions})" for clause in clauses)
