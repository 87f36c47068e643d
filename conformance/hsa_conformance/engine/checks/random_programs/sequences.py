"""Long random sequences of calls, each judged against the suite's own model as it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.calls.values import Answer, Value
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.checks.random_programs.steps import MORE, OPENING
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, places
from hsa_conformance.engine.judging.judge import Expectation, Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.session import Session
from hsa_spec import Clause, Function

T = TypeVar("T")


class _Quiet(Scene):
    """A scene of a clause that is known not to hold: there may be more behind it."""

    def require(self, *_: object, **__: object) -> None:
        """Demand nothing."""


class Actor(Fixtures):
    """One process of a sequence; every call it makes is judged.

    Args:
        session: the process and what is known of it.
        draw: Hypothesis's source of choices.
        judge: knows what the registry says of a call.
        wrong: whether some arguments shall be wrong.

    """

    def __init__(self, session: Session, draw: Draw, judge: Judge, *, wrong: bool) -> None:
        super().__init__(session, draw)
        self.judge = judge
        self.wrong = wrong
        self._strayed = False

    def settle(self) -> None:
        """End a step: what was drawn for it counts no more."""
        self._strayed = False

    def pick(self, right: Sequence[T], wrong: Sequence[T]) -> T:
        """Draw a right value for an argument, or now and then a wrong one.

        Raises:
            CannotMake: there is none of the sort.

        """
        if self.wrong and wrong and self.draw(drawing.integers(0, 7)) == 7:
            self._strayed = True
            return self.choose(wrong)
        return self.choose(right)

    def call(self, function: str, **values: Value) -> Answer:
        """Make a call and judge it; that it is refused as it is known to be is passed over.

        Raises:
            Violation: the answer is not allowed.
            Ended: the process did not survive the call.
            CannotMake: what was drawn as wrong is right by chance, such as an address given out
                again; a replay could not count on it.

        """
        answer, found = self._judged(function, values)
        if found is not None and (answer.ok or found.clause not in self.session.muted):
            raise found
        return answer

    def ask(self, function: str, **values: Value) -> Answer:
        """Make a call that changes nothing, and judge it; what is known is passed over.

        Raises: as `call` does.

        """
        answer, found = self._judged(function, values)
        if found is not None and found.clause not in self.session.muted:
            raise found
        return answer

    def _judged(
        self, function: str, values: Mapping[str, Value]
    ) -> tuple[Answer, Violation | None]:
        """Make a call, and return what is wrong with its answer, too; see `call`."""
        subject = self.session.registry.functions[function]
        # Outputs and callbacks are arguments that are not NULL.
        raw = [int(v) if isinstance(v := values[p.name], int) else 1 for p in subject.params]
        expected = self.judge.expect(subject, self.session.model, raw)
        if self._strayed and (expected.open or SUCCESS in expected.allowed):
            raise CannotMake("the wrong argument is right by chance")
        self.session.expected = expected
        answer = self.session.call_with(function, values)
        try:
            self.judge.check(target_of(subject, expected), answer, expected)
        except Violation as found:
            return answer, found
        return answer, None

    def claim(self, clause: str) -> Scene:
        """Return a scene in which an effect clause is demanded, unless it is known not to hold."""
        kind = _Quiet if clause in self.session.muted else Scene
        return kind(self.session, self.draw, self.session.registry.clauses[clause])


P = TypeVar("P", bound=Actor)
Rule = Callable[[P], None]


def play(
    draw: Draw,
    players: Sequence[P],
    rules: Sequence[Rule[P]],
    steps: int,
    opening: Sequence[tuple[Rule[P], P]] = (),
) -> None:
    """Let rules act, one after the other.

    Args:
        draw: Hypothesis's source of choices.
        players: who a rule may be asked to act for.
        rules: what can be done; one that finds nothing to work on raises CannotMake.
        steps: the most rules that are tried after the opening.
        opening: rules that act first, so that the others find something to work on.

    """
    for rule, player in opening:
        if draw(OPENING):
            _act(rule, player)
    for _ in range(steps):
        if not draw(MORE):
            return
        _act(rules[_place(draw, len(rules))], players[_place(draw, len(players))])


def _place(draw: Draw, count: int) -> int:
    place: int = draw(places(count))
    return place


def _act(rule: Rule[P], player: P) -> None:
    with suppress(CannotMake):
        rule(player)
    player.settle()


def target_of(function: Function, expected: Expectation) -> Clause:
    """Return the clause that is to blame when the answer is wrong: the strongest that holds."""
    if expected.holding:
        return expected.holding[0]
    return function.success or function.clauses[0]
