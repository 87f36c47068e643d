"""Bursts: each of several threads makes something and gives it back, again and again.

What a thread makes is its own, so no order of the calls explains that one of them fails. The same
few calls are made many times, so that also what takes a few instructions is met by another thread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from hsa_conformance.engine import verdict
from hsa_conformance.engine.calls import Value
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.outcomes import Violation
from hsa_conformance.engine.session import Session
from hsa_conformance.engine.state_rules import CleanUp
from hsa_conformance.engine.statuses import SUCCESS
from hsa_conformance.engine.together import Task
from hsa_spec import Clause, Function

#: How many bursts there are, how often each thread makes its calls in the first one, and at most.
_BURSTS: Final = 6
_FIRST: Final = 4
_MOST: Final = 64
#: How long the calls of one thread in a burst may take, in nanoseconds.
_TIME: Final = 2_000_000

#: A call, and the one that gives back what it made.
Cycle = tuple[Task, Task]


def giving_back(function: Function, rules: Sequence[CleanUp]) -> list[CleanUp]:
    """Return what may give back what a function makes, with arguments of the call that made it."""
    inputs = {p.name for p in function.params if p.direction == "in"}
    takes = any(p.ownership == "consumes" for p in function.params)
    fitting = [r for r in rules if r.parameters and inputs.issuperset(r.parameters)]
    return [] if takes else fitting


def cycles(session: Session, tasks: Sequence[Task], rules: Sequence[CleanUp]) -> list[Cycle]:
    """Make the calls, one after the other, and give back what they made.

    Args:
        session: the process.
        tasks: the calls, each with arguments of its own.
        rules: what may give back what they make.

    Returns:
        Each call with the one that gives back.

    Raises:
        CannotMake: a call makes nothing that its arguments name, or does not succeed.

    """
    found: list[Cycle] = []
    for name, values in tasks:
        before = _owed(session, rules)
        answer = session.call_with(name, values)
        owed = [task for task in _owed(session, rules) if task not in before]
        if not answer.ok or len(owed) != 1 or not _says(values, owed[0][1]):
            raise CannotMake("nothing that a thread could give back is made")
        found.append(((name, values), owed[0]))
    for _, (name, values) in found:
        if not session.call_with(name, values).ok:
            raise CannotMake("what was made is not given back")
    return found


def burst(session: Session, clause: Clause, parts: Sequence[Cycle]) -> None:
    """Let a thread for each cycle make its calls, at one time with the others.

    Raises:
        Violation: a call does not succeed.
        Ended: the process did not survive them.

    """
    times = _FIRST
    for _ in range(_BURSTS):
        events = session.together([list(part) * times for part in parts])
        for event in events:
            answer, name = event.answer, event.answer.function.name
            if not answer.ok:
                summary = f"{name} answered {answer.name} where threads give back what they make"
                found = verdict.of_breach(clause)
                allowed = {SUCCESS: [clause.id]}
                raise Violation(clause.id, found, summary, answer.name, allowed)
        took = max(e.ended for e in events) - min(e.began for e in events)
        times = max(1, min(_MOST, math.floor(times * _TIME / max(took, 1))))


def _owed(session: Session, rules: Sequence[CleanUp]) -> list[Task]:
    return [(rule.function, called) for rule in rules for called in rule.calls(session.model)]


def _says(values: Mapping[str, Value], named: Mapping[str, Value]) -> bool:
    return all(values.get(name) == value for name, value in named.items())
