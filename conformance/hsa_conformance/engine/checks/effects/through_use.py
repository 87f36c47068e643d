"""The check of what objects leave behind that lived: made in each way, used, and given back.

What else there is stays meanwhile: a neighbour of the kind, and all that the calls need. So what
grows from round to round is left by the objects of the round, and would be there to stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.case import KEPT, Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.leaks import Rounds, guilty, pair
from hsa_conformance.engine.checks.effects.used_objects import (
    AnotherTry,
    KindOfObject,
    UsedObjects,
    takes,
)
from hsa_conformance.engine.checks.growth import RunsOut, growth, in_words, left_behind
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import begins, starts_runtime
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.state_rules import StateRules
from hsa_reports import Verdict
from hsa_reports.demands import Answers, KeepsNothing
from hsa_spec import Function

#: What reports call the choices of an example.
MADE_BY: Final = "made by"
USED_BY: Final = "used by"
#: What follows the name of what made them where they live at one time, beside others that stay.
BESIDE: Final = ", beside others"
#: What objects are used by: nothing, or all functions that take them, in an order that is drawn.
NOTHING: Final = "nothing"
IN_TURN: Final = "each function in turn"
#: Likewise, and what else these functions take is another object each time, which stays.
WITH_NEW: Final = "each function, with new objects"


class ThroughUse:
    """Makes the checks of what is left of objects that lived.

    Args:
        repertoire: makes conditions hold.
        judge: knows what the registry says of a call.
        rules: says how objects are given back, and by whom they are made.
        functions: the functions that the library offers, by name.
        seed: makes two runs choose the same.

    """

    def __init__(
        self,
        repertoire: Repertoire,
        judge: Judge,
        rules: StateRules,
        functions: Mapping[str, Function],
        seed: int,
    ) -> None:
        self.repertoire = repertoire
        self.judge = judge
        self.rules = rules
        self.functions = functions
        self.seed = seed

    def checks(self, case: Case) -> Iterator[Check]:
        """Yield the check of a function that gives objects back, if any function makes them."""
        function = case.function
        for rule in self.rules.clean_up:
            makers = [self.functions[name] for name in rule.makers if name in self.functions]
            if rule.function == function.name and makers:
                kind = KindOfObject(self.repertoire, self.judge, self.rules, function, rule)
                yield Check(
                    case.clause.id,
                    "objects that were used",
                    _Examples(self, case, kind, makers).body,
                    examples=_SHARE,
                    sweeps=True,
                    once=True,
                )

    def uses(self, kind: KindOfObject) -> Sequence[Function]:
        """Return the functions that take such an object, and leave it there."""
        back = {rule.function for rule in self.rules.clean_up}
        parameter = kind.back.parameter[kind.taken]
        return [
            function
            for function in self.functions.values()
            if function.name not in back and not starts_runtime(function)
            if not begins(function)  # or nobody can tell when it is over
            if any(takes(function, p, parameter) for p in function.params)
        ]


#: How many examples there are for each of the profile's: each of them is many rounds.
_SHARE: Final = 0.2


class _Examples:
    """The examples of one check.

    Args:
        of: what they are made with.
        case: the clause.
        kind: what is known of the objects.
        makers: the functions that make them.

    """

    def __init__(
        self, of: ThroughUse, case: Case, kind: KindOfObject, makers: Sequence[Function]
    ) -> None:
        self.of = of
        self.case = case
        self.kind = kind
        self.makers = makers
        self.uses = of.uses(kind)

    def body(self, session: Session, draw: Draw, counts: Counts) -> None:
        """Make one example."""
        try:
            self._example(session, draw)
        except AnotherTry:
            raise
        except RunsOut as lack:
            raise lack.breach(self.case.clause, Answers((SUCCESS,))) from None
        except CannotMake as obstacle:
            if not session.axes.pins:
                raise
            # Whether a function makes an object here depends on more than this check knows.
            raise Unavailable(Verdict.NOT_APPLICABLE, str(obstacle)) from None
        counts.satisfied += 1

    def _example(self, session: Session, draw: Draw) -> None:
        pinned = session.axes.pins.get(USED_BY)
        alone = [function for function in self.uses if function.name == pinned]
        fixtures = Fixtures(session, draw)
        in_turn = {IN_TURN: self.uses, WITH_NEW: self.uses} if self.uses else {}
        culprit = {function.name: alone for function in alone}
        uses = fixtures.each(USED_BY, {NOTHING: list[Function](), **in_turn, **culprit})
        with_new = session.axes.chosen[USED_BY] == WITH_NEW
        if alone or with_new:
            # Whatever showed that a function is to blame is tried again.
            tries = [(m, crowded) for m in self.makers for crowded in (False, *[True][with_new:])]
            lives = [self._life(session, *each, uses) for each in tries]
        else:
            lives = [self._drawn(session, draw, uses)]
        lives = [life for life in lives if life.lives]
        if not lives:
            raise Unavailable(Verdict.NOT_APPLICABLE, "no function can take the object as it is")
        for life in lives:
            if with_new:
                self._look_beside_new(session, life)
            else:
                self._look(session, life)

    def _drawn(self, session: Session, draw: Draw, uses: Sequence[Function]) -> UsedObjects:
        fixtures = Fixtures(session, draw)
        alone = {maker.name: (maker, False) for maker in self.makers}
        others = {f"{maker.name}{BESIDE}": (maker, True) for maker in self.makers}
        maker, crowded = fixtures.each(MADE_BY, {**alone, **others})
        if uses:
            return self._life(session, maker, crowded, uses)
        life = UsedObjects(
            self.kind, session, drawing.drawn_from(draw(drawing.ticket(self._seed(maker)))), maker
        )
        life.prepare([], crowded=crowded)
        return life

    def _life(
        self, session: Session, maker: Function, crowded: bool, uses: Sequence[Function]
    ) -> UsedObjects:
        """Return objects that are used; those of one maker are always made and used in one way."""
        by_chance = drawing.drawn_from(drawing.ticket(self._seed(maker)).simplest)
        life = UsedObjects(self.kind, session, by_chance, maker)
        life.prepare([u for u in uses if u.name not in self.kind.unfit], crowded=crowded)
        return life

    def _seed(self, maker: Function) -> str:
        return f"{self.of.seed}:{self.case.clause.id}:{maker.name}"

    def _look(self, session: Session, life: UsedObjects) -> None:
        """Look at what is left behind.

        Raises:
            Violation: it is what this function gives back.
            Unavailable: it is something else that was made meanwhile.

        """
        used = life.uses
        if used:
            found = life.leak()
        else:
            before = len(session.trace.notes)
            life.once(life.lives)
            end = len(session.trace.notes)
            try:
                found = life.leak()
            except RunsOut as lack:
                raise lack.breach(self.case.clause, KeepsNothing(end - before, ()), end) from None
        if found and used:
            if without := life.growing(life.used_by([])):
                life.lives, found = life.used_by([]), without
            elif len(used) > 1:
                # Each of these is to blame by itself; the others are tried without them.
                culprits = [name for name in used if life.growing(life.used_by([name]))]
                session.axes.offer(USED_BY, culprits)
                life.lives = life.used_by([name for name in used if name not in culprits])
                found = life.leak()
        if found:
            self._blame(session, life, found)

    def _look_beside_new(self, session: Session, life: UsedObjects) -> None:
        """Look at what is left behind of objects that were used with others, which stay.

        What each object took is to be given back with it, once all that the use made is. What a use
        changes for good is with the others.

        Raises:
            Violation: it is not.
            Unavailable: nothing else is needed to use an object.

        """
        needy = [
            replace(one, uses=[use])
            for one in life.lives
            for use in one.uses
            if use.needs and use.makes
        ]
        if not needy:
            raise Unavailable(Verdict.NOT_APPLICABLE, "no function takes another object as well")
        clause = self.case.clause
        for one in needy:
            found = life.kept_beside_new(one)
            if found and not life.growing([replace(one, uses=[])]):
                before = len(session.trace.notes)
                life.renew(one)
                life.once([life.renewed(one)])
                end = len(session.trace.notes)
                whose = "each of many equal rounds of these calls"
                raise left_behind(clause, whose, found, NOTHING, end - before, end)

    def _blame(self, session: Session, life: UsedObjects, grown: Mapping[str, int]) -> None:
        """Say that objects of a round leave something behind.

        Raises:
            Violation: it is what this function gives back.
            Unavailable: it is something else that was made meanwhile.

        """
        clause = self.case.clause
        life.lives = next(([one] for one in life.lives if life.growing([one])), life.lives)
        before = len(session.trace.notes)
        life.once(life.lives)
        end = len(session.trace.notes)
        others = guilty(session, life.again, grown)
        if others and clause.function not in others:
            for other in others:
                work = pair(self.of.judge.registry.functions[other], self.of.repertoire)
                same = growth(session.process, Rounds(session, life.draw, work).one).keys()
                if same & grown.keys():
                    raise Unavailable(
                        Verdict.BLOCKED, f"{other}/{KEPT}: each round leaves something behind"
                    )
            whose = " or ".join(others)
            raise Unavailable(
                Verdict.UNTESTED, f"{in_words(grown)} are left behind by {whose}, but not alone"
            )
        whose = "each of many equal rounds of these calls"
        raise left_behind(clause, whose, grown, NOTHING, end - before, end)
