"""What a run has found so far, and the exit status that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from hsa_conformance.baselines import KnownFailures
from hsa_reports import Result, Verdict, worst
from hsa_reports.counting import clause_count
from hsa_reports.verdicts import JUDGED

#: Exit statuses of a run.
PASSED, FAILED, WRONG_USE, NOT_CARRIED_OUT = 0, 1, 2, 3


@dataclass(frozen=True)
class End:
    """How a run ends: its exit status, and why in one line."""

    status: int
    why: str


@dataclass
class Tally:
    """The results of a run, up to its exit status.

    Attributes:
        strict: the run also holds the implementation to `should` clauses.
        results: what was found about clauses that were selected, and about hsa_init.
        strays: clauses that were not selected, and that are broken.
        errors: how many tests ended with an error of "the suite" or of "the adapter".
        initialised: whether the runtime could be initialised at least once.
        collected: the clauses that were to be run.
        elsewhere: the clauses that other shards judge.

    """

    strict: bool
    results: list[Result] = field(default_factory=list)
    strays: set[str] = field(default_factory=set)
    errors: Counter[str] = field(default_factory=Counter)
    initialised: bool = False
    collected: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)

    def end(self, expected: KnownFailures | None, *, excused: bool, lost: str = "") -> End:
        """Return how the run ends.

        Args:
            expected: the known failures, if there is a baseline for what is under test.
            excused: a machine without a device is expected, so that nothing need be judged.
            lost: what held in the earlier run that this one is compared with, and is not judged
                any more, in words.

        """
        failing = sum(self._fails(r) for r in self.results)
        found = f"{failing} of {len(self.results)} checks found a failure"
        if self.errors:
            whose = (f"{who} broke {n} time{'s' * (n > 1)}" for who, n in self.errors.items())
            return End(NOT_CARRIED_OUT, "; ".join([found, *whose]))
        left = self._left()
        if failing or lost:
            return End(FAILED, "; ".join(filter(None, [found, lost, left])))
        if left:
            return End(NOT_CARRIED_OUT, f"{found}; {left}")
        blocked = self._unexplained(expected)
        failed = {r.clause for r in self.results if speaks_against(r)} | self.strays
        # What blocks itself is a mistake of the suite, whatever else fails.
        own = {r.clause for r in self._blocked() if r.blocked_by in (None, r.clause)}
        broken = set(map(_function, failed))
        by_failure = sorted(c for c in set(blocked) - own if _function(c) in broken)
        others = sorted(set(blocked) - set(by_failure))
        if others:
            count = clause_count(blocked[others[0]])
            why = f"{others[0]} blocks {count}, and no failure explains it"
            function = _function(others[0])
            advice = f": select {function}, too"
            if function in set(map(_function, self.collected)):
                advice = ""
            elif function in set(map(_function, self.elsewhere)):
                advice = ": another shard judges it, so merge them"
            return End(NOT_CARRIED_OUT, f"{found}; {why}{advice}")
        if by_failure:
            why = f"{by_failure[0]} blocks {clause_count(blocked[by_failure[0]])}"
            return End(FAILED, f"{found}; {why}, and {_function(by_failure[0])} fails")
        judged = self.initialised and any(r.verdict in JUDGED for r in self.results)
        return End(PASSED if judged or excused else NOT_CARRIED_OUT, found)

    def _left(self) -> str:
        """Return how many clauses were not run, and why; nothing where all of them were."""
        if left := len(self.collected.difference(r.clause for r in self.results)):
            were = "clause was" if left == 1 else "clauses were"
            return f"{left} {were} never reached"
        stopped = [r for r in self.results if r.verdict is Verdict.NOT_RUN]
        if not stopped:
            return ""
        return f"{clause_count(len({r.clause for r in stopped}))} not run: {stopped[0].reason}"

    def _unexplained(self, expected: KnownFailures | None) -> dict[str, int]:
        """Return what blocks clauses, with their number, except for what is known to fail."""
        known = {r.clause for r in self.results if r.verdict is Verdict.XFAIL}
        count: dict[str, int] = {}
        for result in self._blocked():
            cause = result.blocked_by or result.clause
            if cause not in known and not (expected and expected.blocks(result)):
                count[cause] = count.get(cause, 0) + 1
        return count

    def _blocked(self) -> Iterator[Result]:
        """Yield the first BLOCKED result of each clause that has no worse verdict."""
        by_clause: dict[str, list[Result]] = {}
        for result in self.results:
            by_clause.setdefault(result.clause, []).append(result)
        for results in by_clause.values():
            if worst(r.verdict for r in results) is Verdict.BLOCKED:
                yield next(r for r in results if r.verdict is Verdict.BLOCKED)

    def _fails(self, result: Result) -> bool:
        return result.verdict.fails(strict=self.strict)


def speaks_against(result: Result) -> bool:
    """Return whether a result is one of a library that is broken, or may be."""
    return result.verdict.fails(strict=True) or result.verdict is Verdict.UNDOCUMENTED


def _function(clause: str) -> str:
    return clause.partition("/")[0]
