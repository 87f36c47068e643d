"""The examples of one check, up to the shortest that fails in a fresh process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

import hypothesis
from hypothesis.errors import Flaky, Unsatisfiable

from hsa_adapters.protocol import AdapterError, Ended
from hsa_conformance.engine import interrupts
from hsa_conformance.engine.axes import Axes, Seen
from hsa_conformance.engine.check import Check, Counts
from hsa_conformance.engine.drawing import examples_of
from hsa_conformance.engine.examples import CROWDED, Again, Choice, Example, Noted
from hsa_conformance.engine.generation.fixtures import (
    CannotMake,
    Draw,
    Lacking,
    Misfit,
    OutOfReach,
    Unsuitable,
)
from hsa_conformance.engine.judge import Judge
from hsa_conformance.engine.outcomes import (
    Blocked,
    Inconsistent,
    OverBudget,
    ProvesNothing,
    Unavailable,
    Violation,
)
from hsa_conformance.engine.rejection import rejection
from hsa_conformance.engine.session import Session
from hsa_conformance.engine.session_pool import SessionPool
from hsa_conformance.engine.steps import Recorded, Replayed, shortened
from hsa_reports import Result, Step, Verdict
from hsa_reports.verdicts import rank
from hsa_spec import DecidedBy

#: How many examples may prove nothing for each one that was asked for, before a check gives up.
PATIENCE: Final = 3

#: How many examples are tried to go with a size.
MISFITS: Final = 3

#: How long a failing example may be made shorter, in seconds.
SHRINK_BUDGET: Final = 10.0
#: How many hangs or crashes of children are worth one shorter example.
DEADLY_BUDGET: Final[Mapping[str, int]] = {"HANG": 2, "CRASH": 60}

#: Returns whether a result shows a failure that is known already.
Explained = Callable[[Result], bool]


def unexplained(_: Result) -> bool:
    """Return False: nothing is known of the implementation."""
    return False


class _Enough(BaseException):
    """The failing example is short enough; not an Exception, so that Hypothesis lets it pass."""


@dataclass(frozen=True)
class Failed:
    """An example that shows a violation in a fresh process."""

    violation: Violation
    steps: tuple[Step, ...]
    chosen: Mapping[str, str]
    choices: tuple[Choice, ...] | None = None  # what was drawn for it, where it can be drawn again


class _KnownFailure(ProvesNothing):
    """An example ended in a failure that is known; what it did until then was right."""


class Attempt:
    """The examples of one check, up to the shortest that fails in a fresh process.

    Args:
        pool: where sessions come from.
        judge: says what holds for a call that a process did not survive.
        check: the check.
        explained: whether a failure is known already, and need not be made shorter.
        seen: where to note what its examples are made with.

    """

    def __init__(
        self, pool: SessionPool, judge: Judge, check: Check, explained: Explained, seen: Seen
    ) -> None:
        self.pool = pool
        self.judge = judge
        self.check = check
        self.explained = explained
        self.seen = seen
        self.clause = judge.registry.clauses[check.clause]
        self.counts = Counts()
        self.failures: list[Failed] = []
        self.unconfirmed: Violation | None = None
        self.set_up_failure: Failed | None = None
        self.obstacle: ProvesNothing | None = None
        self.cut_short = False
        self.deciders: set[DecidedBy | None] = set()
        self._deadline: float | None = None
        self._recorded: Recorded | None = None
        self._noted: Noted | None = None
        self._replays = False
        self.shows: Failed | None = None  # what its result shows
        self.muted: dict[str, Failed] = {}  # known failures, by the clause that they break
        self._deadly = 0
        self._patience = 0
        self._stopped: Blocked | Unavailable | AdapterError | None = None

    def worst(self) -> Failed | None:
        """Return the shortest of the worst: to make a failure shorter may make it another one."""
        return min(
            self.failures, key=lambda f: (rank(f.violation.verdict), len(f.steps)), default=None
        )

    def judged(self) -> bool:
        """Return whether an example has failed, confirmed or not."""
        return bool(self.failures) or self.unconfirmed is not None

    def conclusion(self) -> Result:
        """Return what the examples found, once all of them have run."""
        failed = self.worst()
        if failed is not None:
            return self.shown(failed)
        if self.muted:
            return self.shown(next(iter(self.muted.values())))
        if self.unconfirmed is not None:
            reason = f"not reproduced in a fresh process: {self.unconfirmed.summary}"
            return self.result(Verdict.FLAKY, reason)
        if not self.useful():
            beyond = self._unsuitable() or isinstance(self.obstacle, OutOfReach)
            verdict = Verdict.NOT_APPLICABLE if beyond else Verdict.VACUOUS
            return self.result(verdict, str(self.obstacle or "no example met the condition"))
        if self.cut_short:
            reason = "fewer examples than asked for: equal choices led to unequal calls"
            return self.result(Verdict.PASS, reason)
        return self.result(Verdict.PASS)

    def shown(self, failed: Failed) -> Result:
        """Return the result that an example which fails shows."""
        self.shows = failed
        self.seen.ended = failed.chosen
        self.deciders = {failed.violation.decided_by}
        return self._of(failed)

    def _of(self, failed: Failed) -> Result:
        violation = failed.violation
        found = self.result(violation.verdict, violation.summary)
        failure = violation.failure(failed.steps)
        return replace(found, clause=violation.clause, failure=failure)

    def _unsuitable(self) -> bool:
        """Return whether nothing goes with what is pinned, or nobody can tell whether it does."""
        unable = isinstance(self.obstacle, CannotMake) and not isinstance(self.obstacle, Unsuitable)
        return bool(self.check.pins) and self.obstacle is not None and not unable

    def result(self, verdict: Verdict, reason: str | None = None) -> Result:
        """Return a result of the check with the counts of its examples."""
        return Result(
            self.check.clause,
            self.check.name,
            verdict,
            reason,
            self.counts.satisfied,
            self.counts.near_misses,
            self.counts.discarded,
            self.counts.calls,
            source=str(self.check.source),
            decided_by=self._decider(),
        )

    def _decider(self) -> DecidedBy | None:
        """Return who decides what was looked at, where that is not whom the clause names.

        To hold takes all of it, so one part that the runtime does not decide is enough.
        """
        named = {by for by in self.deciders if by is not None}
        others = named - {DecidedBy.RUNTIME}
        if others:
            return min(others)
        return DecidedBy.RUNTIME if named and None not in self.deciders else None

    def drive(self, examples: int, seed: str) -> None:
        """Run examples until one fails, and make that one shorter.

        Args:
            examples: how many there are to be.
            seed: makes two runs draw the same.

        Raises:
            Blocked: a set-up call failed.
            Unavailable: nothing can be judged.
            AdapterError: the implementation cannot be used any more.

        """
        self._patience = PATIENCE * max(examples, 8)

        seed = f"{seed}:{self.check.clause}:{self.check.name}"
        example = examples_of(self._example, examples, seed)
        try:
            with suppress(Violation, _Enough, Unsatisfiable):
                example()
        except Flaky:
            # Either a failure did not come back, which `unconfirmed` tells, or what the library
            # answered led to other choices, and the rest of the examples is lost.
            self.cut_short = True
        if self._stopped is not None and not self.failures:
            raise self._stopped

    def example(self) -> Example | None:
        """Return the example that the result shows, if it can be made again in another run."""
        if self.shows is None or self.shows.choices is None:
            return None
        violation, check = self.shows.violation, self.check
        broken = " ".join(filter(None, [violation.clause, violation.ended]))
        return Example(check.clause, check.name, broken, check.pins, self.shows.choices)

    def replay(self, examples: Iterable[Example]) -> int:
        """Make examples of earlier runs again, each in a fresh process, until one fails.

        Args:
            examples: the examples, which failed.

        Returns:
            How many were made.

        Raises:
            AdapterError: the implementation cannot be used any more.

        """
        self._replays, made = True, 0
        for example in examples:
            made += 1
            interrupts.checkpoint()
            draw = Again(example.choices)
            with (
                # What stops them says nothing of them; the examples to come meet it as well.
                suppress(Violation, _Enough, Blocked, Unavailable, Inconsistent),
                self.pool.session(initialised=self.check.initialised, fresh=True) as session,
            ):
                self._prepare(session, draw, example.pins)
                self._try(session, draw, fresh=True)
            if self.failures or self.muted:
                break
        return made

    def _prepare(self, session: Session, draw: Draw, pins: Mapping[str, str]) -> None:
        session.axes, session.muted = Axes(pins), self.muted
        session.crowded = cache(lambda: draw(CROWDED))

    def _example(self, draw: Draw) -> None:
        interrupts.checkpoint()
        try:
            self._one_example(draw)
        except (Blocked, Unavailable, AdapterError) as stop:
            # Nothing to make shorter: the next example would end in the same way.
            self._stopped = stop
            raise _Enough from None
        except Inconsistent as facts:
            # The suite is wrong, or the library contradicts itself: nobody is blamed for it.
            reason = f"{self.check.clause}: what is known of the library does not fit: {facts}"
            self._stopped = Unavailable(Verdict.BLOCKED, reason)
            raise _Enough from None

    def _one_example(self, draw: Draw) -> None:
        # Never before a fresh process has shown the failure, or a slow machine would call it FLAKY.
        if self.failures and self._deadline is not None and time.monotonic() > self._deadline:
            raise _Enough
        fresh = self.check.fresh or self._deadline is not None
        if fresh:
            draw = self._noted = Noted(draw)
        if self.check.stepwise:
            draw = self._recorded = Recorded(draw)
        with self.pool.session(initialised=self.check.initialised, fresh=fresh) as session:
            self._prepare(session, draw, self.check.pins)
            obstacle = self._try(session, draw, fresh=fresh)
        if obstacle is not None:
            self.counts.discarded += 1
            if isinstance(obstacle, _KnownFailure):
                return  # one of the examples that were asked for
            # What the machine lacks is the better reason, whichever example showed it.
            if not isinstance(self.obstacle, OutOfReach):
                self.obstacle = obstacle
            patience = MISFITS if isinstance(obstacle, Misfit) else self._patience
            if self.counts.discarded >= patience:
                raise _Enough
            hypothesis.reject()

    def _try(self, session: Session, draw: Draw, *, fresh: bool) -> ProvesNothing | None:
        """Run the check's body once; return why the example proves nothing, if it does not."""
        before, judged = session.calls, (self.counts.satisfied, self.counts.near_misses)
        try:
            self.check.body(session, draw, self.counts)
        except Unavailable:
            self.seen.ended = session.axes.chosen
            raise
        except Lacking as lacking:
            self.seen.ended = session.axes.chosen
            raise Unavailable(Verdict.NOT_APPLICABLE, str(lacking)) from None
        except ProvesNothing as obstacle:
            self.seen.over_budget |= isinstance(obstacle, OverBudget)
            session.axes.withdraw(session.axes.tentative)
            return obstacle
        except Violation as violation:
            return self._blamed(violation, session, fresh=fresh)
        except Blocked as blocked:
            self.seen.ended = session.axes.chosen
            if allowing := self.judge.allowing(blocked):
                reason = f"set-up: {blocked.reason}, as {' and '.join(allowing)} has it"
                raise Unavailable(Verdict.UNTESTED, reason) from None
            if fresh and blocked.refused and blocked.clause == self.check.clause:
                # What has to succeed is refused before a further valid call can be made.
                found = rejection(blocked, self.clause)
                self.set_up_failure = Failed(found, blocked.steps, session.axes.chosen)
            if fresh and blocked.end is not None and session.met(blocked.end):
                found = self._death(blocked.end, session, preparing=True)
                self.set_up_failure = Failed(found, blocked.steps, session.axes.chosen)
            raise
        except Ended as end:
            ended = self._death(end, session, preparing=False)
            return self._blamed(ended, session, fresh=fresh)
        finally:
            self.counts.calls += session.calls - before
            # A start of its own depends on the machine as much as the choice of an agent does.
            started = not self.check.initialised and session.model.initialised_once
            session.axes.on_machine |= started
            self.seen.note(session.axes)
        if missed := session.axes.missed():
            # What was judged has nothing to do with the value that is to be tried.
            self.counts.satisfied, self.counts.near_misses = judged
            return CannotMake(f"no example was made with {missed}")
        self.seen.judged.update(session.axes.chosen.items())
        self.deciders |= session.demanded()
        return None

    def _blamed(self, violation: Violation, session: Session, *, fresh: bool) -> ProvesNothing:
        """Note what is wrong; go on behind what is known.

        Raises:
            Violation: it is not known.

        """
        self._failed(violation, session, fresh=fresh)
        if violation.clause not in self.muted:
            raise violation from None
        return _KnownFailure(f"a known failure: {violation.summary}")

    def _death(self, end: Ended, session: Session, *, preparing: bool) -> Violation:
        """Return the finding that the process of a session, or its second one, ended."""
        dead = session.whose(end)
        return self.judge.death(end, self.clause, dead.expected, dead.model, preparing=preparing)

    def useful(self) -> int:
        """Return how many examples have judged something."""
        return self.counts.satisfied + self.counts.near_misses

    def _failed(self, violation: Violation, session: Session, *, fresh: bool) -> None:
        choices = self._noted.choices() if self._noted and fresh else None
        failed = Failed(violation, tuple(session.trace.steps), session.axes.chosen, choices)
        if self.check.stepwise and self.explained(self._of(failed)):
            self.muted[violation.clause] = failed  # there may be others behind it
            return
        if self._deadline is None:
            self._deadline = time.monotonic() + SHRINK_BUDGET
        self.seen.ended = session.axes.chosen
        # A known hang is believed at once: to show it again costs its whole budget.
        known = violation.ended == "HANG" and self.explained(self._of(failed))
        if not fresh and not known:
            self.unconfirmed = violation
            return
        self.failures.append(failed)
        if self._replays or self.explained(self.conclusion()):
            raise _Enough  # its finding has a shorter program than could be made here
        if self._recorded is not None:
            shortened(self._recorded, partial(self._fails, violation))
            raise _Enough
        limit = DEADLY_BUDGET.get(violation.ended or "")
        self._deadly += 1
        if self.check.pins:
            raise _Enough  # all but what is pinned is as simple as can be
        if limit is not None and self._deadly >= limit:
            raise _Enough

    def _fails(self, violation: Violation, replayed: Replayed) -> bool:
        """Return whether the same goes wrong with fewer steps, in a fresh process; keep it then."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            return False
        interrupts.checkpoint()
        initialised = self.check.initialised
        noted = Noted(replayed)
        try:
            with self.pool.session(initialised=initialised, fresh=True) as session:
                session.muted = self.muted
                found = self._played(session, noted)
                steps, chosen = tuple(session.trace.steps), session.axes.chosen
        except Unavailable:
            return False
        if found is None or found.clause in self.muted:
            return False
        if (found.clause, found.ended) != (violation.clause, violation.ended):
            return False
        self.failures.append(Failed(found, steps, chosen, noted.choices()))
        return True

    def _played(self, session: Session, draw: Draw) -> Violation | None:
        before = session.calls
        try:
            self.check.body(session, draw, Counts())
        except Violation as violation:
            return violation
        except Ended as end:
            return self._death(end, session, preparing=False)
        except (Blocked, Inconsistent, ProvesNothing):
            return None
        finally:
            self.counts.calls += session.calls - before
        return None
