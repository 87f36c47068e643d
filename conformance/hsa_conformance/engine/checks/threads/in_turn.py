"""What two threads answer when one makes the calls of both, in any order.

Each thread does the same again and again, after which all is as it was. So there are few states
that a call can find: those in which one thread, or the other, has made the first of two calls. What
it answers in each of them is known once all orders were tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from hsa_conformance.engine.calls.values import Answer, Before, Value, numbers
from hsa_conformance.engine.checks.threads.bursts import Cycle
from hsa_conformance.engine.checks.threads.histories import HEARD, Said, asks, said
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.valid_calls import require_sure_success
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_spec import Registry

#: A thread, and the function of one of its calls.
_Step = tuple[int, str]


@dataclass
class Answers:
    """What the calls of two threads answer in any order.

    Attributes:
        steady: what each answers, for those that answer the same in the same states.

    """

    steady: dict[_Step, list[Said]] = field(default_factory=dict)

    def wrong(self, lane: int, answer: Answer, registry: Registry) -> Said | None:
        """Return what a call says that it says in no order; None where all is well."""
        known = self.steady.get((lane, answer.function.name))
        told = _told(answer, registry)
        return None if known is None or told in known else told


def in_turn(session: Session, judge: Judge, parts: Sequence[Cycle]) -> Answers:
    """Make the calls of two threads in each order, twice, and note what they answer.

    Raises:
        CannotMake: a call fails then, or no text says that it has to succeed.

    """
    first: dict[_Step, list[Said]] = {}
    second: dict[_Step, list[Said]] = {}
    for found in (first, second):
        for lane, answer in each_order(session, parts, judge):
            if not answer.ok:
                raise CannotMake(f"{answer.function.name} does not succeed in each order")
            told = _told(answer, session.registry)
            known = found.setdefault((lane, answer.function.name), [])
            if told not in known:
                known.append(told)
    made = {(lane, part.make[0]) for lane, part in enumerate(parts) if part.back is not None}
    steady = {
        step: known
        for step, known in first.items()
        if step not in made and all(told in known for told in second[step])
    }
    return Answers(steady)


def each_order(
    session: Session, parts: Sequence[Cycle], judge: Judge | None = None
) -> Iterator[tuple[int, Answer]]:
    """Make the calls of two threads in one thread, in each order.

    Args:
        session: the process.
        parts: what each thread does.
        judge: knows what has to succeed, if that is to be looked at.

    Yields:
        The number of the thread and the answer of each call.

    Raises:
        CannotMake: no text says that a call has to succeed.

    """
    lengths = [len(part.steps) for part in parts]
    for number, places in enumerate(combinations(range(sum(lengths)), lengths[0])):
        order = [0 if place in places else 1 for place in range(sum(lengths))]
        if number == 0:
            yield from _in(order, session, parts, judge)
            continue
        with session.apart():
            yield from _in(order, session, parts, judge)


def _in(
    order: Sequence[int], session: Session, parts: Sequence[Cycle], judge: Judge | None
) -> Iterator[tuple[int, Answer]]:
    steps = [iter(part.steps) for part in parts]
    last: dict[int, Answer] = {}
    for lane in order:
        name, values = next(steps[lane])
        given = _given(values, last.get(lane))
        if judge is not None:
            function = session.registry.functions[session.offered_api.newest(name)]
            require_sure_success(judge, session, function, numbers(function, given))
        session.expected = None
        last[lane] = session.call_with(name, given)
        yield lane, last[lane]


def _told(answer: Answer, registry: Registry) -> Said:
    """Return what a call said; whatever only begins something may be heard of later."""
    told = said(answer, registry)
    return told if asks(answer.function) else {k: v for k, v in told.items() if k != HEARD}


def _given(values: Mapping[str, Value], before: Answer | None) -> dict[str, Value]:
    return {
        name: before[value.parameter] if isinstance(value, Before) and before else value
        for name, value in values.items()
    }
