"""Notes which examples of a check fail, and makes the failing one shorter."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hsa_adapters import interrupts
from hsa_adapters.ends import HANG
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import (
    Blocked,
    Inconsistent,
    ProvesNothing,
    Unavailable,
    Violation,
)
from hsa_conformance.engine.calls.scratch import Reuse
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.steps import StepRecorder, StepReplayer
from hsa_conformance.engine.generation.atoms import starts_runtime
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.judge import THREADS, Expectation, Judge
from hsa_conformance.engine.judging.verdict import killed
from hsa_conformance.engine.running.example_counts import SOAK
from hsa_conformance.engine.running.examples import DrawRecorder, DrawReplayer, begin_example
from hsa_conformance.engine.running.failures.fewest import fewest
from hsa_conformance.engine.running.failures.history import History, PastExample, remade
from hsa_conformance.engine.running.result import CheckFindings, Explained, FailingExample
from hsa_conformance.engine.running.session_pool import MadeExamples, SessionPool
from hsa_conformance.engine.session.axes import AxisCoverage
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.repetition import CONTROLS, REPETITIONS, measured
from hsa_reports import BESIDE, Step
from hsa_reports.actions import Call, Together
from hsa_reports.demands import KeepsNothing
from hsa_reports.operands import Memory
from hsa_spec import Clause

#: How many examples are made to find a shorter one that fails, by profile.
SHORTER: Final[dict[str, int]] = {"quick": 30, "full": 300, "exhaustive": 300, SOAK: 30}
#: Seconds after which no further one is made, where a library takes very long.
LONGEST: Final = 10.0
#: How many times as many if an example is a sequence of steps, any of which can be left out.
STEPS: Final = 4
#: How many hangs or crashes of children are worth one shorter example.
DEADLY_EXAMPLES: Final[Mapping[str, int]] = {HANG: 1, "CRASH": 60}


class ShortEnough(BaseException):
    """The failing example is short enough; not an Exception, so that Hypothesis lets it pass."""


class NotByThreads(ProvesNothing):
    """What goes wrong when threads make calls goes wrong without them, too.

    Attributes:
        remains: whether it is only what calls leave behind, and all else was right.
        hangs: whether a call hangs without threads.

    """

    def __init__(self, what: str, *, remains: bool = False, hangs: bool = False) -> None:
        super().__init__(what)
        self.remains = remains
        self.hangs = hangs


class Shortening(CheckFindings):
    """What the examples of one check have found, with ever shorter ones that fail.

    Args:
        pool: where sessions come from.
        judge: says what holds for a call that a process did not survive.
        check: the check.
        explained: whether a failure is known already, and need not be made shorter.
        seen: where to note what its examples are made with.

    """

    def __init__(
        self,
        pool: SessionPool,
        judge: Judge,
        check: Check,
        explained: Explained,
        seen: AxisCoverage,
    ) -> None:
        super().__init__(check, seen)
        self.pool = pool
        self.judge = judge
        self.explained = explained
        self.clause = judge.registry.clauses[check.clause]
        self.repetitions = REPETITIONS["quick"]
        self.shorter = SHORTER["quick"]
        self._until: float | None = None
        self._attempts = 0
        self._hangs = 0  # of those that were tried with fewer steps
        self._step_recorder: StepRecorder | None = None
        self._draw_recorder: DrawRecorder | None = None
        self._replays = False
        self._deadly = 0

    def _death(self, end: Ended, session: Session, target: Clause, *, preparing: bool) -> Violation:
        """Return the finding that the process of a session, or its second one, ended.

        Between calls, a thread of the library's own answers for the call that was made last, which
        need not be of the function that the clause under test is about.
        """
        dead = session.whose(end)
        expected, last = dead.expected, self.judge.registry.functions.get(dead.called)
        begun = expected.function if expected else target.function
        if end.call is None and end.elsewhere and last is not None and last.name != begun:
            expected = Expectation((last.success,) if last.success else (), last.name)
            preparing = True
        found = self.judge.death(end, target, expected, dead.model, preparing=preparing)
        # That one thread survives it is shown before it counts.
        if self.check.chance and found.also is None:
            alone = dead.ended_together and BESIDE not in self.check.pins
            found.clause = self.judge.blamed_thread(end, self.clause, alone=alone)
        return found

    def _failed(self, violation: Violation, session: Session, *, fresh: bool) -> None:
        # What threads do is made again in fresh processes whichever has shown it.
        again = self._draw_recorder is not None and (fresh or self.check.chance)
        choices = self._draw_recorder.choices() if self._draw_recorder and again else None
        failed = FailingExample(violation, tuple(session.trace.steps), session.axes.chosen, choices)
        if self.check.stepwise and self.explained(self._of(failed)):
            self.known_failures[violation.clause] = failed  # there may be others behind it
            return
        if self._until is None:
            self._until = time.monotonic() + LONGEST
        self.coverage.ended = session.axes.chosen
        if self.check.chance:
            self._repeated(failed, () if fresh else session.made[:-1])
            raise ShortEnough
        # A known hang is believed at once: to show it again costs its whole budget.
        known = violation.ended == HANG and self.explained(self._of(failed))
        doubtful = not fresh or self._killed_once(violation)
        if doubtful and not known and violation.also is None:
            self.unconfirmed_violation = violation
            return
        once = not self.failures and self.unconfirmed_violation is None
        if once and violation.also is None and not self._shows_again(failed):
            self.unconfirmed_violation = violation
            self.doubt = f"once in {1 + self.repetitions} fresh processes"
            return
        self.failures.append(failed)
        if violation.ended == HANG:
            self.pool.hung.add(_last(failed))
        if self._replays or self.explained(self.conclusion()):
            raise ShortEnough  # its finding has a shorter program than could be made here
        if self._step_recorder is not None:
            recorded = self._step_recorder
            fewest(
                recorded.steps, lambda kept: self._fails(violation, StepReplayer(recorded, kept))
            )
            raise ShortEnough
        # To strike the process that watches others costs a start of the library.
        limit = 1 if killed(violation) else DEADLY_EXAMPLES.get(violation.ended or "")
        self._deadly += 1
        if self.check.pins:
            raise ShortEnough  # all but what is pinned is as simple as can be
        if limit is not None and self._deadly >= limit:
            raise ShortEnough

    def _killed_once(self, violation: Violation) -> bool:
        """Return whether SIGKILL ended a process, and had not ended one before."""
        return killed(violation) and not killed(self.unconfirmed_violation)

    def _enough(self, times: int = 1) -> bool:
        """Return whether as many examples were made as a shorter one is worth."""
        late = self._until is not None and time.monotonic() > self._until
        return late or self._attempts >= times * self.shorter

    def _shows_again(self, failed: FailingExample) -> bool:
        """Return whether a second process shows a failure: what is seen once may be chance.

        What cannot be drawn again is believed at once. So is the hang of a function that a second
        process has shown to hang in this run, as each costs its whole budget. Of a sequence of
        steps, shorter ones are made, each in a process of its own.
        """
        # With a value pinned there may be no step but the one that fails.
        shortened = self.check.stepwise and not self.check.pins
        hangs = failed.violation.ended == HANG and _last(failed) in self.pool.hung
        if failed.choices is None or shortened or hangs:
            return True
        if self.explained(self._of(failed)):
            return True
        return any(
            found.clause == failed.violation.clause
            for found in (self._once_more(failed) for _ in range(self.repetitions))
            if found is not None
        )

    def _repeated(self, failed: FailingExample, past: MadeExamples) -> None:
        """Make an example again and again to see how often it fails, and whether threads do it.

        Args:
            failed: the example.
            past: the examples that its process had made before it.

        Raises:
            ProvesNothing: it fails without threads as well, or without the function.

        """
        violation = failed.violation
        for _ in range(CONTROLS):
            if alone := self._once_more(failed, alone=True):
                # What would come behind it was not tried, so it need not be the same.
                raise NotByThreads(
                    f"goes wrong in one thread as well: {alone.summary}",
                    remains=all(isinstance(v.demand, KeepsNothing) for v in (violation, alone)),
                    hangs=alone.ended == HANG,
                )
        if self.explained(self._of(failed)):
            if violation.clause != self.clause.id:
                raise NotByThreads(f"a known failure: {violation.clause}: {violation.summary}")
            self.failures.append(failed)
            return
        self._require_part(failed)
        hangs = violation.ended == HANG

        def same() -> bool:
            nonlocal hangs
            found = self._once_more(failed)
            hangs = hangs or (found is not None and found.ended == HANG)
            return found is not None and found.clause == violation.clause

        rate = measured(same, self.repetitions, costly=lambda: hangs)
        if rate.seen > 1 or violation.also is not None:  # which is reported only where it is one
            self.failures.append(replace(failed, rate=rate))
            return
        if past:
            self._require_threads(failed, past)
        self.unconfirmed_violation, self.doubt = violation, f"once in {rate.of} repetitions"

    def _require_threads(self, failed: FailingExample, past: MadeExamples) -> None:
        """Require that a failure does not come of what its process did before, in one thread.

        Raises:
            ProvesNothing: it does.

        """
        if failed.choices is None:
            return

        def alone(session: Session, draw: Draw) -> Violation | None:
            session.alone = True
            return self._played(session, draw)

        examples = [*remade(past), PastExample(self.check, self.check.pins, failed.choices)]
        registry = self.judge.registry
        history = History(self.pool, registry, alone, failed.violation, examples, CONTROLS)
        if history.explain(unstated=True):
            earlier = f"{failed.violation.summary}, after {len(examples) - 1} earlier examples"
            raise NotByThreads(f"goes wrong in one thread as well: {earlier}")

    def _require_part(self, failed: FailingExample) -> None:
        """Require that a failure takes calls of the clause's own function.

        Raises:
            ProvesNothing: what threads call beside it goes wrong by itself.

        """
        own = self.clause.function
        if starts_runtime(self.judge.registry.functions[own]):
            return  # without it, the others are right to refuse
        beside = {lane.function for step in failed.steps for lane in _at_one_time(step)} - {own}
        if not beside or BESIDE in self.check.pins or self.clause.slug != THREADS:
            return
        for _ in range(self.repetitions):
            if others := self._once_more(failed, left_out=own):
                raise NotByThreads(
                    f"goes wrong without {own} as well, in threads that call "
                    f"{' and '.join(sorted(beside))}: {others.summary}",
                    hangs=others.ended == HANG,
                )

    def _once_more(
        self, failed: FailingExample, *, alone: bool = False, left_out: str | None = None
    ) -> Violation | None:
        """Make an example again in a fresh process, and return what goes wrong, if anything."""

        def prepare(session: Session) -> None:
            session.alone, session.left_out = alone, left_out

        again = self._made_again(failed, prepare)
        return None if again is None else again.violation

    def _made_again(
        self, failed: FailingExample, prepare: Callable[[Session], None]
    ) -> FailingExample | None:
        """Make an example again in a fresh process, and return what fails, if anything does."""
        interrupts.checkpoint()
        if failed.choices is None:
            return None
        draw = DrawReplayer(failed.choices)
        try:
            with self.pool.session(initialised=self.check.initialised, fresh=True) as session:
                begin_example(session, draw, self.check.pins)
                prepare(session)
                found = self._played(session, draw)
                steps, chosen = tuple(session.trace.steps), session.axes.chosen
        except Unavailable:
            return None
        if found is None:
            return None
        return replace(failed, violation=found, steps=steps, chosen=chosen)

    def _tell_reuse(self) -> None:
        """Let the steps of a failure say what overwrites memory, if it takes that.

        Most failures do not, and their steps are easier to read where all stays in its place.
        """
        failed = self.worst()
        if failed is None or self.check.chance or not _lends(failed):
            return
        if failed.violation.ended == HANG or self.explained(self._of(failed)):
            return

        def shows(reuse: Reuse) -> FailingExample | None:
            def prepare(session: Session) -> None:
                session.scratch.reuse = reuse

            again = self._made_again(failed, prepare)
            if again is None or again.violation.clause != failed.violation.clause:
                return None
            # Made again, a sequence may have steps that it does not take.
            return again if len(_calls(again)) <= len(_calls(failed)) else None

        if (again := shows(Reuse.NONE) or shows(Reuse.TOLD)) is not None:
            self.failures = [again]

    def _fails(self, violation: Violation, replayed: StepReplayer) -> bool:
        """Return whether the same goes wrong with fewer steps, in a fresh process; keep it then."""
        if self._enough(STEPS) or self._hangs >= DEADLY_EXAMPLES[HANG]:
            return False
        self._attempts += 1
        interrupts.checkpoint()
        initialised = self.check.initialised
        noted = DrawRecorder(replayed)
        try:
            with self.pool.session(initialised=initialised, fresh=True) as session:
                begin_example(session, noted, self.check.pins)
                session.skipped_clauses = self.known_failures
                found = self._played(session, noted)
                steps, chosen = tuple(session.trace.steps), session.axes.chosen
        except Unavailable:
            return False
        if found is None:
            return False
        self._hangs += found.ended == HANG
        same = (found.clause, found.ended) == (violation.clause, violation.ended)
        if found.clause in self.known_failures or not same:
            return False
        if killed(found) and not killed(violation):
            return False
        self.failures.append(FailingExample(found, steps, chosen, noted.choices()))
        return True

    def _played(self, session: Session, draw: Draw) -> Violation | None:
        before = session.calls
        try:
            self.check.body(session, draw, Counts())
        except Violation as violation:
            return violation
        except Ended as end:
            return self._death(end, session, self.clause, preparing=False)
        except (Blocked, Inconsistent, ProvesNothing):
            return None
        finally:
            self.counts.calls += session.calls - before
        return None


def _last(failed: FailingExample) -> str:
    """Return the function that an example called last; nothing where it called none."""
    calls = _calls(failed)
    return calls[-1].function if calls else ""


def _calls(failed: FailingExample) -> Sequence[Call]:
    return [step.action for step in failed.steps if isinstance(step.action, Call)]


def _at_one_time(step: Step) -> Sequence[Call]:
    """Return what threads called at one time in a step."""
    return (
        [c for lane in step.action.lanes for c in lane] if isinstance(step.action, Together) else []
    )


def _lends(failed: FailingExample) -> bool:
    """Return whether memory was laid out for a call of an example."""
    return any(isinstance(value, Memory) for call in _calls(failed) for value in call.arguments)
