"""What several threads call at one time: calls of one function, and of others beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.threads.bursts import burst, cycles
from hsa_conformance.engine.checks.threads.histories import Said, asks, said
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import of_success
from hsa_conformance.engine.generation.attributes import require_defined
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.valid_calls import ValidCalls
from hsa_conformance.engine.generation.values.named_values import NamedValues, named_values
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.together import Task
from hsa_spec import Clause, Function, Parameter

#: Threads that call a function for the first time in a process.
FIRST: Final = 16
#: Threads that call it with objects of their own, each of which has to be made.
OWN: Final = 4
#: Threads of a round, and the most calls that each makes.
THREADS: Final = (2, 3, 4)
MOST: Final = 8
#: How many calls each makes where threads are told different things: what one call leaves for the
#: next is wrong only while another thread is between two steps of its own.
MANY: Final = 64
#: How many arguments are tried one after the other.
TURNS: Final = 12


class Lanes:
    """Draws what threads call.

    Args:
        session: the process and what is known of it.
        function: the function under test.
        others: functions that may be called beside it.
        calls: builds calls that succeed.

    """

    def __init__(
        self,
        session: Session,
        function: Function,
        others: Sequence[Function],
        calls: ValidCalls,
    ) -> None:
        self.session = session
        self.function = function
        self.calls = calls
        self._data = 0
        inputs = [p.name for p in function.params if p.direction == "in"]
        self.named = NamedValues(function, inputs, of_success(function), (), refused=False)
        changes = session.rules.transitions
        objects = any(map(_is_object, function.params))
        self.shares = not objects and (function.name not in changes or _only_creates(function))
        # Objects in the caller's memory may be large.
        self.own, self.most = (2, 1) if objects else (OWN, 3)
        self.others = [
            f
            for f in others
            if f is not function and session.offers(f.name)
            if f.name not in changes or _only_creates(f)
        ]

    def first(self, draw: Draw) -> list[list[Task]]:
        """Return one call for each of many threads, of which all make the same if they may."""
        if not self.shares:
            return [[task] for task in self._own(draw, self.own)]
        [task] = self._own(draw, 1)
        return [[self._once_more(task)] for _ in range(FIRST)]

    def next(self, draw: Draw) -> list[list[Task]]:
        """Return the calls of a round, which may be of other functions, too."""
        threads, calls = draw(drawing.sampled_from(THREADS)), draw(drawing.integers(1, MOST))
        beside = self._beside(draw, draw(drawing.integers(0, threads - 1)))
        left = threads - len(beside)
        if self.shares and draw(drawing.booleans()):
            [task] = self._own(draw, 1)
            own = [[self._once_more(task) for _ in range(calls)] for _ in range(left)]
        else:
            calls = min(calls, self.most)
            tasks = self._own(draw, left * calls)
            own = [tasks[n::left] for n in range(left)]
        return own + [[self._once_more(task) for _ in range(calls)] for task in beside]

    def varied(self, draw: Draw) -> Iterator[list[list[Task]]]:
        """Yield the calls of rounds with other arguments each time, if they change nothing.

        In most of them all threads have the same ones, and make perhaps the first call in the
        process that has these. In the others each thread has its own.
        """
        session, function = self.session, self.function
        if function.name in session.rules.transitions:
            return
        threads = THREADS[-1]
        named = (named_values(session, function, p) for p in function.params)
        most = max(map(len, named), default=0)
        for turn in range(min(most, TURNS)):
            with suppress(ProvesNothing, Unavailable, Blocked):
                yield self._many(self._own(draw, 1, turn) * threads)
            if turn % threads == threads - 1:
                with suppress(ProvesNothing, Unavailable, Blocked):
                    yield self._many(self._own(draw, threads, turn - threads + 1))

    def differing(self, draw: Draw) -> Iterator[list[list[Task]]]:
        """Yield the calls of rounds in which threads are told different things.

        Half of the threads ask with another value of one argument, each argument in turn.
        """
        function = self.function
        if function.name in self.session.rules.transitions or not asks(function):
            return
        inputs = [p for p in function.params if p.direction == "in"]
        named = {p.name: named_values(self.session, function, p) for p in inputs}
        most = max(map(len, named.values()), default=0)
        for first in range(max(1, min(most, TURNS))):
            with suppress(ProvesNothing, Unavailable, Blocked):
                [task] = self._own(draw, 1, first)
                told = self._told(task)
                # What has a name is asked for with other values of the other arguments.
                for argument in (p.name for p in inputs if not (first and named[p.name])):
                    if (other := self._differing(argument, task, told, draw)) is not None:
                        yield self._many([task, other] * (THREADS[-1] // 2), MANY)

    def _differing(self, argument: str, task: Task, told: Said, draw: Draw) -> Task | None:
        """Return a call that differs in one argument and is told another thing, if one is found."""
        for turn in range(1, TURNS):
            with suppress(ProvesNothing, Unavailable, Blocked):
                other = self._but_for(argument, task, draw, turn)
                if self._told(other) != told:
                    return other
        return None

    def _told(self, task: Task) -> Said:
        with self.session.trace.paused():
            return said(self.session.call_with(*task), self.session.registry)

    def _but_for(self, argument: str, task: Task, draw: Draw, turn: int) -> Task:
        """Build a call with another value of one argument, chosen so many places further on."""
        name, values = task
        kept = {of: value for of, value in values.items() if isinstance(value, int)}
        kept.pop(argument, None)

        def prepare(builder: Builder) -> None:
            for of, value in kept.items():
                builder.fix(of, value)
            self.named.take_turns(builder)

        with self.session.turned(turn):
            builder = self.calls.build(self.session, self.function, draw, prepare)
        require_defined(builder)
        self.calls.require_success(builder)
        return name, {**builder.values, **self._own_data(name, builder.values)}

    def _many(self, tasks: Sequence[Task], calls: int = MOST) -> list[list[Task]]:
        return [[self._once_more(task) for _ in range(calls)] for task in tasks]

    def burst(self, draw: Draw, clause: Clause) -> None:
        """Let threads make and give back what is their own, if the function makes such things.

        Raises:
            CannotMake: it does not.
            Violation: a call does not succeed.
            Ended: the process did not survive the calls.

        """
        takes = any(p.ownership == "consumes" for p in self.function.params)
        if takes or self.function.name not in self.session.rules.transitions:
            return
        with self.session.apart():
            threads = draw(drawing.sampled_from(THREADS))
            parts = cycles(self.session, self._own(draw, threads))
            if any(part.back is None for part in parts):
                raise CannotMake("a thread makes no object that it could destroy")
            burst(self.session, clause, parts)

    def _own(self, draw: Draw, count: int, turn: int | None = None) -> list[Task]:
        """Build calls that succeed, each with what it needs.

        Args:
            draw: draws the choices of the example; see `generation.drawing`.
            count: how many.
            turn: how many places further on options are chosen for the first of them, and one more
                for each of the others; None where they are chosen for all alike.

        Raises:
            CannotMake: a call would not surely succeed, or two would take the same back.

        """
        if turn is None:
            built = [self._built(self.function, draw) for _ in range(count)]
        else:
            built = [self._turned(draw, turn + place) for place in range(count)]
        taken = [
            builder.number(p.name)
            for builder in built
            for p in self.function.params
            if p.ownership == "consumes"
        ]
        if len(set(taken)) < len(taken):
            raise CannotMake("two calls would give the same back")
        for builder in built:
            self.calls.require_success(builder)
        name = self.function.name
        return [(name, {**b.values, **self._own_data(name, b.values)}) for b in built]

    def _turned(self, draw: Draw, turn: int) -> Builder:
        with self.session.turned(turn):
            builder = self._built(self.function, draw, named=self.named)
        require_defined(builder)
        return builder

    def _beside(self, draw: Draw, count: int) -> list[Task]:
        """Build calls of other functions, as many as can be made of those that are drawn."""
        tasks: list[Task] = []
        for _ in range(count if self.others else 0):
            function = self.others[draw(drawing.integers(0, len(self.others) - 1))]
            try:
                builder = self._built(function, draw)
                self.calls.require_success(builder)
            except (ProvesNothing, Unavailable, Blocked):
                continue
            tasks.append((function.name, builder.values))
        return tasks

    def _built(self, function: Function, draw: Draw, named: NamedValues | None = None) -> Builder:
        prepare = None if named is None else named.take_turns
        return self.calls.build(self.session, function, draw, prepare)

    def _once_more(self, task: Task) -> Task:
        """Return the same call, with room of its own for what it writes, and data of its own."""
        name, values = task
        rooms = {
            p.name: content
            for p in self.session.registry.functions[name].params
            if p.direction != "in" and not _is_object(p)
            if isinstance(address := values[p.name], int)
            if (content := self.session.scratch.held(address)) is not None
        }
        own: dict[str, Value] = dict(self._own_data(name, values))
        own |= {of: self.session.place(content, "room") for of, content in rooms.items()}
        return (name, {**values, **own}) if own else task

    def _own_data(self, name: str, values: Mapping[str, Value]) -> Mapping[str, Value]:
        """Return other data for a callback: whose call it belongs to, nothing else tells."""
        params = self.session.registry.functions[name].params
        if not any(isinstance(values[p.name], Callback) for p in params):
            return {}
        self._data += 1
        return {p.name: self._data for p in params if p.role == "opaque" and p.direction == "in"}


def _is_object(parameter: Parameter) -> bool:
    """Return whether a call changes an object in the caller's memory: a copy is another one."""
    return parameter.direction == "inout" and parameter.role == "struct"


def _only_creates(function: Function) -> bool:
    """Return whether the calls of a function change nothing that others need."""
    kinds = {p.ownership for p in function.params}
    return "creates" in kinds and "consumes" not in kinds
