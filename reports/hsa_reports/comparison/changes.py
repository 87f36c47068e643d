"""The verdicts of several runs side by side, and which of them changed for the worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from hsa_reports.run import Run
from hsa_reports.verdicts import (
    FAILURES,
    JUDGED,
    OUTSIDE_PERCENTAGES,
    WARNINGS,
    WORST_FIRST,
    Verdict,
    rank,
)

_INCOMPARABLE = OUTSIDE_PERCENTAGES | {Verdict.NOT_RUN}
_HOLDS = frozenset({Verdict.PASS, Verdict.XPASS})
_FAILS = (FAILURES | WARNINGS | {Verdict.XFAIL}) - _HOLDS


class Group(StrEnum):
    """What a change means to somebody who is about to merge what caused it."""

    NEWLY_FAILING = "Newly failing"
    SUSPECT = "Newly failing on the same imitation: the library is the suspect"
    MACHINE = "The same library, on another imitation: it is not the runtime that decides"
    NEWLY_PASSING = "Newly passing (fixed)"
    OTHER = "Other changes"


#: What a change means where one imitation decided, by whether the clause failed first and last.
_ON_ONE_IMITATION = {(False, True): Group.SUSPECT, (True, False): Group.NEWLY_PASSING}


@dataclass(frozen=True)
class Change:
    """What all runs found about one clause, or about the clause tried with one value alone.

    Attributes:
        clause: its id.
        verdicts: a verdict for each run, None where it did not select the clause.
        failed: where all runs had one imitation, and it decided: whether the clause failed there.
        value: the value, None for the clause as a whole.
        one_library: whether all runs are of one library, and nothing but the imitation differs.
        known: the real verdict for each run that expects the failure, None for others.
        labels: the verdict for each run, where it is expected with the real one and its signal.

    """

    clause: str
    verdicts: tuple[Verdict | None, ...]
    failed: tuple[bool, ...] = ()
    value: str | None = None
    one_library: bool = False
    known: tuple[Verdict | None, ...] = ()
    labels: tuple[str | None, ...] = ()

    @property
    def name(self) -> str:
        """Return the clause, with the value where it is about one."""
        return f"{self.clause} with {self.value}" if self.value else self.clause

    @cached_property
    def comparable(self) -> tuple[Verdict, ...]:
        """Return the verdicts of the runs that reached the clause and could judge it.

        Where only the imitation differs, what it could not bring about says nothing of the library.
        """
        found = tuple(v for v in self.verdicts if v is not None and v not in _INCOMPARABLE)
        return tuple(v for v in found if v in JUDGED) if self.one_library else found

    @property
    def differs(self) -> bool:
        """Return whether runs that can be compared found different things.

        Among them are failures that all runs expect, and that are not the same.
        """
        known = {verdict for verdict in self.known if verdict}
        return any(len(set(found)) > 1 for found in (self.comparable, self.failed, known))

    @property
    def before(self) -> Verdict:
        """Return the first verdict that can be compared."""
        return Verdict.IMITATED if self.failed else self.comparable[0]

    @property
    def after(self) -> Verdict:
        """Return the last verdict that can be compared."""
        return Verdict.IMITATED if self.failed else self.comparable[-1]

    @property
    def group(self) -> Group:
        """Return what the change means."""
        if self.one_library:
            return Group.MACHINE
        if self.failed:
            return _ON_ONE_IMITATION.get((self.failed[0], self.failed[-1]), Group.OTHER)
        if self.after in _FAILS and self.before not in _FAILS:
            return Group.NEWLY_FAILING
        if self.after in _HOLDS and self.before in _FAILS:
            return Group.NEWLY_PASSING
        return Group.OTHER

    @property
    def worse(self) -> bool:
        """Return whether the clause got worse from the first run to the last.

        It fails and did not, fails in a worse way, expected or not, or held and is no longer shown
        to hold. With one library any difference is one too many.
        """
        fell = _place(self.after) < _place(self.before)
        if Verdict.XFAIL is self.before is self.after:
            known = [verdict for verdict in self.known if verdict]
            fell = bool(known) and rank(known[-1]) < rank(known[0])
        return fell or self.group in (Group.NEWLY_FAILING, Group.SUSPECT, Group.MACHINE)


@dataclass(frozen=True)
class Comparison:
    """Two runs or more, the oldest first, with the names that people give them."""

    names: tuple[str, ...]
    runs: tuple[Run, ...]

    @cached_property
    def clauses(self) -> tuple[Change, ...]:
        """Return every clause that a run selected, in the order of the runs."""
        ids = dict.fromkeys(clause for run in self.runs for clause in run.verdicts)
        return tuple(self._change(clause) for clause in ids)

    @cached_property
    def _imitations(self) -> frozenset[str | None]:
        return frozenset(run.started.subject.imitation for run in self.runs)

    @cached_property
    def _one_imitation(self) -> bool:
        return len(self._imitations) == 1 and None not in self._imitations

    @cached_property
    def _one_library(self) -> bool:
        """Return whether the runs are of one library on several imitated machines."""
        libraries = {run.started.subject.build_id for run in self.runs}
        one = len(libraries) == 1 and None not in libraries
        return one and len(self._imitations) > 1 and None not in self._imitations

    def _change(self, clause: str) -> Change:
        verdicts = tuple(run.verdicts.get(clause) for run in self.runs)
        if not self._one_imitation or set(verdicts) != {Verdict.IMITATED}:
            return self._told(clause, verdicts)
        # The imitation is the same, so what differs comes from the library.
        failed = (any(r.failure for r in run.by_clause[clause]) for run in self.runs)
        return Change(clause, verdicts, tuple(failed))

    @cached_property
    def values(self) -> tuple[Change, ...]:
        """Return every value that a run tried a clause with."""
        ids = dict.fromkeys(pair for run in self.runs for pair in run.values)
        return tuple(
            self._told(clause, tuple(run.values.get((clause, value)) for run in self.runs), value)
            for clause, value in ids
        )

    def _told(
        self, clause: str, verdicts: tuple[Verdict | None, ...], value: str | None = None
    ) -> Change:
        """Return the verdicts with what expected failures really are."""
        change = Change(clause, verdicts, (), value, self._one_library)
        if Verdict.XFAIL not in verdicts:
            return change
        worst = [
            next((r for r in run.by_clause.get(clause, ()) if value in (None, r.value)), None)
            for run in self.runs
        ]
        return replace(
            change,
            known=tuple(r.known if r else None for r in worst),
            labels=tuple(r.label if r else None for r in worst),
        )

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Return what has another verdict, the worst first.

        These are clauses, and single values of those that have one verdict in all runs: a value
        that is known to fail hides no other.
        """
        found = [clause for clause in self.clauses if clause.differs]
        different = {clause.clause for clause in found}
        found += [v for v in self.values if v.differs and v.clause not in different]
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
        return sum(len(set(c.verdicts)) == 1 and not c.differs for c in self.clauses)

    @property
    def agreed(self) -> int:
        """Return how many clauses one library was judged alike for on all imitations."""
        return sum(
            clause.one_library and not clause.differs and len(clause.comparable) == len(self.runs)
            for clause in self.clauses
        )

    @cached_property
    def partial(self) -> tuple[Change, ...]:
        """Return the clauses that only some runs say something about, and these all the same."""
        return tuple(
            clause
            for clause in self.clauses
            if not clause.differs and len(set(clause.verdicts)) > 1
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
