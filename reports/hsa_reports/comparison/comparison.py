"""The verdicts of several runs side by side, and which of them changed for the worse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hsa_reports.comparison.clause_change import FAVOURABLE, Change, Group
from hsa_reports.result import Result
from hsa_reports.run import Run
from hsa_reports.transitions import FAILS
from hsa_reports.verdicts import JUDGED, WORST_FIRST, Verdict, rank

_STATUS = re.compile(r"HSA_\w*STATUS_\w+")


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
        found = [
            [r for r in run.by_clause.get(clause, ()) if value in (None, r.value)]
            for run in self.runs
        ]
        answers = tuple(map(_answers, found))
        change = Change(
            clause,
            verdicts,
            (),
            value,
            self._one_library,
            answers=answers,
            lost=value is None and self._lost(clause, verdicts),
            new_check=self._is_new_check(clause, found[-1]),
        )
        if Verdict.XFAIL not in verdicts:
            return change
        worst = [results[0] if results else None for results in found]
        return replace(
            change,
            known=tuple(r.known if r else None for r in worst),
            labels=tuple(r.label if r else None for r in worst),
        )

    def _lost(self, clause: str, verdicts: Sequence[Verdict | None]) -> bool:
        """Return whether a clause held, and the library lists nothing for it any more."""
        return self._one_imitation and verdicts[0] in FAVOURABLE and self.runs[-1].lacks(clause)

    def _is_new_check(self, clause: str, last: Sequence[Result]) -> bool:
        """Return whether all that fails are checks which an older suite did not make."""
        first = self.runs[0]
        if first.started.suite_version == self.runs[-1].started.suite_version:
            return False
        made = {result.check for result in first.by_clause.get(clause, ())}
        failing = {result.check for result in last if result.verdict in FAILS}
        return bool(made and failing) and made.isdisjoint(failing)

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
            clause.verdicts[-1] is Verdict.NOT_RUN and not FAVOURABLE.isdisjoint(clause.comparable)
            for clause in self.partial
        )

    @property
    def failing_alone(self) -> int:
        """Return how many clauses fail in the last run and cannot be compared."""
        return sum(clause.verdicts[-1] in FAILS for clause in self.partial)

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


def _answers(results: Sequence[Result]) -> frozenset[str]:
    """Return the statuses that the worst failures of a clause show."""
    worst = results[0].verdict if results else None
    shown = (_STATUS.match(r.failure.got) for r in results if r.failure and r.verdict is worst)
    return frozenset(found[0] for found in shown if found)
