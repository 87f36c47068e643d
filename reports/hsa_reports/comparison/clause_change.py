"""What several runs found about one clause, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from hsa_reports.transitions import Transition, transition
from hsa_reports.verdicts import JUDGED, OUTSIDE_PERCENTAGES, Verdict

#: What speaks for a library.
FAVOURABLE = frozenset({Verdict.PASS, Verdict.XPASS})
_INCOMPARABLE = OUTSIDE_PERCENTAGES | {Verdict.NOT_RUN}


class Group(StrEnum):
    """What a change means, a word of `Transition` wherever one says it; what to look at first."""

    REGRESSED = Transition.REGRESSED.value
    SUSPECT = "regressed on the same imitation: the library is the suspect"
    MACHINE = "different on another imitation: it is not the runtime that decides"
    WORSE = Transition.WORSE.value
    DIFFERENT = Transition.DIFFERENT.value
    UNTRIED = Transition.UNTRIED.value
    MILDER = Transition.MILDER.value
    FIXED = Transition.FIXED.value
    CHECKED = "fails a check that the older suite did not make"
    TRIED = "newly tried"
    SAME = Transition.SAME.value

    @property
    def heading(self) -> str:
        """Return it as a heading."""
        return self[0].upper() + self[1:]


#: What a change means where one imitation decided, by whether the clause failed first and last.
_ON_ONE_IMITATION = {(False, True): Group.SUSPECT, (True, False): Group.FIXED}


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
        answers: the statuses that failures show, for each run.
        lost: the clause held first, and is NOT_APPLICABLE last, on the same imitated machine.
        new_check: all that fails last are checks that the first run, of another version of the
            suite, did not make.

    """

    clause: str
    verdicts: tuple[Verdict | None, ...]
    failed: tuple[bool, ...] = ()
    value: str | None = None
    one_library: bool = False
    known: tuple[Verdict | None, ...] = ()
    labels: tuple[str | None, ...] = ()
    answers: tuple[frozenset[str], ...] = ()
    lost: bool = False
    new_check: bool = False

    @property
    def name(self) -> str:
        """Return the clause, with the value where it is about one."""
        return f"{self.clause} with {self.value}" if self.value else self.clause

    @cached_property
    def comparable(self) -> tuple[Verdict, ...]:
        """Return the verdicts of the runs that reached the clause and could judge it.

        Where only the imitation differs, what it could not bring about says nothing of the library.
        """
        incomparable = _INCOMPARABLE - ({Verdict.NOT_APPLICABLE} if self.lost else set())
        found = tuple(v for v in self.verdicts if v is not None and v not in incomparable)
        return tuple(v for v in found if v in JUDGED) if self.one_library else found

    @property
    def differs(self) -> bool:
        """Return whether runs that can be compared found different things.

        Among them are failures that all runs expect, and that are not the same.
        """
        known = {verdict for verdict in self.known if verdict}
        each = (self.comparable, self.failed, known)
        return any(len(set(found)) > 1 for found in each) or not self.alike

    @property
    def alike(self) -> bool:
        """Return whether first and last failure show a status in common, or one shows none.

        A signal or an effect may be chance.
        """
        told = [found for found in self.answers if found]
        return len(told) < 2 or not told[0].isdisjoint(told[-1])

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
            return _ON_ONE_IMITATION.get((self.failed[0], self.failed[-1]), Group.SAME)
        word = transition(*self._real, alike=self.alike)
        if word is None:
            return Group.TRIED if self.after in JUDGED else Group.SAME
        if word is Transition.REGRESSED and self.new_check:
            return Group.CHECKED
        return Group(word.value)

    @property
    def _real(self) -> tuple[Verdict, Verdict]:
        """Return the first verdict and the last; of failures that both expect, the real ones."""
        known = [verdict for verdict in self.known if verdict]
        if Verdict.XFAIL is self.before is self.after and known:
            return known[0], known[-1]
        return self.before, self.after

    @property
    def worse(self) -> bool:
        """Return whether the clause got worse from the first run to the last.

        It fails and did not, fails in a worse way, expected or not, or held and is no longer shown
        to hold. With one library any difference is one too many. That it fails a check which nobody
        made before says nothing of what became of the library.
        """
        if self.group is Group.UNTRIED:
            return self.before in FAVOURABLE
        return self.group in (Group.REGRESSED, Group.SUSPECT, Group.MACHINE, Group.WORSE)
