"""The verdicts of several runs side by side, and which of them changed for the worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from hsa_reports.run import Run
from hsa_reports.verdicts import FAILURES, JUDGED, OUTSIDE_PERCENTAGES, WORST_FIRST, Verdict, rank

_INCOMPARABLE = OUTSIDE_PERCENTAGES | {Verdict.NOT_RUN}
_HOLDS = frozenset({Verdict.PASS, Verdict.XPASS})
_FAILS = (FAILURES | {Verdict.WARN, Verdict.XFAIL}) - _HOLDS


class Group(StrEnum):
    """What a change means to somebody who is about to merge what caused it."""

    NEWLY_FAILING = "Newly failing"
    NEWLY_PASSING = "Newly passing (fixed)"
    OTHER = "Other changes"


@dataclass(frozen=True)
class Change:
    """The verdicts of one clause in all runs, None where a run did not select it."""

    clause: str
    verdicts: tuple[Verdict | None, ...]

    @cached_property
    def comparable(self) -> tuple[Verdict, ...]:
        """Return the verdicts of the runs that reached the clause and could judge it."""
        return tuple(v for v in self.verdicts if v is not None and v not in _INCOMPARABLE)

    @property
    def before(self) -> Verdict:
        """Return the first verdict that can be compared."""
        return self.comparable[0]

    @property
    def after(self) -> Verdict:
        """Return the last verdict that can be compared."""
        return self.comparable[-1]

    @property
    def group(self) -> Group:
        """Return what the change means."""
        if self.after in _FAILS and self.before not in _FAILS:
            return Group.NEWLY_FAILING
        if self.after in _HOLDS and self.before in _FAILS:
            return Group.NEWLY_PASSING
        return Group.OTHER

    @property
    def worse(self) -> bool:
        """Return whether the clause got worse from the first run to the last.

        It fails and did not, fails in a worse way, or held and is no longer shown to hold.
        """
        fell = _place(self.after) < _place(self.before)
        return fell or self.group is Group.NEWLY_FAILING


@dataclass(frozen=True)
class Comparison:
    """Two runs or more, the oldest first, with the names that people give them."""

    names: tuple[str, ...]
    runs: tuple[Run, ...]

    @cached_property
    def clauses(self) -> tuple[Change, ...]:
        """Return every clause that a run selected, in the order of the runs."""
        ids = dict.fromkeys(clause for run in self.runs for clause in run.verdicts)
        return tuple(Change(i, tuple(run.verdicts.get(i) for run in self.runs)) for i in ids)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Return the clauses whose verdict differs, the worst first."""
        found = [clause for clause in self.clauses if len(set(clause.comparable)) > 1]
        return tuple(sorted(found, key=lambda c: (not c.worse, rank(c.after), rank(c.before))))

    @property
    def groups(self) -> Mapping[Group, tuple[Change, ...]]:
        """Return the changes by what they mean; every group, the empty ones too."""
        return {group: tuple(c for c in self.changes if c.group is group) for group in Group}

    @property
    def worse(self) -> int:
        """Return how many clauses got worse from the first run to the last."""
        return sum(change.worse for change in self.changes)

    @property
    def same(self) -> int:
        """Return how many clauses have one verdict in all runs."""
        return sum(len(set(clause.verdicts)) == 1 for clause in self.clauses)

    @cached_property
    def partial(self) -> tuple[Change, ...]:
        """Return the clauses that only some runs say something about, and these all the same."""
        return tuple(
            clause
            for clause in self.clauses
            if len(set(clause.comparable)) <= 1 and len(set(clause.verdicts)) > 1
        )

    @property
    def partly(self) -> Mapping[str, tuple[Change, ...]]:
        """Return the partial clauses by what only some runs did."""
        found: dict[str, list[Change]] = {}
        for clause in self.partial:
            found.setdefault(_lacking(clause), []).append(clause)
        return {kind: tuple(clauses) for kind, clauses in found.items()}

    @property
    def unreached(self) -> int:
        """Return how many clauses held as long as they were reached, which the last run did not."""
        return sum(
            clause.verdicts[-1] is Verdict.NOT_RUN and not _HOLDS.isdisjoint(clause.comparable)
            for clause in self.partial
        )

    @property
    def failing_alone(self) -> int:
        """Return how many clauses fail in the last run and cannot be compared."""
        return sum(clause.verdicts[-1] in _FAILS for clause in self.partial)

    def counts_in(self, run: int, clauses: tuple[Change, ...]) -> Mapping[Verdict, int]:
        """Return how many of some clauses have which verdict in a run, worst first."""
        found = Counter(clause.verdicts[run] for clause in clauses)
        return {verdict: found[verdict] for verdict in WORST_FIRST if found[verdict]}

    @cached_property
    def shows_nothing(self) -> bool:
        """Return whether the first and the last run have too little in common to be compared.

        No clause is judged in both, or the last run lost the initialised runtime that the first
        one had.
        """
        first, last = self.runs[0], self.runs[-1]
        lost = judged_nothing(last) and not judged_nothing(first)
        return lost or not any(
            clause.verdicts[0] in JUDGED and clause.verdicts[-1] in JUDGED
            for clause in self.clauses
        )


def judged_nothing(run: Run) -> bool:
    """Return whether a run came to its end and judged nothing in an initialised runtime."""
    return run.end is not None and not run.end.initialised


def _lacking(clause: Change) -> str:
    if None in clause.verdicts:
        return "Selected"
    return "Reached" if Verdict.NOT_RUN in clause.verdicts else "Applicable"


def _place(verdict: Verdict) -> int:
    if verdict in _HOLDS:
        return rank(Verdict.PASS)
    return rank(verdict if verdict in JUDGED else Verdict.BLOCKED)
