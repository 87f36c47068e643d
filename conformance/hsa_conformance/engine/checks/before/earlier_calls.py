"""Calls before the call under test: valid ones, and ones that are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, Inconsistent, Unavailable, Violation
from hsa_conformance.engine.calls.values import Answer, Data, Value, numbers
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import of_success
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Misfit
from hsa_conformance.engine.generation.valid_calls import NOTHING_GIVEN, in_turn
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Expectation, Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.clean_up import Task, give_back_since, giving_back, holdings
from hsa_conformance.engine.session.session import Interlude, Session
from hsa_spec import Function, Parameter
from hsa_spec.conditions import Atom


class WentWrong(CannotMake):
    """A call before the call under test ends the process, or breaks a clause, by itself."""


#: The roles of parameters that are objects, those of which a client sees the structure included.
OBJECTS: Final = ("handle", "struct", "address")
#: Before how many calls of an example something is done.
TIMES: Final = 3


def shared(function: Function, other: Function, values: Mapping[str, Value]) -> dict[str, int]:
    """Return the objects of a call that another function takes, by the names that it has.

    What it writes to is left out: a call that fails may have written there all the same.

    Args:
        function: what is called.
        other: the other function.
        values: the arguments of the call, as far as they are to be shared.

    """
    own = {p.name: _kind(p) for p in function.params if p.role in OBJECTS}
    objects = {kind: values.get(name) for name, kind in own.items()}
    taken = {p.name: _kind(p) for p in other.params if p.role in OBJECTS and p.direction == "in"}
    found = {
        # Of two objects of one type, such as two agents, each takes the place with its own name.
        name: values.get(name) if own.get(name) == kind else objects.get(kind)
        for name, kind in taken.items()
    }
    return {name: value for name, value in found.items() if isinstance(value, int)}


def _kind(parameter: Parameter) -> str:
    """Return what two objects have in common of which one can take the place of the other."""
    # Memory is for whatever it is called: that which is read is not written to.
    return parameter.name if parameter.role == "address" else parameter.type.removeprefix("const ")


@dataclass(frozen=True)
class EarlierCalls:
    """What can be done in a process before the call that a check is about.

    Whatever goes wrong meanwhile is for the checks of those calls to find: the example then proves
    nothing, and blames nobody.

    Args:
        session: the process and what is known of it.
        draw: draws what is done.
        function: what the check calls.
        judge: knows what the registry says of a call.
        repertoire: makes conditions hold.
        deadly: is told that the process has ended.
        step: returns whether the next step of several is made, or left out.
        example: makes the example of the check, for what it leaves.

    """

    session: Session
    draw: Draw
    function: Function
    judge: Judge
    repertoire: Repertoire
    deadly: Callable[[], None]
    step: Callable[[], bool] = lambda: True
    example: Callable[[], None] = lambda: None
    _wrong: list[str] = field(default_factory=list)

    @contextmanager
    def decisive(self) -> Iterator[None]:
        """Judge nothing where a call before has gone wrong, even if the example went on after it.

        Raises:
            WentWrong: one has.

        """
        try:
            yield
        except (Blocked, CannotMake, Ended, Inconsistent, Unavailable, Violation):
            if not self._wrong:
                raise
        if self._wrong:
            raise WentWrong(self._wrong[0])

    @contextmanager
    def blameless(self) -> Iterator[None]:
        """Do what nobody is blamed for here.

        Raises:
            WentWrong: it does.
            CannotMake: it cannot be done.

        """
        try:
            yield
        except Ended as end:
            self.deadly()
            raise self._gone_wrong(f"the call before ends the process: {end.how}") from None
        except Violation as violation:
            raise self._gone_wrong(f"before the call: {violation}") from None
        except (Blocked, Inconsistent, Unavailable) as obstacle:
            raise CannotMake(f"before the call: {obstacle}") from None

    def _gone_wrong(self, reason: str) -> WentWrong:
        self._wrong.append(reason)
        return WentWrong(reason)

    def just_before(
        self,
        act: Callable[[Mapping[str, Value]], object],
        times: int = TIMES,
        *,
        gives_back: bool = False,
    ) -> None:
        """Do something as soon as the example calls the function, and before that.

        It is done before a few of its calls, so that it also comes between two of them.

        It must leave open no more than before how the call has to end, and hold no more objects:
        whoever wrote the example knows nothing of it, and may have counted already.

        Args:
            act: does it; gets the arguments of the call.
            times: before how many calls, as far as the example makes as many.
            gives_back: whether it sees to it that what it makes is given back after the call.

        """

        def blameless(values: Mapping[str, Value]) -> None:
            ending = nullcontext() if gives_back else self._holding_no_more()
            with self.blameless(), self.session.scratch.given_up(), ending:
                # Conditions look at what arguments point to.
                given = {name: self._laid_out(value) for name, value in values.items()}
                before = self._expected(given)
                act(given)
                after = self._expected(given)
            if before != after:
                raise CannotMake("the call before changes how this one has to end")

        self.session.interpose(Interlude(self.function.name, blameless, times))

    def just_after(self, act: Callable[[Mapping[str, Value]], object]) -> None:
        """Do something as soon as a call of the function has succeeded.

        Args:
            act: does it; gets the arguments of the call.

        """

        def blameless(values: Mapping[str, Value]) -> None:
            with self.blameless(), self._holding_no_more():
                act(values)

        self.session.interpose(Interlude(self.function.name, blameless, TIMES, after=True))

    @contextmanager
    def _holding_no_more(self) -> Iterator[None]:
        """Give back what is made meanwhile.

        Raises:
            CannotMake: something is not given back, such as a reference.

        """
        there, before = holdings(self.session), len(list(giving_back(self.session)))
        yield
        give_back_since(self.session, there)
        if len(list(giving_back(self.session))) != before:
            raise CannotMake("something stays, such as memory or a reference")

    def _laid_out(self, value: Value) -> Value:
        return self.session.lay_out(value) if isinstance(value, Data) else value

    def _expected(self, values: Mapping[str, Value]) -> Expectation:
        """Return what the registry says of a call."""
        given = numbers(self.function, values)
        return self.judge.expect(self.function, self.session.model, given)

    def valid(
        self, given: Mapping[str, int] = NOTHING_GIVEN, function: Function | None = None
    ) -> Builder:
        """Return a valid call.

        Args:
            given: arguments that it has to have.
            function: what is called; None for what the check calls.

        """
        subject = function or self.function
        valid = of_success(subject)
        return in_turn(self.repertoire, self.session, subject, self.draw, valid, given)

    def varied(self, values: Mapping[str, Value]) -> Iterator[Builder]:
        """Yield valid calls that each have another value of one argument, in any order.

        Args:
            values: all arguments of the call that they are like.

        Raises:
            CannotMake: there is none, as far as it was drawn.

        """
        inputs = [p.name for p in self.function.params if p.direction == "in"]
        outputs = {p.name for p in self.function.params} - {*inputs}
        if any(isinstance(values[name], int) and values[name] for name in outputs):
            raise Misfit("the call writes to memory that the example may look at")
        found = 0
        for one in self.draw(drawing.permutations(inputs)):
            kept = {name: values[name] for name in inputs if name != one}
            with suppress(CannotMake):
                builder = self.valid({name: v for name, v in kept.items() if isinstance(v, int)})
                if self._content(builder.values[one]) != self._content(values[one]):
                    found += 1
                    yield builder
        if not found:
            raise CannotMake("no argument has another value")

    def _content(self, value: Value) -> object:
        """Return a number, or the bytes that it is the address of."""
        if isinstance(value, Data):
            return value.content
        return (self.session.scratch.held(value) if isinstance(value, int) else None) or value

    def succeed(self, builder: Builder) -> None:
        """Make a call that has to succeed.

        Raises:
            CannotMake: it does not, or no text says what it leads to.

        """
        expected = self.judge.expect(builder.function, self.session.model, builder.raw())
        if expected.open or set(expected.allowed) - {SUCCESS}:
            raise Misfit("no text says what the call before leads to")
        if not self._made(builder.function, builder.values).ok:
            raise CannotMake("the call before does not end as it has to")

    def make_inside(self, builders: Sequence[Builder], there: Counter[Task]) -> None:
        """Let the callback of the next call make calls that have succeeded.

        What they need is given back after that call.

        Args:
            builders: the calls.
            there: what is not given back.

        Raises:
            Violation: by the call, once it is made: one of them does not succeed there.

        """

        def require_success(results: Sequence[int]) -> None:
            with self.blameless():
                give_back_since(self.session, there)
            for builder, result in zip(builders, results, strict=False):
                name, clause = builder.function.name, builder.function.success
                if result and clause is not None:
                    answered = self.session.registry.status_name(result)
                    summary = f"{name} answered {answered} when a callback called it"
                    raise breach(clause, summary, answered, {SUCCESS: [clause.id]})

        self.session.make_inside([(b.function.name, b.values) for b in builders], require_success)

    def refuse(self, function: Function, values: Mapping[str, Value]) -> None:
        """Make a call with one argument that is wrong whatever happened before.

        Args:
            function: what is called.
            values: the arguments that it keeps, as far as they are not what is made wrong.

        Raises:
            CannotMake: no text has it refused, or it is not refused.

        """
        builder = self.repertoire.begin(self.session, function, self.draw)
        builder.values.update(values)
        conditions = of_success(function)
        others = [atom for atom in conditions if atom.arguments.isdisjoint(values)]
        with suppress(CannotMake):
            # What else is wrong does not matter, as long as the call is refused.
            self.repertoire.satisfy(builder, others)
        # The objects may be in a state in which it is refused.
        if not self._is_refused(builder):
            self._make_wrong(builder, others or conditions)
        if not self._is_refused(builder):
            raise CannotMake("no text has the call before refused")
        if self._made(function, builder.values).ok:
            raise CannotMake("the call before is not refused")

    def _is_refused(self, builder: Builder) -> bool:
        expected = self.judge.expect(builder.function, self.session.model, builder.raw())
        return not expected.open and SUCCESS not in expected.allowed

    def _make_wrong(self, builder: Builder, conditions: Sequence[Atom]) -> None:
        """Make one argument of a call wrong.

        Args:
            builder: the call.
            conditions: those of which one is not to hold.

        Raises:
            CannotMake: only another object would make it wrong.

        """
        refutable = [atom for atom in conditions if builder.surely_holds(atom)]
        wrong, before = builder.one_of(refutable), dict(builder.values)
        self.repertoire.make(builder, wrong, wanted=False)
        if all(builder.values[name] is before[name] for name in wrong.arguments):
            raise CannotMake("the call could only be made wrong by changing the object")

    def _made(self, function: Function, values: Mapping[str, Value]) -> Answer:
        self.session.expected = None
        return self.session.call_with(function.name, values)
