"""The check of random programs with a call during which something is refused.

The same program is played three times: with nothing refused, which shows what the call asks for;
with the call left out, as if it had failed; and with a refusal during it. Where the first two show
nothing wrong, the third one has to show nothing either: if the call fails, all is looked at, used
and destroyed as if it had not been made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from hsa_adapters.calls import Outcome
from hsa_adapters.errors import Ended
from hsa_adapters.faults import Refusal
from hsa_conformance.engine.calls.arguments import PreparedCall
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable, Violation
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.growth import Choices
from hsa_conformance.engine.checks.refusals.arming import armed
from hsa_conformance.engine.checks.refusals.function import RefusedFunction
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, places
from hsa_conformance.engine.judging.judge import Expectation
from hsa_conformance.engine.session.clean_up import clean_up_both
from hsa_conformance.engine.session.session import Session
from hsa_reports.actions import Refuse

#: Makes a call in some way.
_MadeBy = Callable[[Callable[[], Outcome]], Outcome]

#: What reports call the check.
IN_PROGRAMS: Final = "refused in a random program"

#: The status of a call that is left out.
_FAILURE: Final = "HSA_STATUS_ERROR_OUT_OF_RESOURCES"
#: How many steps a program has at most before the call.
_STEPS: Final = 12
#: How many programs an example tries, one after the other.
_PROGRAMS: Final = 6
#: The place of a call that stands for each of them.
_EACH: Final = -1
#: How many examples there are for each of the profile's.
_SHARE: Final = 0.2


def refused_program_check(of: RefusedFunction) -> Check:
    """Return the check of a function whose topic has random programs.

    Args:
        of: the function, and what is known of its calls.

    """
    name = of.function.name

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        programs = [RefusedProgram(of, session, draw) for _ in range(_PROGRAMS)]
        try:
            played = sum(program.judge() for program in programs)
        except Ended as end:
            if end.call is not None:
                # Nothing is known of a call after a refusal but what this clause says.
                session.whose(end).expected = Expectation((), end.call.function)
            raise
        if not played:
            reason = f"no random program has a call of {name} that can be refused something"
            raise Unavailable(of.refuser.unasked, reason)
        counts.satisfied += played

    return Check(of.clause.id, IN_PROGRAMS, body, fresh=True, examples=_SHARE)


class RefusedProgram:
    """A random program, and something that a call of a function in it is refused.

    Args:
        of: the function.
        session: the process and what is known of it.
        draw: draws the choices of the example; see `generation.drawing`.

    """

    def __init__(self, of: RefusedFunction, session: Session, draw: Draw) -> None:
        self.of = of
        self.session = session
        self.draw = draw
        self._choices = Choices(draw)
        self._alone = False  # whether the function is called after the program, not in it
        self._requests: list[Mapping[str, int]] = []  # how many of each kind, by each of its calls
        self._place = _EACH  # which of its calls is made in another way
        self._refusal = Refuse("", "", 0, False)  # and what
        self._made = 0  # how many of its calls were made
        self._met = False  # whether something was refused
        self._own = False  # whether the last call is that one

    def judge(self) -> bool:
        """Play it; return whether something was refused.

        Raises:
            Violation: something is not as it was before the call that failed.
            Ended: the process does not survive it.
            CannotMake: a program does not hold with nothing refused, and other checks say so.

        """
        if not self._holds(self._counted):
            return False
        calls = [place for place, made in enumerate(self._requests) if made]
        if not calls:
            return False
        self._place = calls[self.draw(places(len(calls)))]
        made = self._requests[self._place]
        kind = sorted(made)[self.draw(places(len(made)))]
        after = self.draw(places(made[kind]))
        self._refusal = Refuse(kind, self.of.faults.errors(kind)[0], after, False)
        return self._holds(self._left_out) and self._survives_refusal()

    def _holds(self, act: _MadeBy) -> bool:
        """Play with nothing refused; return whether all is right.

        Args:
            act: makes its calls of the function.

        Raises:
            CannotMake: the process does not survive it, or objects are not destroyed.

        """
        of, session = self.of, self.session
        holds = True
        try:
            with session.apart():
                self._play(act)
        except ProvesNothing:
            holds = False
        except Violation as broken:
            of.broken.add(broken.clause)
            holds = False
        except (Ended, Blocked, Unavailable):
            raise CannotMake("a program does not hold with nothing refused, either") from None
        with session.apart():
            if not clean_up_both(session):
                raise CannotMake("the objects of a program are not destroyed")
        return holds

    def _survives_refusal(self) -> bool:
        """Play with something refused; return whether it was."""
        of, session = self.of, self.session
        calls = f"a call of {of.function.name}"
        try:
            self._play(self._refused)
        except (ProvesNothing, Unavailable):
            return self._met
        except Blocked as blocked:
            self._require_met()
            raise of.answers.blocked_after(calls, blocked, session) from None
        except Violation as broken:
            self._require_met()
            got, allowed, demand = broken.got, broken.allowed, broken.demand
            summary = f"after {calls} {of.refuser.met}, {broken.summary}"
            raise of.answers.wrong_after(summary, got, allowed, demand) from None
        except Ended:
            self._require_met()
            raise
        if not clean_up_both(session):
            raise CannotMake("the objects of a program are not destroyed")
        return self._met

    def _require_met(self) -> None:
        if not self._met:
            raise CannotMake("a program does not go as before with nothing refused") from None
        self.of.require_within_reach(self._refusal.call)

    def _play(self, act: _MadeBy) -> None:
        """Play the program, call the function unless that does, and look at all there is.

        Args:
            act: makes its calls of the function, but for those of the last look.

        """
        of, session, draw = self.of, self.session, self._choices.again()
        self._made, self._met = 0, False
        before, session.skipped_clauses = session.skipped_clauses, frozenset(of.broken)
        session.callback_arguments.clear()  # the same choices give callbacks the same data
        program = of.programs[draw(places(len(of.programs)))]
        [player] = program.players([session], draw, of.judge, of.repertoire, wrong=False)
        try:
            with self._as_far_as_it_goes(), self._meanwhile(act):
                program.play(draw, [player], _STEPS)
                self._alone |= not any(self._requests)
                if self._alone and of.function.name in program.functions:
                    program.call(player, of.function.name)
            player.draw = self.draw  # what there is to look at depends on the call
            program.close([player])
        finally:
            session.skipped_clauses = before

    @contextmanager
    def _as_far_as_it_goes(self) -> Iterator[None]:
        """End the program where the refusal ends it; other checks judge what the call answers."""
        try:
            yield
        except ProvesNothing:
            if not self._met:
                raise
        except Violation:
            if not self._own:
                raise

    @contextmanager
    def _meanwhile(self, act: _MadeBy) -> Iterator[None]:
        """Let calls of the function be made in another way: each, or the one that is refused."""
        session, name = self.session, self.of.function.name

        def make_call(prepared: PreparedCall, make: Callable[[], Outcome]) -> Outcome:
            self._own = False
            if prepared.function.name != name:
                return make()
            place, self._made = self._made, self._made + 1
            return act(make) if self._place in (place, _EACH) else make()

        session.meanwhile = make_call
        try:
            yield
        finally:
            session.meanwhile = None

    def _counted(self, make: Callable[[], Outcome]) -> Outcome:
        faults = self.of.faults
        faults.watch()
        try:
            return make()
        finally:
            made = faults.made()
            faults.disarm()
            # Of what is refused once it was done, nobody can say that it was not.
            undone = [kind for kind in made if faults.done(kind) is Refusal.NOTHING]
            self._requests.append({kind: made[kind] for kind in undone if made[kind]})

    def _left_out(self, make: Callable[[], Outcome]) -> Outcome:
        del make
        self._met = self._own = True
        return Outcome(self.session.registry.status(_FAILURE))

    def _refused(self, make: Callable[[], Outcome]) -> Outcome:
        faults = self.of.faults
        with armed(self.session, faults, self._refusal):
            outcome = make()
            self._met = faults.hits() > 0
        self._own = self._met
        return outcome
