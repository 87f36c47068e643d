"""Bursts: each of several threads makes something and gives it back, or asks, again and again.

What a thread makes is its own, so no order of the calls explains that one of them fails, or that
two threads have the same at one time. The same few calls are made many times, so that also what
takes a few instructions is met by another thread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hsa_conformance.engine.calls.values import Answer, Before, Value
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.clean_up import giving_back
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.together import Event, Task
from hsa_spec import Clause

#: How many bursts there are, how often each thread makes its calls in the first one, and at most.
_BURSTS: Final = 6
_FIRST: Final = 4
_MOST: Final = 64
#: How long the calls of one thread in a burst may take, in nanoseconds.
_TIME: Final = 2_000_000


@dataclass(frozen=True)
class Cycle:
    """A call, after which all is as it was once what it made is given back.

    Attributes:
        make: the call.
        back: the call that gives back what it made; None where it makes nothing.
        outputs: what of it the first call gives and the second one takes.

    """

    make: Task
    back: Task | None = None
    outputs: tuple[str, ...] = ()

    @property
    def steps(self) -> Sequence[Task]:
        """Return its calls, in order."""
        return [self.make] if self.back is None else [self.make, self.back]


#: What a call gave: by which function it is given back, and its outputs.
_Given = tuple[str, tuple[int, ...]]


def cycles(session: Session, tasks: Sequence[Task]) -> list[Cycle]:
    """Make the calls, one after the other, and give back what they made.

    Args:
        session: the process.
        tasks: the calls, each with arguments of its own.

    Returns:
        Each call with the one that gives back what it made, if it makes anything.

    Raises:
        CannotMake: a call makes what cannot be given back with what it is given and gives, or does
            not succeed.

    """
    found: list[Cycle] = []
    made: list[Task] = []
    given: list[_Given] = []
    for name, values in tasks:
        before = list(giving_back(session))
        answer = session.call_with(name, values)
        after = list(giving_back(session))
        new = [task for task in after if task not in before]
        if any(task not in after for task in before):
            raise CannotMake("a call destroys an object that was there before it")
        if not answer.ok or len(new) > 1:
            raise CannotMake("a call fails, or makes more than one object")
        made += new
        found.append(_cycle((name, values), new[0], answer) if new else Cycle((name, values)))
        if found[-1].outputs:
            given.append(_given(found[-1], answer))
    if len(set(given)) < len(given):
        found = [replace(cycle, outputs=()) for cycle in found]  # they share it by right
    for name, values in made:
        if not session.call_with(name, values).ok:
            raise CannotMake("what was made is not given back")
    return found


def burst(session: Session, clause: Clause, parts: Sequence[Cycle]) -> None:
    """Let a thread for each cycle make its calls, at one time with the others.

    Raises:
        Violation: a call does not succeed, or two threads have the same.
        Ended: the process did not survive them.

    """
    times = _FIRST
    for _ in range(_BURSTS):
        events = session.together([[*part.steps] * times for part in parts])
        for event in events:
            answer, name = event.answer, event.answer.function.name
            if not answer.ok:
                summary = f"{name} answered {answer.name} where threads give back what they make"
                raise breach(clause, summary, answer.name, {SUCCESS: [clause.id]})
        require_own(clause, parts, events)
        took = max(e.ended for e in events) - min(e.began for e in events)
        times = max(1, min(_MOST, math.floor(times * _TIME / max(took, 1))))


def _cycle(make: Task, back: Task, answer: Answer) -> Cycle:
    """Return a call and the one that gives back what it made, whenever it is made again.

    Raises:
        CannotMake: that takes more than what the first one is given and gives.

    """
    function, named = back
    arguments: dict[str, Value] = {}
    outputs: list[str] = []
    for parameter, value in named.items():
        given = [output for output, symbol in answer.symbols.items() if symbol == value]
        if make[1].get(parameter) == value:
            arguments[parameter] = value
        elif given:
            arguments[parameter] = Before(given[0])
            outputs.append(given[0])
        else:
            raise CannotMake("what was made is given back with something else")
    return Cycle(make, (function, arguments), tuple(outputs))


def _given(cycle: Cycle, answer: Answer) -> _Given:
    back = cycle.back[0] if cycle.back is not None else ""
    return back, tuple(int(answer[output]) for output in cycle.outputs)


def require_own(clause: Clause, parts: Sequence[Cycle], events: Sequence[Event]) -> None:
    """Require that nothing was given to a thread while another one had it."""
    had: dict[_Given, list[tuple[int, int]]] = {}
    for lane, part in enumerate(parts):
        if not part.outputs:
            continue
        made = sorted((e for e in events if e.lane == lane), key=lambda e: e.began)
        for make, back in zip(made[::2], made[1::2], strict=True):
            what = _given(part, make.answer)
            before = had.setdefault(what, [])
            if any(make.ended < until and since < back.began for since, until in before):
                got = ", ".join(f"{o} = {w:#x}" for o, w in zip(part.outputs, what[1], strict=True))
                summary = f"{part.make[0]} gave a thread what another one had"
                raise breach(clause, summary, got, {clause.states: [clause.id]})
            before.append((make.ended, back.began))
