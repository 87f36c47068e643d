"""Bursts: each of several threads makes something and gives it back, again and again.

What a thread makes is its own, so no order of the calls explains that one of them fails, or that
two threads have the same at one time. The same few calls are made many times, so that also what
takes a few instructions is met by another thread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
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
    """Something is made and given back.

    Attributes:
        make: the call that makes it.
        back: the call that gives it back.
        outputs: what of it the first call gives and the second one takes.

    """

    make: Task
    back: Task
    outputs: tuple[str, ...]


def cycles(session: Session, tasks: Sequence[Task]) -> list[Cycle]:
    """Make the calls, one after the other, and give back what they made.

    Args:
        session: the process.
        tasks: the calls, each with arguments of its own.

    Returns:
        Each call with the one that gives back what it made.

    Raises:
        CannotMake: a call makes nothing that can be given back with what it is given and gives,
            or does not succeed.

    """
    found: list[Cycle] = []
    made: list[Task] = []
    given: list[list[int]] = []
    for name, values in tasks:
        before = list(giving_back(session))
        answer = session.call_with(name, values)
        new = [task for task in giving_back(session) if task not in before]
        if not answer.ok or len(new) != 1:
            raise CannotMake("nothing that a thread could give back is made")
        made += new
        found.append(_cycle((name, values), new[0], answer))
        given += [[int(answer[output]) for output in found[-1].outputs]]
    if any(given.count(one) > 1 for one in given):
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
        events = session.together([[part.make, part.back] * times for part in parts])
        for event in events:
            answer, name = event.answer, event.answer.function.name
            if not answer.ok:
                summary = f"{name} answered {answer.name} where threads give back what they make"
                raise breach(clause, summary, answer.name, {SUCCESS: [clause.id]})
        _require_own(clause, parts, events)
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


def _require_own(clause: Clause, parts: Sequence[Cycle], events: Sequence[Event]) -> None:
    """Require that nothing was given to a thread while another one had it."""
    had: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for lane, part in enumerate(parts):
        made = sorted((e for e in events if e.lane == lane), key=lambda e: e.began)
        for make, back in zip(made[::2], made[1::2], strict=True):
            what = tuple(int(make.answer[output]) for output in part.outputs)
            had.setdefault(what, []).append((make.ended, back.began))
    had.pop((), None)
    for what, times in had.items():
        times.sort()
        if any(later[0] < earlier[1] for earlier, later in pairwise(times)):
            name = parts[0].make[0]
            got = ", ".join(f"{o} = {w:#x}" for o, w in zip(parts[0].outputs, what, strict=True))
            summary = f"{name} gave a thread what another one had"
            allowed = {clause.states: [clause.id]}
            raise breach(clause, summary, got, allowed)
