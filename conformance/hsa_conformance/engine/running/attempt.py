"""The examples of one check, up to the shortest that fails in a fresh process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Final

from hsa_adapters import interrupts
from hsa_adapters.errors import AdapterError, Ended
from hsa_conformance.engine.calls.outcomes import (
    Blocked,
    CallLimit,
    Inconsistent,
    OverBudget,
    ProvesNothing,
    Unavailable,
    Violation,
)
from hsa_conformance.engine.checks.before.earlier_calls import WentWrong
from hsa_conformance.engine.checks.check import Counts
from hsa_conformance.engine.checks.random_programs.steps import StepRecorder
from hsa_conformance.engine.generation.drawing import Draw, Sampler
from hsa_conformance.engine.generation.fixtures import CannotMake, Misfit, NotOnMachine, OutOfReach
from hsa_conformance.engine.judging.deaths import finding_of_end
from hsa_conformance.engine.judging.reach import within_reach
from hsa_conformance.engine.judging.rejection import omission, rejection
from hsa_conformance.engine.judging.statuses import OUT_OF_RESOURCES
from hsa_conformance.engine.judging.verdict import SURVIVORS, killed
from hsa_conformance.engine.running.examples import (
    DrawnValue,
    DrawRecorder,
    DrawReplayer,
    Example,
    begin_example,
)
from hsa_conformance.engine.running.failures.history import (
    History,
    PastExample,
    last_examples,
    remade,
)
from hsa_conformance.engine.running.failures.shortening import (
    STEPS,
    NotByThreads,
    Shortening,
    ShortEnough,
)
from hsa_conformance.engine.running.late_ends import Evidence, earliest, may_be_late
from hsa_conformance.engine.running.result import FailingExample
from hsa_conformance.engine.running.session_pool import MadeExamples
from hsa_conformance.engine.session.repeat_offenders import RepeatOffenders
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads import overlap
from hsa_reports import BEFORE, Result, Verdict
from hsa_reports.verdicts import BROKEN, DEATHS
from hsa_spec import Clause

#: How many examples may prove nothing for each one that was asked for, before a check gives up.
DISCARDS_PER_EXAMPLE: Final = 3
#: The least number of examples that this goes by.
LEAST: Final = 8

#: How many times as many examples are made while too few calls of threads overlap.
MORE_FOR_OVERLAP: Final = 8

#: How many examples are tried that do not go with their size, or with what comes before them.
MISFITS: Final = 3
#: Of an example with something before its call: of those that can be made, 49 of 50 need fewer.
BEFORE_DISCARDS: Final = 8


class _KnownFailure(ProvesNothing):
    """An example ended in a failure that is known; what it did until then was right."""


class Attempt(Shortening):
    """Makes the examples of one check, up to the shortest that fails in a fresh process.

    Args:
        pool: where sessions come from.
        judge: says what holds for a call that a process did not survive.
        check: the check.
        explained: whether a failure is known already, and need not be made shorter.
        seen: where to note what its examples are made with.

    """

    _most_discards = 0
    _died_in_set_up = False
    _looked_back = False  # to look is worth as many processes once
    _past: MadeExamples = ()  # what the process of the last example made before it
    _stopped: Blocked | Unavailable | AdapterError | None = None
    _went_wrong = False  # whether it was what came before the call of the last example

    def drive(self, examples: int, seed: str) -> None:
        """Make examples until one fails, and make that one simpler.

        Args:
            examples: how many there are to be.
            seed: makes two runs draw the same.

        Raises:
            Blocked: a set-up call failed.
            Unavailable: nothing can be judged.
            AdapterError: the implementation cannot be used any more.

        """
        usual = DISCARDS_PER_EXAMPLE * max(examples, LEAST)
        self._most_discards = BEFORE_DISCARDS if BEFORE in self.check.pins else usual
        seed = f"{seed}:{self.check.clause}:{self.check.name}"
        made = tried = 0
        try:
            for draw in self._draws(seed):
                tried += 1
                made += self._example(draw, self.check.pins)
                if made >= examples and (self._overlaps() or made >= MORE_FOR_OVERLAP * examples):
                    break
        except Violation:
            with suppress(ShortEnough):
                self._confirm()
                if tried > 1:  # the first example is the simplest one
                    self._simplify(seed)
        except ShortEnough:
            pass
        self.coverage.simplest = tried == 1
        self._place_blame()
        self._tell_reuse()
        if self._stopped is not None and not self.failures:
            raise self._stopped

    def _draws(self, seed: str) -> Iterator[Draw]:
        """Yield what draws each example: the same ones again while too few calls overlap."""
        yield from Sampler(seed).examples()
        while not self._overlaps():
            yield from Sampler(seed).examples()

    def _overlaps(self) -> bool:
        """Return whether enough calls of threads overlapped, which a busy machine can prevent."""
        counts = self.counts
        return not self.check.chance or overlap.is_enough(counts.overlapping, counts.timed)

    def _confirm(self) -> None:
        """Make an example that failed again, in fresh processes, until one shows it.

        If none does, not after earlier examples either, `unconfirmed_violation` stays, of which
        `conclusion` makes FLAKY or NOT_RUN.

        Raises:
            ShortEnough: it does not fail there, or it is simple enough.

        """
        # If there are failures, its process was a fresh one.
        drawn = self._draw_recorder.choices() if self._draw_recorder is not None else None
        past, tried = self._past, 0
        while drawn is not None and self.unconfirmed_violation is not None and not self.failures:
            if tried >= (SURVIVORS if killed(self.unconfirmed_violation) else 1):
                late = may_be_late(self.unconfirmed_violation.end)
                shown = self._late(drawn, past) if late else None
                shown = shown or self._after(past, drawn, self.unconfirmed_violation)
                if shown is not None:
                    self.failures.append(shown)
                raise ShortEnough
            tried += 1
            with suppress(Violation):
                self._example(DrawReplayer(drawn), self.check.pins)
            if self._went_wrong:
                # What goes wrong before the call is to blame for all that follows, or nobody is.
                self.unconfirmed_violation = None

    def shown(self, failed: FailingExample) -> Result:
        """Return the result that an example which fails shows.

        A thread of the library's own that ends the process may have been started by an earlier call
        than the one that was under way, whose function is innocent if it does no harm in its own
        checks. Then it is the function under test, unless that had not been called yet.
        """
        violation, end, own = failed.violation, failed.violation.end, self.clause.function
        accused = _function(violation.clause)
        if end is None or not end.elsewhere or (accused != own and not self._is_innocent(accused)):
            return super().shown(failed)
        if not any(f"{own}(" in step.call for step in failed.steps):
            return self.result(Verdict.BLOCKED, f"{violation.clause}: {violation.got}")
        if accused == own:
            return super().shown(failed)
        found = finding_of_end(end, self.clause, [self.clause], [self.clause])
        found.summary += f", by a thread of the library's own; {accused} alone does no harm"
        return super().shown(replace(failed, violation=found))

    def _is_innocent(self, accused: str) -> bool:
        """Return whether a function does no harm in its own checks."""
        function = self.judge.registry.functions.get(accused)
        if function is None:
            return False
        found = {verdict for c in function.clauses for verdict in self.pool.verdicts_of(c)}
        return Verdict.PASS in found and not found & DEATHS

    def _place_blame(self) -> None:
        """Lay the end of a process on an earlier call, if it takes no later one."""
        failed = self.worst()
        if failed is None or failed.choices is None or self.explained(self._of(failed)):
            return
        if may_be_late(failed.violation.end) and (shown := self._late(failed.choices)) is not None:
            self.failures = [shown]

    def _late(
        self, drawn: tuple[DrawnValue, ...], past: MadeExamples = ()
    ) -> FailingExample | None:
        """Return the failure of the call after which the process of an example ends.

        Args:
            drawn: what was drawn for the example.
            past: the examples that its process had made before it.

        """
        return self.late([PastExample(self.check, self.check.pins, drawn), *last_examples(past)])

    def late(self, examples: Sequence[PastExample]) -> FailingExample | None:
        """Return the failure of the call after which a process ends.

        Args:
            examples: those that may make it; each has a process of its own, the first one first.

        """
        if self.check.chance:
            return None
        shown: FailingExample | None = None
        for example in examples:
            found = earliest(partial(self._watched, example))
            if found is not None and found.violation.verdict is not Verdict.FRAGILE:
                return found  # the heavier one, if they differ
            shown = shown or found
        return shown

    def late_block(self, blocked: Blocked) -> FailingExample | None:
        """Return the failure of another call, if that has ended the process during set-up."""
        drawn = self._draw_recorder.choices() if self._draw_recorder is not None else None
        if drawn is None or not self._died_in_set_up or not may_be_late(blocked.end):
            return None
        shown = self._late(drawn, self._past)
        if shown is None or _function(shown.violation.clause) == _function(blocked.clause):
            return None
        return shown

    def _watched(self, made: PastExample, most: int | None) -> Evidence[FailingExample] | None:
        """Make an example in a fresh process, or its first calls, and watch how that ends."""
        interrupts.checkpoint()
        check, draw = made.check, DrawReplayer(made.choices)
        clause, preparing = self.judge.registry.clauses[check.clause], False
        try:
            with self.pool.session(initialised=check.initialised, fresh=True, most=most) as session:
                begin_example(session, draw, made.pins)
                session.fatal = RepeatOffenders()  # it is made once more, and accuses no one twice
                try:
                    check.body(session, draw, Counts())
                    end = session.watch()
                except CallLimit as limit:
                    end = limit.end
                except Ended as ended:
                    end = ended
                except Blocked as blocked:
                    end, preparing = blocked.end, True
                except (Violation, ProvesNothing, Unavailable, Inconsistent):
                    end = session.watch()
                if end is None:
                    return None
                found = self._death(end, session, clause, preparing=preparing)
                last = end.call.function if end.call is not None and not end.returned else None
                steps, chosen = tuple(session.trace.steps), session.axes.chosen
                failed = FailingExample(found, steps, chosen, made.choices)
                return Evidence(session.calls, failed, during=last == session.called)
        except Blocked as blocked:
            violation = self.pool.start_failures.violation(blocked)
            failed = FailingExample(violation, blocked.steps, {})
            return Evidence(most or 0, failed, during=True)
        except (CallLimit, Unavailable):
            return None

    def _after(
        self, past: MadeExamples, drawn: tuple[DrawnValue, ...], violation: Violation
    ) -> FailingExample | None:
        """Return the failure with the examples before it that it takes, if these explain it."""
        if self.check.chance:
            return None
        examples = [*remade(past), PastExample(self.check, self.check.pins, drawn)]
        most = STEPS * self.shorter
        registry = self.judge.registry
        return History(self.pool, registry, self._played, violation, examples, most).explain()

    def _simplify(self, seed: str) -> None:
        """Look for a simpler example that fails, if need be with the values of the one there is.

        Raises:
            ShortEnough: enough was tried, or a failure is simple enough.

        """
        # Where nothing fails, nothing of Hypothesis is needed.
        from hsa_conformance.engine.running.failures.simplifying import simplify

        before = len(self.failures)
        for pins in (self.check.pins, *(failed.chosen for failed in self.failures[-1:])):
            simplify(partial(self._example, pins=pins), seed)
            if len(self.failures) > before:
                return

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
            draw = DrawReplayer(example.choices)
            with (
                # What stops them says nothing of them; the examples to come meet it as well.
                suppress(Violation, ShortEnough, Blocked, Unavailable, Inconsistent),
                self.pool.session(initialised=self.check.initialised, fresh=True) as session,
            ):
                self._prepare(session, draw, example.pins)
                self._try(session, draw, fresh=True)
            if self.failures or self.known_failures:
                break
        return made

    def _prepare(self, session: Session, draw: Draw, pins: Mapping[str, str]) -> None:
        begin_example(session, draw, pins, self.coverage.tried)
        session.skipped_clauses = self.known_failures

    def _example(self, draw: Draw, pins: Mapping[str, str]) -> bool:
        """Make one example.

        Args:
            draw: draws what it is made with.
            pins: the value that it has to be made with, by axis.

        Returns:
            Whether it is one of those that were asked for; it proves nothing otherwise.

        Raises:
            Violation: it fails.
            ShortEnough: no further one is to be made.

        """
        interrupts.checkpoint()
        try:
            return self._one_example(draw, pins)
        except (Blocked, Unavailable, AdapterError) as stop:
            # Nothing to make shorter: the next example would end in the same way.
            self._stopped = stop
            raise ShortEnough from None
        except Inconsistent as facts:
            # The suite is wrong, or the library contradicts itself: nobody is blamed for it.
            reason = f"{self.check.clause}: what is known of the library does not fit: {facts}"
            self._stopped = Unavailable(Verdict.BLOCKED, reason)
            raise ShortEnough from None

    def _one_example(self, draw: Draw, pins: Mapping[str, str]) -> bool:
        self._went_wrong = False
        if self.failures:  # a fresh process has shown it
            if self._enough():
                raise ShortEnough
            self._attempts += 1
        fresh = self.check.fresh or self._until is not None
        draw = self._draw_recorder = DrawRecorder(draw)
        if self.check.stepwise:
            draw = self._step_recorder = StepRecorder(draw)
        with self.pool.session(initialised=self.check.initialised, fresh=fresh) as session:
            fresh = fresh or not session.used_before
            self._prepare(session, draw, pins)
            self._past = tuple(session.made)
            # What was drawn is complete when a later example asks for it.
            session.made.append((self.check, pins, self._draw_recorder))
            obstacle = self._try(session, draw, fresh=fresh)
            if obstacle is None and self.pool.look is not None:
                self.pool.look(session, self.check, tuple(session.made))
        if obstacle is None:
            self._look_back(self._draw_recorder)
            return True
        self._went_wrong = isinstance(obstacle, WentWrong)
        self.counts.discarded += 1
        if isinstance(obstacle, _KnownFailure):
            return True
        # What the machine lacks is the better reason, whichever example showed it.
        if not isinstance(self.obstacle, OutOfReach):
            self.obstacle = obstacle
        most = self._most_discards
        if isinstance(obstacle, Misfit | NotByThreads):
            # A further one would most likely hang as well.
            most = 1 if isinstance(obstacle, NotByThreads) and obstacle.hangs else MISFITS
        if self.counts.discarded >= most:
            raise ShortEnough
        return False

    def _look_back(self, noted: DrawRecorder) -> None:
        """Look whether an example has ended its process, if that did not live to be used again.

        Raises:
            ShortEnough: it has.

        """
        lost, drawn = self.pool.lost, noted.choices()
        if not may_be_late(lost) or drawn is None or self._looked_back:
            return
        self._looked_back = True
        if (shown := self._late(drawn, self._past)) is not None:
            self.failures.append(shown)
            raise ShortEnough

    @contextmanager
    def _no_omission(self) -> Iterator[None]:
        """Require that a call of the clause's own function writes its outputs, if it succeeds.

        Raises:
            Violation: one does not, wherever the example makes it.

        """
        try:
            yield
        except Blocked as blocked:
            success = self.judge.registry.clauses.get(blocked.clause)
            own = success is not None and success.function == self.clause.function
            if blocked.unwritten and success is not None and own:
                raise omission(blocked, blocked.unwritten, success) from None
            raise

    def _try(self, session: Session, draw: Draw, *, fresh: bool) -> ProvesNothing | None:
        """Run the check's body once; return why the example proves nothing, if it does not."""
        before, judged = session.calls, (self.counts.satisfied, self.counts.near_misses)
        timed, overlapping = session.timed, session.overlapping
        try:
            with within_reach(self.pool.executing, self.check.clause), self._no_omission():
                self.check.body(session, draw, self.counts)
        except Unavailable:
            self.coverage.ended = session.axes.chosen
            raise
        except NotOnMachine as lacking:
            self.coverage.ended = session.axes.chosen
            raise Unavailable(Verdict.NOT_APPLICABLE, str(lacking)) from None
        except ProvesNothing as obstacle:
            self.coverage.over_budget |= isinstance(obstacle, OverBudget)
            session.axes.withdraw(session.axes.tentative)
            return obstacle
        except Violation as violation:
            return self._blamed(violation, session, fresh=fresh)
        except Blocked as blocked:
            if seen := self.judge.leaving_open(blocked):
                session.axes.withdraw(session.axes.tentative)
                reason = (
                    f"{blocked.reason}, and no text says that it succeeds: {' and '.join(seen)}"
                )
                return OutOfReach(reason)
            self.coverage.ended = session.axes.chosen
            self._died_in_set_up = blocked.end is not None and session.met(blocked.end)
            if allowing := self.judge.allowing(blocked):
                reason = f"set-up: {blocked.reason}, as {' and '.join(allowing)} has it"
                raise Unavailable(Verdict.UNTESTED, reason) from None
            refused = self.judge.registry.clauses.get(blocked.clause) if blocked.refused else None
            if fresh and refused is not None and self._answers_for(refused, blocked):
                # What has to succeed is refused before a further valid call can be made.
                found = rejection(blocked, refused)
                self.set_up_failure = FailingExample(found, blocked.steps, session.axes.chosen)
            if fresh and blocked.end is not None and self._died_in_set_up:
                found = self._death(blocked.end, session, self.clause, preparing=True)
                self.set_up_failure = FailingExample(found, blocked.steps, session.axes.chosen)
            raise
        except Ended as end:
            ended = self._death(end, session, self.clause, preparing=False)
            return self._blamed(ended, session, fresh=fresh)
        finally:
            self.counts.calls += session.calls - before
            self.counts.timed += session.timed - timed
            self.counts.overlapping += session.overlapping - overlapping
            # A start of its own depends on the machine as much as the choice of an agent does.
            started = not self.check.initialised and session.model.initialised_once
            session.axes.on_machine |= started
            self.coverage.note(session.axes)
        if missed := session.axes.missing_pin():
            # What was judged has nothing to do with the value that is to be tried.
            self.counts.satisfied, self.counts.near_misses = judged
            return CannotMake(f"no example was made with {missed}")
        self.coverage.judged.update(session.axes.chosen.items())
        self.deciders |= session.demanded()
        return None

    def _answers_for(self, refused: Clause, blocked: Blocked) -> bool:
        """Return whether a call of set-up that is refused is a failure of the function under test.

        Args:
            refused: the clause that has the call succeed.
            blocked: the call.

        """
        if refused == self.clause:
            return True
        if refused.function != self.clause.function or blocked.got == OUT_OF_RESOURCES:
            return False
        found = self.pool.verdicts_of(refused)  # where its own checks fail, these say why
        return blocked.world is not None and Verdict.PASS in found and not found & BROKEN

    def _blamed(
        self, violation: Violation, session: Session, *, fresh: bool
    ) -> ProvesNothing | None:
        """Note what is wrong; go on behind what is known.

        Raises:
            Violation: it is not known.

        """
        try:
            self._failed(violation, session, fresh=fresh)
        except NotByThreads as obstacle:
            return None if obstacle.remains else obstacle
        if violation.clause not in self.known_failures:
            raise violation from None
        return _KnownFailure(f"a known failure: {violation.summary}")


def _function(clause: str) -> str:
    return clause.partition("/")[0]
