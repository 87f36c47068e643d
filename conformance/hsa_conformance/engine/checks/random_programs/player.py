"""The process of a random sequence: it calls, judges, and looks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable, Violation
from hsa_conformance.engine.calls.values import Answer, Value, numbers
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.checks.random_programs.population import ParameterValues, Population
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import is_state
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.judging.judge import Expectation, Judge
from hsa_conformance.engine.judging.rejection import rejection
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.model import Model
from hsa_conformance.engine.session.session import Session
from hsa_spec import Clause, Function

T = TypeVar("T")

#: What a player can do; raises CannotMake if it finds nothing to work on.
Rule = Callable[["Player"], None]
#: Returns whether a call is one that no text speaks of; gets the model and the arguments.
Exclusion = Callable[[Model, Mapping[str, int]], bool]


class Look(Protocol):
    """Holds what can be seen against the model."""

    def __call__(self, player: Player, clause: str = ..., /) -> None:
        """Look, with `Player.demand`.

        Args:
            player: who looks.
            clause: the one that is broken if it is not so; by default one that blames no call.

        """


@dataclass(frozen=True)
class Life:
    """What the random sequences of a topic are made of.

    Args:
        clause: id of the clause that their result is shown with; None for a topic whose looks serve
            others.
        name: what the report calls the check.
        functions: what is called, valid or now and then not.
        openings: functions and acts that come first, so that others find something: one of these,
            whichever.
        acts: what else is done, such as to write to memory.
        notes: makes what the sequence keeps beside the model, see `Player.notes`. What it does not
            find on the machine, the sequence cannot do without.
        closing: what is done at the end, before all that there is is given back.
        two: whether a second process takes part, for which anything may be done as well.
        looks: hold what can be seen against the model. They are also taken at the end, when all
            that there is was given back, and before that.
        values: those that suit a parameter, such as "hsa_amd_memory_lock.host_ptr", of which the
            conditions alone do not say what may be given.
        exclusions: which calls of a function are left out, since no text speaks of them.
        after: what is looked at as soon as a call of a function has succeeded: what it has made.
        keeps: what is looked at just before a function is called and as soon as it has succeeded,
            and the clause that the call breaks if it has changed that.
        distinct: by the kind of objects, the clause that no two live ones have one handle.
        parts: kinds of objects that go with others, and are not given back by themselves.
        beside: names of the topics whose functions, acts and looks take part.
        examples: how many times the profile's number of examples.
        fresh: whether every sequence wants a process of its own.

    """

    clause: str | None
    name: str = "sequences of right and wrong calls"
    functions: Sequence[str] = ()
    openings: Sequence[Sequence[str | Rule]] = ((),)
    acts: Sequence[Rule] = ()
    notes: Callable[[Player], object] | None = None
    closing: Sequence[Rule] = ()
    two: bool = False
    looks: Sequence[Rule] = ()
    values: Mapping[str, ParameterValues] = field(default_factory=dict)
    exclusions: Mapping[str, Exclusion] = field(default_factory=dict)
    after: Mapping[str, Rule] = field(default_factory=dict)
    keeps: Mapping[str, tuple[Look, str]] = field(default_factory=dict)
    distinct: Mapping[str, str] = field(default_factory=dict)
    parts: Collection[str] = ()
    beside: Collection[str] = ()
    examples: float = 1.0
    fresh: bool = False


class UnexpectedEnd(ProvesNothing):
    """A call did not end as it has to, which is found elsewhere: nobody knows what lives now."""


class _Quiet(Scene):
    """A scene of a clause that is known not to hold: there may be more behind it."""

    def require(self, *_: object, **__: object) -> None:
        """Demand nothing."""


class Player(Fixtures):
    """The process of a sequence: what lives in it, and what lived. All its calls are judged.

    Args:
        session: the process and what is known of it.
        draw: draws the choices of the example; see `generation.drawing`.
        judge: knows what the registry says of a call.
        repertoire: makes conditions hold.
        lives: what the sequence is made of.
        tags: bytes to write, each another one.
        wrong: whether some calls shall be wrong.

    Attributes:
        other: the other process of a sequence of two; itself in a sequence of one.
        population: what lives, and what lived.
        thorough: whether a look is to be taken at everything, as at the end.

    """

    other: Player

    def __init__(
        self,
        session: Session,
        draw: Draw,
        judge: Judge,
        repertoire: Repertoire,
        lives: Sequence[Life],
        tags: Iterator[int],
        *,
        wrong: bool,
    ) -> None:
        super().__init__(session, draw)
        self.judge = judge
        self.wrong = wrong
        self._strayed = False
        self.model = session.model
        self.tags = tags
        self.repertoire = repertoire
        self.thorough = False
        self._notes: dict[Callable[[Player], Any], Any] = {}
        kinds = {*session.rules.owed, *(kind for life in lives for kind in life.parts)}
        values = {name: of for life in lives for name, of in life.values.items()}
        self.population = Population(self, kinds, values)
        self._after = {name: looking(look) for life in lives for name, look in life.after.items()}
        self._keeps = {name: kept for life in lives for name, kept in life.keeps.items()}
        self._distinct = {kind: clause for life in lives for kind, clause in life.distinct.items()}
        self._exclusions = {name: of for life in lives for name, of in life.exclusions.items()}

    @property
    def dead_objects(self) -> Mapping[str, list[Any]]:
        """Return what lived in this sequence, by kind, the oldest first."""
        return self.population.dead_objects

    def notes(self, make: Callable[[Player], T]) -> T:
        """Return what a topic keeps of this sequence.

        Args:
            make: makes it, when it is asked for first.

        """
        if make not in self._notes:
            self._notes[make] = make(self)
        found: T = self._notes[make]
        return found

    def settle(self) -> None:
        """End a step: what was drawn for it counts no more; note what is not there any more."""
        self._strayed = False
        for kind, key in list(self.population.settle()):
            if kind in self._distinct:
                self._given_twice(kind, key)

    def _given_twice(self, kind: str, key: int) -> None:
        with suppress(CannotMake):
            summary = f"{key} is given out, and is known already"
            self.demand(self._distinct[kind]).require(False, summary, f"{key:#x}")

    def begin_anew(self) -> None:
        """Forget what lived: no text speaks of it from here on, as where the runtime has ended."""
        self.population.clear()

    def pick(self, right: Sequence[T], wrong: Sequence[T]) -> T:
        """Draw a right value for an argument, or now and then a wrong one.

        Raises:
            CannotMake: there is none of the sort.

        """
        if self.wrong and wrong and self.draw(drawing.integers(0, 7)) == 7:
            self._strayed = True
            return self.choose(wrong)
        return self.choose(right)

    def make(self, name: str) -> None:
        """Call a function with valid arguments, or now and then with something wrong.

        Raises:
            Violation: the answer is not allowed.
            Ended: the process did not survive the call.
            CannotMake: there is nothing to call it with, or no text says what it has to answer.

        """
        function = self.session.registry.functions[name]
        success = function.success
        assert success is not None, name
        valid = [atom for atom in success.when if not is_state(atom)]
        builder = self.repertoire.begin(self.session, function, self.draw)
        builder.goal = valid
        for parameter in function.params:
            self.population.take(builder, parameter.name)
        for atom in valid:
            self.population.take_range(builder, atom)
        self.repertoire.satisfy(builder, valid)
        way = self.draw(drawing.integers(0, 7)) if self.wrong else 0
        if way > 4 and self.population.take_gone(builder, valid):
            self._call(function, builder, refused=True)
        elif way < 7:
            self._call(function, builder)
        else:
            self.repertoire.make(builder, self.one_of(valid), wanted=False)
            self._stray(function, builder)

    def _call(self, function: Function, builder: Builder, *, refused: bool = False) -> None:
        """Make a call and judge it.

        Raises:
            CannotMake: it is one that no text speaks of, or that shall be refused and is right.

        """
        expected = self._expected(function, builder)
        if refused and SUCCESS in expected.allowed:
            raise CannotMake("the wrong argument is right by chance")
        still = self._keeping(function.name)
        self.session.expected = expected
        answer = self.session.call_with(function.name, builder.values)
        if refused and not answer.ok:
            return  # with which status is tried elsewhere
        try:
            self.judge.check(_target_of(function, expected), answer, expected)
        except Violation as violation:
            if violation.clause in self.session.skipped_clauses:
                raise UnexpectedEnd("a call went wrong in a way that is known") from None
            raise
        self._done(function.name, answer, still)

    def call(self, function: str, **values: Value) -> Answer:
        """Make a call and judge it; that it is refused as it is known to be is passed over.

        Look at what it has made, and at what it must not change.

        Raises:
            Violation: the answer is not allowed.
            Ended: the process did not survive the call.
            CannotMake: what was drawn as wrong is right by chance, such as an address given out
                again; a replay could not count on it.

        """
        still = self._keeping(function)
        answer, found = self._judged(function, values)
        if found is not None and (answer.ok or found.clause not in self.session.skipped_clauses):
            raise found
        self._done(function, answer, still)
        return answer

    def ask(self, function: str, **values: Value) -> Answer:
        """Make a call that changes nothing, and judge it; what is known is passed over.

        Raises: as `call` does.

        """
        answer, found = self._judged(function, values)
        if found is not None and found.clause not in self.session.skipped_clauses:
            raise found
        return answer

    def _judged(
        self, function: str, values: Mapping[str, Value]
    ) -> tuple[Answer, Violation | None]:
        """Make a call, and return what is wrong with its answer, too; see `call`."""
        subject = self.session.registry.functions[function]
        expected = self.judge.expect(subject, self.session.model, numbers(subject, values))
        if self._strayed and (expected.open or SUCCESS in expected.allowed):
            raise CannotMake("the wrong argument is right by chance")
        self.session.expected = expected
        answer = self.session.call_with(function, values)
        try:
            self.judge.check(_target_of(subject, expected), answer, expected)
        except Violation as found:
            return answer, found
        return answer, None

    def _done(self, name: str, answer: Answer, still: Callable[[], None]) -> None:
        if not answer.ok:
            return
        still()
        if (look := self._after.get(name)) is not None:
            attempt(look, self)

    def _keeping(self, function: str) -> Callable[[], None]:
        kept = self._keeps.get(function)
        return self.keeping(*kept) if kept is not None else lambda: None

    def keeping(self, look: Look, clause: str) -> Callable[[], None]:
        """Look before a call, and return what looks again after it, and blames it for a change.

        A call is not blamed if nobody could look before it: it may have been so already.

        Args:
            look: what is looked at, the same both times.
            clause: the one that the call breaks with a change.

        """
        if not attempt(looking(look), self):
            return lambda: None
        return partial(self._look_again, look, clause)

    def _look_again(self, look: Look, clause: str) -> None:
        if self._demands(clause):
            attempt(looking(lambda player: look(player, clause)), self)
            return
        try:
            attempt(looking(look), self)
        except Violation:
            raise UnexpectedEnd(
                "a call changed something, and no clause in force forbids it"
            ) from None

    def _expected(self, function: Function, builder: Builder) -> Expectation:
        expected = self.judge.expect(function, self.model, builder.raw())
        numbers = {name: value for name, value in builder.values.items() if isinstance(value, int)}
        if expected.open or self.excludes(function.name, numbers):
            raise CannotMake("no text says what the call leads to")
        return expected

    def excludes(self, function: str, arguments: Mapping[str, int]) -> bool:
        """Return whether a call is left out, since no text speaks of it."""
        exclusion = self._exclusions.get(function)
        return exclusion is not None and exclusion(self.model, arguments)

    def _stray(self, function: Function, builder: Builder) -> None:
        """Make a call with an argument that is wrong whatever happened before.

        With which status it is refused is tried elsewhere; here it has to leave all as it was.

        Raises:
            UnexpectedEnd: it succeeded, which is found elsewhere as well; what it did nobody knows.

        """
        expected = self._expected(function, builder)
        if SUCCESS in expected.allowed:
            raise CannotMake("the wrong argument is right by chance")
        self.session.expected = expected
        try:
            answer = self.session.call_with(function.name, builder.values)
        except Ended:
            raise UnexpectedEnd("a wrong call ended the process") from None
        if answer.ok:
            raise UnexpectedEnd("a wrong call succeeded")

    def some(self, options: Sequence[T]) -> Sequence[T]:
        """Return what to look at of several things: one that is drawn, and at the end all."""
        return options if self.thorough else [self.one_of(options)]

    def claim(self, clause: str) -> Scene:
        """Return a scene in which an effect clause is demanded, unless it is known not to hold."""
        kind = _Quiet if clause in self.session.skipped_clauses else Scene
        return kind(self.session, self.draw, self.session.registry.clauses[clause])

    def demand(self, clause: str) -> Scene:
        """Return a scene in which an effect clause is demanded.

        Raises:
            CannotMake: the release does not have it, or it is known not to hold.

        """
        if not self._demands(clause):
            raise CannotMake("the clause is not in force, or known not to hold")
        return self.claim(clause)

    def _demands(self, clause: str) -> bool:
        stated = self.session.registry.clauses[clause].id
        return self.judge.in_force(stated) and clause not in self.session.skipped_clauses


def _target_of(function: Function, expected: Expectation) -> Clause:
    """Return the clause that is to blame when the answer is wrong: the strongest that holds."""
    if expected.holding:
        return expected.holding[0]
    return function.success or function.clauses[0]


def looking(look: Rule) -> Rule:
    """Return a look that needs no memory any more once it is over."""

    def act(player: Player) -> None:
        with player.session.scratch.lent():
            look(player)

    return act


def surely(rule: Rule) -> Rule:
    """Return a rule for which what only prepares a call has to succeed as well."""

    def act(player: Player) -> None:
        session = player.session
        session.expected = None
        try:
            rule(player)
        except UnexpectedEnd:
            raise
        except (ProvesNothing, Unavailable) as obstacle:
            if session.is_over:
                raise UnexpectedEnd(str(obstacle)) from None
            raise CannotMake(str(obstacle)) from None
        except Blocked as blocked:
            if blocked.end is not None and session.met(blocked.end):
                raise blocked.end from None
            if not blocked.refused:
                raise
            if player.judge.allowing(blocked):
                raise CannotMake(str(blocked)) from None
            raise rejection(blocked, session.registry.clauses[blocked.clause]) from None

    return act


def elsewhere(rule: Rule) -> Rule:
    """Return the rule that acts in the other process."""
    return lambda player: rule(player.other)


def attempt(look: Rule, player: Player) -> bool:
    """Take a look, if there is anything to look at; return whether there is."""
    with suppress(CannotMake):
        surely(look)(player)
        return True
    return False
