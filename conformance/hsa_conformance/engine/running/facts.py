"""Asks for facts of the machine after examples, and finds the call that changed one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

from hsa_adapters.errors import AdapterError, Ended
from hsa_conformance.engine.calls.outcomes import (
    Blocked,
    Inconsistent,
    ProvesNothing,
    Unavailable,
    Violation,
)
from hsa_conformance.engine.calls.values import OTHER_PATTERN, PATTERN
from hsa_conformance.engine.checks.again.machine import Fact, Machine, facts
from hsa_conformance.engine.checks.again.questions import ask, demand, in_words
from hsa_conformance.engine.checks.case import STABLE
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.relations import Holders
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.failures.history import UNSTATED, History, PastExample, remade
from hsa_conformance.engine.running.result import FailingExample
from hsa_conformance.engine.running.session_pool import REUSE, MadeExamples, SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_reports import AFTER, Result
from hsa_spec import Clause, Function

#: How many facts are asked for after each example, beside a list, of which there are few.
_HANDFUL: Final = 2
#: After how many examples a brief run asks; others ask after each. What has changed stays so.
_EVERY: Final = 4
#: How many a brief run asks for when a process has served its last example; others ask for all.
_AT_END: Final = 50
#: How many facts that one function tells are followed up when they change.
_MOST: Final = 3
#: How many processes are started at most to find the call that changed a fact.
_PROCESSES: Final = 40
#: The name of the check that shows a change in reports.
FACTS: Final = "facts after examples"


@dataclass
class _Change:
    """A fact that is not what it was, and the examples of the process that shows it."""

    fact: Fact
    past: MadeExamples


class FactsAgain:
    """The facts of the machine, as fresh processes tell them, and what changes them.

    Args:
        pool: where processes come from.
        judge: knows what the registry says of a call.
        holders: finds the objects of the machine, by kind.
        functions: the functions that are stable and offered.
        seed: makes two runs ask the same.
        brief: whether a person waits for the run.

    Attributes:
        handful: how many facts are asked for after each example.
        changes: those that were another than in fresh processes, until their causes are looked for.

    """

    def __init__(
        self,
        pool: SessionPool,
        judge: Judge,
        holders: Mapping[str, Holders],
        functions: Sequence[Function],
        seed: int,
        *,
        brief: bool,
    ) -> None:
        self.handful = _HANDFUL
        self._every = _EVERY if brief else 1
        self._at_end = _AT_END if brief else None
        self._pool = pool
        self._judge = judge
        self._holders = holders
        self._functions = [f for f in functions if judge.in_force(f"{f.name}/{STABLE}")]
        self._chance = Random(f"{seed}:facts")
        self._machine: Machine | None = None  # in the process that was asked last
        self.changes: list[_Change] = []
        self._followed = Counter[str]()  # facts that changed, by the function that tells them

    @cached_property
    def _facts(self) -> list[Fact]:
        """Return what a fresh process tells."""
        found = [*self._told_by_fresh(PATTERN).values()]
        self._chance.shuffle(found)
        return found

    @cached_property
    def _second_facts(self) -> Mapping[str, Fact]:
        """Return what another fresh process tells, by name."""
        return self._told_by_fresh(OTHER_PATTERN)

    def _is_of_machine(self, fact: Fact) -> bool:
        """Return whether two fresh processes tell a fact alike: few have to be asked for that."""
        return _same(fact, self._second_facts.get(fact.key))

    @cached_property
    def _lists(self) -> list[Fact]:
        """Return those of them that are lists."""
        return [fact for fact in self._facts if fact.question.is_list]

    def _told_by_fresh(self, pattern: int) -> dict[str, Fact]:
        """Return the facts that a fresh process tells; none where it does not survive that."""
        try:
            with self._pool.session(initialised=True, fresh=True) as session:
                machine = Machine(session, self._holders)
                told = facts(machine, self._functions, self._judge, self._holders, pattern)
                return {fact.key: fact for fact in told}
        except (Ended, ProvesNothing, Unavailable):
            return {}

    def look(self, session: Session, check: Check, past: MadeExamples) -> None:
        """Ask for a handful of facts, or for many if the process serves no longer.

        Args:
            session: the process, which a check has just used.
            check: the check.
            past: the examples that it made, with the last one.

        """
        if len(past) % self._every:
            return
        stated = self._judge.registry.clauses[check.clause].strength not in UNSTATED
        if not (stated and check.initialised and _as_started(session) and self._facts):
            return
        count = self._at_end if len(past) >= REUSE else self.handful
        asked = dict.fromkeys([*_rotated(self._lists, 1), *_rotated(self._facts, count)])
        machine = self._machine
        if machine is None or machine.session is not session:
            machine = self._machine = Machine(session, self._holders)
        for fact in asked:
            value = _value_now(machine, fact, OTHER_PATTERN)
            if value != fact.value:
                for known in (self._facts, self._lists):  # one answer is enough
                    known[:] = [other for other in known if other is not fact]
                if self._is_of_machine(fact):
                    self.changes.append(_Change(fact, past))

    def take(self) -> list[Result]:
        """Return a result for each fact that was seen to change and does so again."""
        changes, self.changes = self.changes, []
        return [result for change in changes if (result := self._explained(change)) is not None]

    def _explained(self, change: _Change) -> Result | None:
        """Return what makes a fact change, where the examples before show it in a fresh process."""
        name = change.fact.question.function.name
        self._followed[name] += 1
        if self._followed[name] > _MOST:
            return None
        examples = remade(change.past)
        if not examples:
            return None
        clause = self._judge.registry.clauses[f"{name}/{STABLE}"]
        for each_call in (True, False):
            try:
                found = self._shown(change.fact, clause, examples, each_call=each_call)
            except (AdapterError, Unavailable):
                return None
            if found is not None:
                return found
        return None

    def _shown(
        self, fact: Fact, clause: Clause, examples: Sequence[PastExample], *, each_call: bool
    ) -> Result | None:
        """Make the examples again, as few as show it, and return the result.

        Args:
            fact: what changes.
            clause: the clause that this breaks.
            examples: the examples.
            each_call: whether to ask after each call, and not after the last example alone.

        """
        watches: list[_Watch] = []

        def begin(session: Session) -> None:
            watches.append(
                _Watch(Machine(session, self._holders), fact, clause, each_call=each_call)
            )

        def play(session: Session, draw: Draw) -> Violation | None:
            # Only what it changes counts here.
            with suppress(ProvesNothing, Blocked, Unavailable, Inconsistent, Violation):
                examples[-1].check.body(session, draw, Counts())
            with suppress(ProvesNothing):  # it has left no room to ask
                return watches[-1].conclusion()
            return None

        broken = breach(clause, "", "", {})
        registry = self._judge.registry
        history = History(self._pool, registry, play, broken, examples, _PROCESSES, begin)
        found = history.explain(alone=True)
        if found is None:
            return None
        return _result(found, next(w for w in watches if w.found is found.violation).changed_by)


class _Watch:
    """Asks for a fact when a process has begun, and again; notes where it is another one.

    Args:
        machine: the objects in the process.
        fact: what is asked for.
        clause: the clause that its change breaks.
        each_call: whether to ask after each call.

    Attributes:
        changed_by: the function after a call of which the fact was another one.
        found: the change, if there is one.

    """

    def __init__(self, machine: Machine, fact: Fact, clause: Clause, *, each_call: bool) -> None:
        self.changed_by: str | None = None
        self._machine = machine
        self._fact = fact
        self._clause = clause
        self.found: Violation | None = None
        self._asking = False
        self._question = machine.question(fact)
        self._first = None if self._question is None else ask(machine.session, self._question)
        if each_call:
            machine.session.observer = self._after

    def conclusion(self) -> Violation | None:
        """Return the change, if there is one; ask once more where none was seen."""
        self._machine.session.observer = None
        self._look("the calls since")
        return self.found

    def _after(self, function: str, _: object) -> None:
        if not self._asking and _as_started(self._machine.session):
            self._asking = True
            self._look(function)
            self._asking = False
            if self.found is not None:
                self.changed_by = self.changed_by or function

    def _look(self, words: str) -> None:
        """Ask again, and note a change, with the steps so far."""
        if self.found is not None or self._question is None or self._first is None:
            return
        session, first = self._machine.session, self._first
        place = len(session.trace.notes)
        reply = ask(session, self._question)
        if reply.value == first.value:
            del session.trace.notes[place:]
            return
        was, now = (self._machine.named(self._question, each) for each in (first, reply))
        self.found = breach(
            self._clause,
            f"{self._fact.words} is not what it was before {words}",
            f"{in_words(now)} instead of {in_words(was)}",
            {self._clause.states: [self._clause.id]},
            demand=demand(self._question, first, reply, session),
            step_count=len(session.trace.notes),
        )


def _rotated(facts: list[Fact], count: int | None) -> list[Fact]:
    """Return the first facts of a list, which become the last."""
    first = facts[:count]
    facts[:] = [*facts[len(first) :], *first]
    return first


def _same(fact: Fact, other: Fact | None) -> bool:
    return other is not None and fact.value == other.value


def _as_started(session: Session) -> bool:
    """Return whether a process can be asked: its runtime is the one that it was started with."""
    alive = not session.is_over and session.under_way is None
    return alive and session.ends == 0 and session.model.references == 1


def _value_now(machine: Machine, fact: Fact, pattern: int) -> object:
    """Return the value of a fact, that of before where the process cannot be asked for it."""
    session = machine.session
    question = machine.question(fact)
    if question is None:
        return fact.value
    try:
        with session.trace.paused():
            return machine.value(question, ask(session, question, pattern))
    except (Ended, ProvesNothing, Unavailable):
        return fact.value


def _result(found: FailingExample, changed_by: str | None) -> Result:
    violation = found.violation
    return Result(
        violation.clause,
        FACTS,
        violation.verdict,
        violation.summary,
        failure=violation.failure(found.steps),
        value=changed_by and f"{AFTER}={changed_by}",
    )
