"""What a function promises, of calls that are refused something, and of those after them.

A property of the function is tried with nothing refused, and then again with the same choices and a
refusal during the function's first call. If that call succeeds, what the property demands has to
hold as before. If it fails, it may; but then the property has to hold of the calls that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from hsa_adapters.calls import Outcome
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.arguments import PreparedCall
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable, Violation
from hsa_conformance.engine.checks.effects.properties import Property, Scene
from hsa_conformance.engine.checks.growth import Choices
from hsa_conformance.engine.checks.refusals.arming import armed
from hsa_conformance.engine.checks.refusals.function import RefusedFunction
from hsa_conformance.engine.checks.refusals.ways import Way
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.session.axes import Axes
from hsa_conformance.engine.session.clean_up import clean_up_both
from hsa_conformance.engine.session.session import Session
from hsa_spec import Clause

#: How many properties one example tries, by whether calls succeed that are refused something.
TRIED: Final = {True: 4, False: 1}


class RefusedEffects:
    """Properties of one function, and one way in which it is refused something meanwhile.

    Args:
        of: the function.
        session: the process and what is known of it.
        draw: draws the choices of the example; see `generation.drawing`.
        way: what is refused.

    """

    def __init__(self, of: RefusedFunction, session: Session, draw: Draw, way: Way) -> None:
        self.of = of
        self.session = session
        self.draw = draw
        self.way = way
        self.refused = False  # whether a call has succeeded that was refused something
        self.failed = False  # whether one has failed

    def judge(self, *, succeeded: bool) -> None:
        """Try some of the properties.

        Args:
            succeeded: whether a call succeeded before that was refused something.

        Raises:
            Violation: one does not hold after a refusal alone.
            Ended: the process does not survive it.
            CannotMake: one does not hold with nothing refused, either; it is not tried again.

        """
        effects = [pair for pair in self.of.effects if pair[1] not in self.of.unusable]
        if not effects or self.of.starts:
            return
        axes = self.session.axes
        self._restart()
        try:
            for number in self.draw(drawing.permutations(range(len(effects))))[: TRIED[succeeded]]:
                clause, effect = effects[number]
                choices = Choices(self.draw)
                # What fails behind a call that failed must not be what does at the second try.
                if all(
                    self._can_judge(clause, effect, choices) for _ in range(1 if succeeded else 2)
                ):
                    self._try(clause, effect, choices)
                    if self.failed:
                        clean_up_both(self.session)
                        self._try_behind(clause, effect, choices)
                clean_up_both(self.session)  # other checks say where that fails
        finally:
            self.session.axes = axes

    def _restart(self) -> None:
        """Start the runtime again, which was ended after the rounds.

        Raises:
            CannotMake: it does not start. After refusals that is no reason to believe that it
                never does, as a call that only prepares an example would have it.

        """
        session = self.session
        try:
            if not session.model.references and not session.call("hsa_init").ok:
                raise CannotMake("the runtime does not start again after refusals")
            session.discover(session)
        except (Ended, Unavailable, Blocked):
            raise CannotMake("the runtime does not start again after refusals") from None

    def _run(self, clause: Clause, effect: Property, choices: Choices) -> None:
        self.session.axes = Axes()
        self.session.callback_arguments.clear()  # the same choices give callbacks the same data
        effect.body(Scene(self.session, choices.again(), clause))

    def _can_judge(self, clause: Clause, effect: Property, choices: Choices) -> bool:
        """Return whether a property holds with nothing refused, and can be judged."""
        try:
            self._run(clause, effect, choices)
        except ProvesNothing:
            return False
        except (Unavailable, Blocked, Violation, Ended):
            self.of.unusable.add(effect)
            raise CannotMake(f"{clause.id} does not hold with nothing refused, either") from None
        clean_up_both(self.session)
        return True

    def _try(self, clause: Clause, effect: Property, choices: Choices) -> None:
        self.refused, self.failed = False, False
        try:
            with self._refusing():
                self._run(clause, effect, choices)
        except (ProvesNothing, Unavailable, Blocked):
            return
        except Violation as violation:
            if self.refused and violation.clause == clause.id:
                self.of.require_within_reach(self.way.call)
                raise self._breach(violation) from None
        except Ended:
            if not self.refused:
                raise CannotMake("a call fails, and the process ends behind it") from None
            self.of.require_within_reach(self.way.call)
            raise

    def _try_behind(self, clause: Clause, effect: Property, choices: Choices) -> None:
        """Try a property with nothing refused, behind a call that failed."""
        answers, call = self.of.answers, f"a call of {self.of.function.name}"
        try:
            self._run(clause, effect, choices)
        except (ProvesNothing, Unavailable):
            return
        except Blocked as blocked:
            self.of.require_within_reach(self.way.call)
            raise answers.blocked_after(call, blocked, self.session) from None
        except Violation as broken:
            if broken.clause == clause.id:
                self.of.require_within_reach(self.way.call)
                summary = f"after {call} {self.of.refuser.met}, {broken.summary}"
                raise answers.wrong_after(summary, broken.got, broken.allowed) from None

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Refuse something during the first call of the function that asks for it."""
        session, faults = self.session, self.of.faults
        refusal = self.way.refusal(self.of.ways.before(self.way, None))

        def meanwhile(prepared: PreparedCall, make: Callable[[], Outcome]) -> Outcome:
            function = prepared.function.name
            if self.refused or self.failed or function != self.of.function.name:
                return make()
            with armed(session, faults, refusal):
                outcome = make()
                hits = faults.hits()
            self.failed = hits > 0 and outcome.result != 0
            self.refused = hits > 0 and not self.failed
            return outcome

        session.meanwhile = meanwhile
        try:
            yield
        finally:
            session.meanwhile = None

    def _breach(self, violation: Violation) -> Violation:
        name, way = self.of.function.name, self.way
        summary = (
            f"{name} answered SUCCESS although {self.of.refuser.refused(way.call)}, and then: "
            f"{violation.summary}"
        )
        got, allowed, demand = violation.got, violation.allowed, violation.demand
        return self.of.answers.wrong(summary, got, allowed, demand, violation.step_count)
