"""The check of calls of two functions at one time, on one object or on neighbours.

A thread makes a call of one function again and again, another thread one of another function. What
they make they give back at once, and what they only use is there throughout: nothing is destroyed
that anybody uses. So each call has to succeed, and to say what it says where one thread makes the
calls of both, whichever has come before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from hsa_conformance.engine.calls.outcomes import (
    Inconsistent,
    ProvesNothing,
    Unavailable,
)
from hsa_conformance.engine.calls.values import STATUS, Answer, Data
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.used_objects import takes
from hsa_conformance.engine.checks.threads.bursts import Cycle, cycles, require_own
from hsa_conformance.engine.checks.threads.in_turn import Answers, each_order, in_turn
from hsa_conformance.engine.checks.threads.meetings import Meetings
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import begins, starts_runtime
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, Misfit
from hsa_conformance.engine.generation.valid_calls import ValidCalls
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.state_rules import CleanUp, StateRules
from hsa_conformance.engine.session.threads import overlap
from hsa_conformance.engine.session.threads.together import Task
from hsa_reports import BESIDE, Verdict
from hsa_spec import Clause, Function

#: How many examples there are of each other function, for each of the profile's.
_SHARE: Final = 0.04
#: How often two threads begin together, how often if that takes less time than so many nanoseconds,
#: and at most while too few of their calls overlap.
_TIMES: Final = 3
_RATHER: Final = 8
_TIME: Final = 8_000_000
_MOST: Final = 20

#: Values of an object that a call only uses; no machine lacks the room for one that is a size.
_VALUES: Final = drawing.integers(1, 64)

#: What others may use as well, by the kind of object.
_Shared = Mapping[str, int]


@dataclass(frozen=True)
class Pairs:
    """Makes the checks of calls of two functions at one time.

    Args:
        calls: builds calls that succeed.
        rules: says how objects are given back, and by whom they are made.
        functions: the functions that the library offers, by name.
        seed: makes two runs choose the same.

    """

    calls: ValidCalls
    rules: StateRules
    functions: Mapping[str, Function]
    seed: int
    _kinds: dict[str, frozenset[str]] = field(default_factory=dict)

    def check(self, case: Case) -> Check | None:
        """Return the check of a function beside others; None if there are none for it."""
        function = self.functions.get(case.function.name)
        partners = self._partners(function) if function is not None else []
        if function is None or not partners:
            return None
        seed = f"{self.seed}:{case.clause.id}"

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            if reason := session.process.no_barrier:
                raise Unavailable(Verdict.UNTESTED, reason)
            other = self.functions[session.axes.pins[BESIDE]]
            number = draw(drawing.ticket(f"{seed}:{other.name}"))
            pair = _Pair(self, session, drawing.drawn_from(number), case.clause)
            pair.prepare(function, other)
            session.axes.chosen[BESIDE] = other.name
            pair.meet()
            counts.satisfied += 1

        beside = Random(seed).sample(partners, len(partners))
        return Check(
            case.clause.id,
            "beside another function",
            body,
            examples=_SHARE,
            once=True,
            chance=True,
            beside=beside,
        )

    def _partners(self, function: Function) -> list[str]:
        """Return the functions that may be called beside one and have to do with it.

        They take, make or give back an object of a kind that it does, too, or are of its topic. Of
        those that are called in one way, it is one, for each function another.
        """
        if not self._can_repeat(function):
            return []
        ways: dict[object, list[str]] = {}
        for other in self.functions.values():
            near = other.topic == function.topic or self.kinds(other) & self.kinds(function)
            if near and other is not function and self._can_repeat(other):
                taken = tuple((p.name, p.type, p.ownership) for p in other.params)
                ways.setdefault((other.topic, other.result, taken), []).append(other.name)
        return [Random(f"{function.name}:{names}").choice(names) for names in ways.values()]

    def _can_repeat(self, function: Function) -> bool:
        """Return whether a thread may call a function again and again."""
        if starts_runtime(function) or begins(function):
            return False  # or nobody could tell when it is over
        if (makers := self.makers(function)) is not None:
            return bool(makers)
        return function.success is not None or bool(self.kinds(function))

    def kinds(self, function: Function) -> frozenset[str]:
        """Return the kinds of objects that a function makes, takes or gives back."""
        if function.name not in self._kinds:
            made = (r for r in self.rules.clean_up if function.name in (r.function, *r.makers))
            taken = (rule for rules in self.objects_of(function).values() for rule in rules)
            self._kinds[function.name] = frozenset(rule.kind for rule in (*made, *taken))
        return self._kinds[function.name]

    def objects_of(self, function: Function) -> Mapping[str, Sequence[CleanUp]]:
        """Return the parameters that are objects, each with the rules that give such back."""
        found: dict[str, list[CleanUp]] = {}
        for rule in self.rules.clean_up:
            back = self.functions.get(rule.function)
            kind = back.parameter[rule.parameters[0]] if back is not None else None
            # A part of the machine may have to be told what to give back, and is none.
            if kind is None or kind.type in self.calls.repertoire.machine:
                continue
            for parameter in function.params:
                if takes(function, parameter, kind):
                    found.setdefault(parameter.name, []).append(rule)
        return found

    def makers_of(self, rule: CleanUp) -> Sequence[Function]:
        """Return the functions that make what a rule gives back."""
        return [self.functions[name] for name in rule.makers if name in self.functions]

    def makers(self, function: Function) -> Sequence[Function] | None:
        """Return the functions that make what a function gives back; None if it gives nothing."""
        rules = [rule for rule in self.rules.clean_up if rule.function == function.name]
        if not rules and not any(p.ownership == "consumes" for p in function.params):
            return None
        return [maker for rule in rules for maker in self.makers_of(rule)]


class _Pair:
    """Two threads of an example.

    Args:
        pairs: what it is made with.
        session: the process and what is known of it.
        draw: draws what the threads do.
        clause: what is demanded.

    """

    def __init__(self, pairs: Pairs, session: Session, draw: Draw, clause: Clause) -> None:
        self.pairs = pairs
        self.session = session
        self.draw = draw
        self.clause = clause
        self.functions: tuple[str, str] = ("", "")
        self.parts: Sequence[Cycle] = ()
        self.answers = Answers()

    def prepare(self, function: Function, other: Function) -> None:
        """Decide what each thread calls, and find out what it answers in turn.

        Raises:
            Misfit: the two do not go together.

        """
        shares = self.draw(drawing.booleans())
        obstacle: ProvesNothing | None = None
        for shared in (shares, not shares):
            try:
                self._try(function, other, shared=shared)
            except (ProvesNothing, Inconsistent) as found:
                obstacle = CannotMake(str(found))
            else:
                self.session.pair = self.functions = (function.name, other.name)
                return
        raise Misfit(f"{other.name} does not go with it: {obstacle}")

    def _try(self, function: Function, other: Function, *, shared: bool) -> None:
        session = self.session
        first = self._task(function, {})
        second = self._task(other, self._objects(first) if shared else {})
        with session.apart():
            self.parts = cycles(session, [first, second])
        for part, of in zip(self.parts, (function, other), strict=True):
            if of.name not in [session.offered_api.newest(name) for name, _ in part.steps]:
                raise CannotMake(f"{of.name} does not destroy an object that {part.make[0]} makes")
        self.answers = in_turn(session, self.pairs.calls.judge, self.parts)
        if session.model.lasting:
            raise CannotMake("no call changes back what these change")

    def _task(self, function: Function, given: _Shared) -> Task:
        """Return the call of a thread, which makes an object where the function gives it back."""
        makers = self.pairs.makers(function)
        called = function if makers is None else Fixtures(self.session, self.draw).one_of(makers)
        builder = self.pairs.calls.build(
            self.session, called, self.draw, lambda builder: self._take(builder, given)
        )
        if called.result == STATUS:
            self.pairs.calls.require_success(builder)
        return called.name, {
            name: self.session.lay_out(value) if isinstance(value, Data) else value
            for name, value in builder.values.items()
        }

    def _take(self, builder: Builder, given: _Shared) -> None:
        """Let a call take what the other thread uses, or what it has to be given."""
        function = builder.function
        for name, rules in self.pairs.objects_of(function).items():
            known = [given[rule.kind] for rule in rules if rule.kind in given]
            if known:
                builder.fix(name, known[0])
            elif function.success is None:
                builder.fix(name, self._object(rules))

    def _objects(self, task: Task) -> _Shared:
        """Return what a call takes that is there throughout, by its kind."""
        name, values = task
        function = self.pairs.functions[name]
        return {
            rule.kind: value
            for parameter, rules in self.pairs.objects_of(function).items()
            for rule in rules
            if isinstance(value := values[parameter], int)
        }

    def _object(self, rules: Sequence[CleanUp]) -> int:
        """Return an object of one of several kinds, which is made if there is none.

        Raises:
            CannotMake: none can be made.

        """
        model = self.session.model
        if not any(any(rule.calls(model)) for rule in rules):
            makers = [maker for rule in rules for maker in self.pairs.makers_of(rule)]
            maker = Fixtures(self.session, self.draw).one_of(makers)
            builder = self.pairs.calls.build(self.session, maker, self.draw)
            for parameter in maker.params:
                if parameter.role == "value":
                    self._tell(builder, parameter.name)
            self.session.set_up(maker.name, **builder.values)
        for rule in rules:
            for arguments in rule.calls(model):
                return arguments[rule.parameters[0]]
        raise CannotMake("a call makes an object of another kind")

    def _tell(self, builder: Builder, name: str) -> None:
        """Give an object a value, if it may have any: 0 would be found as well where nothing is."""
        before, builder.values[name] = builder.values[name], self.draw(_VALUES)
        try:
            self.pairs.calls.require_success(builder)
        except (ProvesNothing, Unavailable):
            builder.values[name] = before

    def meet(self) -> None:
        """Let the threads make their calls at one time.

        Raises:
            Violation: a call says what it says in no order, then or afterwards.
            Ended: the process did not survive them.

        """
        session = self.session
        chance = Random(self.draw(drawing.ticket("")))
        meetings = Meetings(session, self.parts, self.functions, chance)
        with session.apart():
            timed, overlapping = session.timed, session.overlapping
            for number in range(1, _MOST + 1):
                events = meetings.again()
                for event in events:
                    self._require(event.lane, event.answer, "")
                require_own(self.clause, self.parts, events)
                for event in events:
                    self._close(event.answer)
                met, of = session.overlapping - overlapping, session.timed - timed
                enough = number >= (_RATHER if meetings.spent < _TIME else _TIMES)
                if enough and overlap.is_enough(met, of):
                    break
            for lane, answer in each_order(session, self.parts):
                self._require(lane, answer, " afterwards")

    def _close(self, answer: Answer) -> None:
        """Close the descriptors that a call gave: nobody else does, and there are not enough."""
        for parameter in answer.function.params:
            if answer.ok and parameter.direction == "out" and parameter.role == "descriptor":
                self.session.process.close_descriptor(answer.number(parameter.name))

    def _require(self, lane: int, answer: Answer, when: str) -> None:
        name = answer.function.name
        registry = self.session.registry
        told = self.answers.wrong(lane, answer, registry) if answer.ok else {"status": answer.name}
        if told is not None:
            got = ", ".join(f"{what}: {value!r}" for what, value in told.items())
            summary = f"{name} answers otherwise than where one thread makes all calls{when}"
            raise breach(self.clause, summary, got, {self.clause.states: [self.clause.id]})
