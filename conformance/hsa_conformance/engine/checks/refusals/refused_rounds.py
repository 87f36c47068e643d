"""Equal rounds of a call during which something is refused, and what they leave behind."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from hsa_adapters.faults import Refusal
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.check import Counts
from hsa_conformance.engine.checks.growth import (
    ENOUGH,
    ROUNDS,
    WARM_UP,
    Choices,
    growth,
    left_behind,
)
from hsa_conformance.engine.checks.refusals.arming import armed, words
from hsa_conformance.engine.checks.refusals.function import RefusedFunction
from hsa_conformance.engine.checks.refusals.ways import Way
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, NotOnMachine
from hsa_conformance.engine.library.stable_answers import StableAnswers
from hsa_conformance.engine.session.clean_up import clean_up_both
from hsa_conformance.engine.session.session import Session
from hsa_reports.demands import Answers


class RefusedRounds:
    """Equal rounds of one call, and one way in which it is refused something meanwhile.

    Args:
        of: the function.
        session: the process and what is known of it.
        draw: draws the choices of the example; see `generation.drawing`.
        way: what is refused.

    """

    def __init__(self, of: RefusedFunction, session: Session, draw: Draw, way: Way) -> None:
        self.of = of
        self.session = session
        self.choices = Choices(draw)
        self.way = way
        self.done = of.faults.done(way.call)
        self.refusing = True
        self.rounds = 0
        self.begun = 0  # how many steps there were before the last round that the trace has
        self.under_way = False  # whether the call is being made during which something is refused
        self.tidy = True  # whether everything that was made is given back
        self.succeeded = False  # whether a call succeeded although something was refused
        self.beyond = False  # whether devices were asked for more than an imitation can do

    def judge(self, counts: Counts) -> None:
        """Make equal rounds, and judge what they show.

        Raises:
            Violation: the clause is broken.
            CannotMake: nothing was refused.
            NotOnMachine: the library goes a way on which an imitation cannot follow.

        """
        try:
            self._judge(counts)
        finally:
            self._require_within_reach()

    def _require_within_reach(self) -> None:
        self.beyond |= self.of.faults.beyond() > 0
        if self.beyond:
            raise NotOnMachine(self.of.runs_kernel(self.way.call)) from None

    def _judge(self, counts: Counts) -> None:
        of, session = self.of, self.session
        if self.done is Refusal.ALL:
            self._one(self.choices.again())
            counts.satisfied += 1
            return
        grown = self._growth()
        counts.satisfied += 1
        end = len(session.trace.notes)
        # What the driver does not take back, only who was to give it back can tell of.
        if grown and (self.done is Refusal.NOTHING or of.gives_back):
            own = self._own(grown)
            if own:
                whose = f"each call {of.refuser.met}"
                steps = end - self.begun
                raise left_behind(of.clause, whose, own, "nothing", steps, end, stated=False)
        self._works_on()

    def _own(self, grown: Mapping[str, int]) -> Mapping[str, int]:
        """Return what of the growth is not there where nothing is refused.

        A round of the others has a call that fails, and one that succeeds: as many are made here.
        """
        self.refusing = False
        process, rounds = self.session.process, self.of.refuser.rounds
        before = process.ledger()
        with suppress(CannotMake):
            for _ in range(2 * rounds):
                self._round()
        after = process.ledger()
        gained = {name: after.get(name, 0) - before.get(name, 0) for name in grown}
        return {n: count for n, count in grown.items() if 2 * gained[n] < rounds * count}

    def _growth(self) -> Mapping[str, int]:
        """Return what grows from round to round, as far as the rounds are equal."""
        grown: Mapping[str, int] = {}
        try:
            rounds = self.of.refuser.rounds
            enough = rounds * ENOUGH // ROUNDS
            grown = growth(self.session.process, self._round, rounds, enough)
            if grown and rounds < ROUNDS:
                # Caches of the C library fill for some rounds, and count as in use.
                again = growth(self.session.process, self._round)
                grown = {name: again[name] for name in grown if name in again}
        except CannotMake:
            if not self.rounds:
                raise
            # What it asks of the driver, it asks once: there is nothing that could grow.
            with self.session.apart():
                self.tidy = clean_up_both(self.session)
        return grown

    def _round(self) -> None:
        draw, session = self.choices.again(), self.session
        if not self.rounds:
            self._one(draw)
        # The first round may go another way than all others: the trace has the next one, too.
        elif self.rounds < WARM_UP:
            self.begun = len(session.trace.notes)
            self._another(draw)
        else:
            with session.apart():
                self._another(draw)
        self.rounds += 1

    def _another(self, draw: Draw) -> None:
        try:
            self._one(draw)
        except Blocked as blocked:
            raise self.of.answers.blocked_after("calls", blocked, self.session) from None

    def _one(self, draw: Draw) -> None:
        """Make one round."""
        of, session = self.of, self.session
        of.prepare(session)
        builder = of.build(session, draw)
        expected = of.judge.expect(of.function, session.model, builder.raw())
        if not self.refusing:
            session.call_with(of.function.name, builder.values)
        else:
            answer = self._refused(builder)
            of.answers.check(answer, expected)
            self.succeeded |= answer.ok
            if self.done is Refusal.ALL:
                return  # the library cannot know whether there is anything left to give back
            if not answer.ok and of.starts:
                self._require_ended()
            if not answer.ok:
                again = session.call_with(of.function.name, builder.values)
                of.answers.check_again(again, expected)
            if of.starts and not self.rounds:
                self._rediscover(failed=not answer.ok)
        if not clean_up_both(session) and self.refusing and of.ends_well:
            summary = f"what calls make cannot be given back, after {words(self.way.refusal(0))}"
            allowed = {"HSA_STATUS_SUCCESS": [of.clause.id]}
            raise of.answers.wrong_after(summary, "an error", allowed)

    def _refused(self, builder: Builder) -> Answer:
        """Make the call, during which something is refused.

        Raises:
            CannotMake: nothing was.
            Unavailable: nothing ever is.

        """
        faults, session = self.of.faults, self.session
        refusal = self.way.refusal(self.of.ways.before(self.way, self.choices.key))
        session.expected = self.of.expectation
        self.beyond |= faults.beyond() > 0  # before it is forgotten
        with armed(session, faults, refusal):
            self.under_way = True
            try:
                answer = session.call_with(self.of.function.name, builder.values)
                self.under_way = False
            finally:
                hits = faults.hits()
                if not hits:
                    self.of.ways.missed(self.way, faults.made(), self.choices.key)
        if not hits:
            # By chance, or with other arguments, it may.
            often = self.of.ways.lacks(self.way)
            reason = f"{self.of.function.name} asked for no {self.way.call} to refuse"
            if often and not self.rounds:
                raise Unavailable(self.of.refuser.unasked, reason)
            raise CannotMake(reason)
        return answer

    def _require_ended(self) -> None:
        """Demand that a runtime which did not start cannot be shut down.

        Raises:
            Violation: it can.

        """
        if self.session.offers("hsa_shut_down"):
            self.of.answers.check_ended(self.session.call("hsa_shut_down"))

    def _rediscover(self, *, failed: bool) -> None:
        """Ask the machine what every process is asked: it has to have been really initialised.

        Args:
            failed: whether the call that was refused something failed, and the machine has to be
                the one of other processes again.

        Raises:
            Violation: a question is not answered, or otherwise than in other processes.

        """
        session = self.session
        before = session.stable_answers.shown()
        session.stable_answers = (
            StableAnswers()
        )  # what other processes answered proves nothing here
        allowed = {"an initialised runtime": [self.of.clause.id]}
        try:
            session.discover(session)
        except (Blocked, Unavailable) as obstacle:
            summary = f"hsa_init succeeds after a refusal, and then: {obstacle.reason}"
            raise self.of.answers.wrong_after(summary, obstacle.reason, allowed) from None
        shown = session.stable_answers.shown()
        others = [what for what, seen in before.items() if _other(shown.get(what, seen), seen)]
        if failed and others:
            summary = f"hsa_init succeeds after one that failed, with other {' and '.join(others)}"
            got = f"{shown[others[0]]}"
            right = {f"{before[others[0]]}": [self.of.clause.id]}
            raise self.of.answers.wrong_after(summary, got, right)

    def _works_on(self) -> None:
        """Use the runtime once more, and end it."""
        of, session = self.of, self.session
        allowed = {"HSA_STATUS_SUCCESS": [of.clause.id]}
        demand = Answers(("HSA_STATUS_SUCCESS",))
        if session.model.references and session.offers("hsa_system_get_info"):
            major = session.registry.constants["HSA_SYSTEM_INFO_VERSION_MAJOR"]
            answer = session.call("hsa_system_get_info", attribute=major, value=Out())
            if not answer.ok:
                summary = "after that, hsa_system_get_info fails"
                raise of.answers.wrong_after(summary, answer.name, allowed, demand)
        if of.ends_well and self.tidy and not of.ended(session):
            summary = "after that, hsa_shut_down fails"
            raise of.answers.wrong_after(summary, "an error", allowed, demand)


def _other(shown: object, seen: object) -> bool:
    """Return whether a process shows something else: lists may be in any order."""
    if isinstance(shown, list) and isinstance(seen, list):
        return sorted(shown) != sorted(seen)
    return shown != seen
