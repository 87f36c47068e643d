"""Asks for the facts that a function tells in several orders: none may depend on earlier questions.

A library that keeps an answer under a part of what was asked gives it to another question: to the
next one, or to all later ones. So a process is asked in an order in which one part changes from
question to question, another process in the opposite order, and so on for each part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import (
    Blocked,
    Inconsistent,
    ProvesNothing,
    Unavailable,
)
from hsa_conformance.engine.calls.values import Data, Value
from hsa_conformance.engine.checks.again.machine import Fact, Machine, described
from hsa_conformance.engine.checks.again.questions import ask, demand, in_words
from hsa_conformance.engine.checks.effects.relations import Holders
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.failures.fewest import fewest
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_reports import Result
from hsa_spec import Clause, Function, Parameter, Registry
from hsa_spec.layout import pointee

#: The name of the check in reports.
ORDERS: Final = "asked in several orders"
#: What is asked about where it is neither an object nor an enumerator.
_NUMBERS: Final = (0, 1, 2, 5, 10, 15)
#: Roles of parameters whose values mean something in one process alone.
_OF_PROCESS: Final = ("handle", "address")
#: Bytes of the largest members that are neither an address nor a handle.
_NUMBER: Final = 4
#: How many orders are random.
_SHUFFLED: Final = 2
#: How many facts of a function are followed up that depend on the order.
_MOST: Final = 2
#: How many processes are started at most to find the questions that change a fact.
_PROCESSES: Final = 120


class QuestionOrder:
    """Asks in several orders.

    Args:
        pool: where processes come from.
        judge: knows what the registry says of a call.
        holders: finds the objects of the machine, by kind.
        repertoire: makes conditions hold.
        seed: makes two runs ask in the same orders.

    """

    def __init__(
        self,
        pool: SessionPool,
        judge: Judge,
        holders: Mapping[str, Holders],
        repertoire: Repertoire,
        seed: int,
    ) -> None:
        self._pool = pool
        self._judge = judge
        self._holders = holders
        self._repertoire = repertoire
        self._seed = seed

    def results(self, clause: Clause) -> list[Result]:
        """Return a result for each fact that depends on what was asked before.

        Args:
            clause: that of a function whose answers are stable.

        """
        facts = self._facts(self._judge.registry.functions[clause.function])
        if len(facts) < 2:
            return []
        first, *others = orders = [*_orders(facts, Random(f"{self._seed}:{clause.id}"))]
        told = self._told(first)
        found: list[Result] = []
        for order in others:
            now = self._told(order) if told else {}
            if not now:
                break  # the process ends, or hangs, which other checks are about
            changed = [f for f in order if _differs(f, told, now)]
            if not changed:
                continue
            again = self._told(order)
            # What two processes tell otherwise in one order as well, is no fact of the machine.
            for fact in (f for f in changed if not _differs(f, now, again)):
                if (result := self._explained(clause, fact, (order, *orders))) is not None:
                    found.append(result)
                if len(found) >= _MOST:
                    return found
        return found

    def _facts(self, function: Function) -> list[Fact]:
        """Return what a function can be asked."""
        try:
            with self._pool.session(initialised=True, fresh=True) as session:
                drawn = self._values(session, function)
                machine = Machine(session, self._holders)
                found = [*described(machine, function, self._judge, self._holders, drawn)]
        except (Blocked, Ended, Inconsistent, ProvesNothing, Unavailable):
            return []
        return [*{fact.key: fact for fact in found}.values()]

    def _values(self, session: Session, function: Function) -> Mapping[str, Sequence[Value]]:
        """Return values of parameters that mean the same in every process."""
        # Whether a question has an answer may depend on what the machine offers.
        self._repertoire.begin(session, function, drawing.simplest)
        given = (p for p in function.params if p.direction == "in" and p.role not in _OF_PROCESS)
        return {p.name: _small_values(p, session.registry) for p in given}

    def _told(self, facts: Sequence[Fact]) -> Mapping[str, object]:
        """Return what a fresh process tells, asked in this order; nothing if it ends meanwhile."""
        told: dict[str, object] = {}
        try:
            with self._pool.session(initialised=True, fresh=True) as session:
                machine = Machine(session, self._holders)
                for fact in facts:
                    if (question := machine.question(fact)) is not None:
                        told[fact.key] = machine.value(question, ask(session, question))
        except (Ended, ProvesNothing, Unavailable):
            return {}
        return told

    def _explained(
        self, clause: Clause, fact: Fact, orders: Sequence[Sequence[Fact]]
    ) -> Result | None:
        """Return a fact that depends on earlier questions, with as few of these as show it."""
        alone = self._told([fact])
        left = _PROCESSES
        for order in orders:
            before = order[: order.index(fact)]

            def changes(numbers: Sequence[int], before: Sequence[Fact] = before) -> bool:
                nonlocal left
                left -= 1
                asked = [*(before[number] for number in numbers), fact]
                return left >= 0 and _differs(fact, alone, self._told(asked))

            if changes(range(len(before))):
                kept = fewest(range(len(before)), changes)
                # What differs after no question at all has changed by itself.
                return self._shown(clause, fact, [before[n] for n in kept]) if kept else None
        return None

    def _shown(self, clause: Clause, fact: Fact, before: Sequence[Fact]) -> Result | None:
        """Return the result with the steps that show it."""
        try:
            with self._pool.session(initialised=True, fresh=True) as session:
                first = Machine(session, self._holders)
                alone = first.question(fact)
                if alone is None:
                    return None
                right = ask(session, alone)
                was = first.named(alone, right)
            with self._pool.session(initialised=True, fresh=True) as session:
                machine = Machine(session, self._holders)
                for each in before:
                    if (earlier := machine.question(each)) is not None:
                        ask(session, earlier)
                question = machine.question(fact)
                if question is None:
                    return None
                reply = ask(session, question)
                now = machine.named(question, reply)
                if now == was:
                    return None
                # Handles are other numbers in another process, which no program can compare.
                plain = now == reply.value
                violation = breach(
                    clause,
                    f"{fact.words} is not what a process tells that is asked nothing before",
                    f"{in_words(now)} instead of {in_words(was)}",
                    {clause.states: [clause.id]},
                    demand=demand(question, right, reply, session, apart=True) if plain else None,
                )
                steps = tuple(session.trace.steps)
        except (Ended, ProvesNothing, Unavailable):
            return None
        return Result(
            clause.id,
            ORDERS,
            violation.verdict,
            violation.summary,
            failure=violation.failure(steps),
        )


def _small_values(parameter: Parameter, registry: Registry) -> list[Value]:
    """Return small numbers, or structures of small numbers; none if it holds an address."""
    if not parameter.type.endswith("*"):
        return [*_NUMBERS]
    struct = registry.structs.get(pointee(parameter.type))
    if struct is None or any(field.size > _NUMBER for field in struct.fields):
        return []
    found: list[Value] = []
    for numbers in product(_NUMBERS, repeat=len(struct.fields)):
        content = bytearray(struct.size)
        for field, number in zip(struct.fields, numbers, strict=True):
            content[field.offset : field.offset + field.size] = number.to_bytes(
                field.size, "little"
            )
        found.append(Data(bytes(content), f"{parameter.name} of {', '.join(map(str, numbers))}"))
    return found


def _orders(facts: Sequence[Fact], chance: Random) -> Iterator[Sequence[Fact]]:
    """Yield orders in which, one after the other, each part of a question is what changes next."""
    parts = [_parts(fact) for fact in facts]
    places = [
        {value: n for n, value in enumerate(dict.fromkeys(of))} for of in zip(*parts, strict=True)
    ]
    for varied in range(len(places)):

        def place(number: int, varied: int = varied) -> tuple[list[int], int]:
            at = [places[n][part] for n, part in enumerate(parts[number])]
            return at[:varied] + at[varied + 1 :], at[varied]

        order = [facts[number] for number in sorted(range(len(facts)), key=place)]
        yield order
        yield order[::-1]
    for _ in range(_SHUFFLED):  # what comes first in an order comes first in few others
        yield chance.sample(facts, len(facts))


def _parts(fact: Fact) -> list[str]:
    """Return what a question asks about: its objects, its attribute, and its other values."""
    question, parts = fact.question, list[str]()
    for name in (p.name for p in question.function.params if p.direction == "in"):
        value = question.values[name]
        if isinstance(value, Data):
            members = range(0, len(value.content), _NUMBER)
            parts += [value.content[at : at + _NUMBER].hex() for at in members]
        else:
            parts.append(str(fact.objects.get(name, value)))
    return parts


def _differs(fact: Fact, told: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Return whether two processes tell a fact, and not in the same way."""
    return fact.key in told and fact.key in other and told[fact.key] != other[fact.key]
