"""Who is blamed by the results of a library with a mistake, and not without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hsa_reports import Result, Verdict, worst
from hsa_reports.run import Run
from hsa_reports.verdicts import BROKEN, JUDGED
from hsa_spec import Registry
from tests.wrong.fates import Fate, Mistake, Outcome


@dataclass(frozen=True)
class Blame:
    """A result that speaks against a function.

    Args:
        how: BLAMED, IMITATED or BLOCKED.
        clause: id of the clause that is broken.
        value: the value that its failure depends on.
        verdict: of the result.

    """

    how: Outcome
    clause: str
    value: str | None
    verdict: Verdict = field(compare=False)


def blame(result: Result) -> Blame | None:
    """Return how a result speaks against a function, if it does."""
    if result.verdict in BROKEN:
        return Blame(Outcome.BLAMED, result.clause, result.value, result.verdict)
    if result.verdict is Verdict.IMITATED and result.failure is not None:
        return Blame(Outcome.IMITATED, result.clause, result.value, result.verdict)
    if blocked_by := result.blocked_by:
        return Blame(Outcome.BLOCKED, blocked_by, None, result.verdict)
    return None


def broken(run: Run, known: Callable[[Result], bool] = lambda _: False) -> Mapping[str, Verdict]:
    """Return the clauses that fail in a run, with their worst verdicts.

    Args:
        run: the run.
        known: whether a result shows a known failure, which is no news.

    """
    found = {
        clause: [r.verdict for r in results if r.verdict in BROKEN and not known(r)]
        for clause, results in sorted(run.by_clause.items())
    }
    return {clause: worst(verdicts) for clause, verdicts in found.items() if verdicts}


def fate_of(
    mistake: Mistake,
    run: Run,
    without: Run,
    registry: Registry,
    known: Callable[[Result], bool] = lambda _: False,
) -> Fate:
    """Return the fate of a mistake in a library that the command judged.

    Args:
        mistake: the mistake.
        run: of the library with it, against `without`.
        without: a run of the library without it.
        registry: says whose clauses fail.
        known: whether a result shows a known failure, which is no news.

    """
    failing = broken(run, known)
    by = {c: v for c, v in failing.items() if registry.clauses[c].function in mistake.guilty}
    wrongly = {c: v for c, v in failing.items() if c not in by}
    before = without.verdicts
    unjudged = {
        clause: verdict
        for clause, verdict in run.verdicts.items()
        if verdict not in JUDGED and before.get(clause) in JUDGED
    }
    others = wrongly | unjudged
    if wrongly:
        return mistake.fate(Outcome.SURVIVED, by, others, "others blamed")
    if by:
        return mistake.fate(Outcome.BLAMED, by, others)
    earlier = {b for r in without.results if (b := blame(r))}
    weaker = (b for r in run.results if (b := blame(r)) and b not in earlier and not known(r))
    for each in weaker:
        if registry.clauses[each.clause].function in mistake.guilty:
            return mistake.fate(each.how, {each.clause: each.verdict}, others)
    return mistake.fate(Outcome.SURVIVED, others=others, why="not noticed")
