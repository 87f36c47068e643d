"""Lets something happen before the call that a check is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from hsa_adapters.ends import HANG
from hsa_adapters.errors import Ended
from hsa_adapters.faults import Faults
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Violation
from hsa_conformance.engine.checks.before import surroundings, ways
from hsa_conformance.engine.checks.before.earlier_calls import EarlierCalls
from hsa_conformance.engine.checks.before.ways import Way
from hsa_conformance.engine.checks.case import Case, Form
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.player import Life
from hsa_conformance.engine.checks.random_programs.steps import OPENING
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import of_success, starts_runtime
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Misfit, Unsuitable
from hsa_conformance.engine.judging import verdict
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.conversation import alone
from hsa_conformance.engine.session.session import Session
from hsa_reports import BEFORE, Verdict
from hsa_spec import Function, Kind

#: The forms of clauses whose checks make one call that may come after others.
_FORMS: Final = (
    Form.CONDITIONS,
    Form.PROPERTY,
    Form.NEW_HANDLE,
    Form.DISTINCT,
    Form.RELATION,
    Form.FAILED_CALLS,
)

#: The ways that touch what comes of a call alone.
_OF_EFFECTS: Final = (surroundings.IN_CALLBACK, ways.REFUSED_AFTER, ways.OTHER_REFUSED_AFTER)

#: How many times as many turns as others a way has: what few functions can meet comes seldom else.
_MORE_TURNS: Final = {
    surroundings.IN_CALLBACK: 4,
    surroundings.NO_INPUT: 4,
    ways.ANOTHER_ARGUMENT: 2,
}

#: How many ways a brief run tries at most with a check that looks at what comes of a call, and by
#: how many the first one of a check is further on than that of the check before.
_TURNS: Final = 6
_STEP: Final = 2


class BeforeAxis:
    """Makes checks in which something happens before.

    Args:
        repertoire: makes conditions hold.
        judge: knows what the registry says of a call.
        functions: the functions that the library offers, by name.
        lives: what random programs of each topic are made of, by the topic.
        refusers: who refuses what calls ask for, by what reports call such a call.
        gives_back: the names of functions that give back what others made.
        seed: makes two runs choose the same.

    """

    def __init__(
        self,
        repertoire: Repertoire,
        judge: Judge,
        functions: Mapping[str, Function],
        lives: Mapping[str, Sequence[Life]],
        refusers: Mapping[str, Faults],
        gives_back: frozenset[str],
        seed: int,
    ) -> None:
        self.repertoire = repertoire
        self.judge = judge
        self.functions = functions
        self.lives = lives
        self.refusers = refusers
        self.gives_back = gives_back
        self.seed = seed
        self._ways: dict[str, Mapping[str, Way]] = {}  # by function
        # The checks to which ways are dealt, and the place of each clause among those of its kind.
        self._players: Counter[tuple[str, Kind]] = Counter()
        self._places: dict[str, int] = {}
        for clause in judge.registry.clauses.values():
            self._places[clause.id] = self._players[clause.function, clause.kind]
            self._players[clause.function, clause.kind] += 1
        self._deadly: set[tuple[str, str]] = set()  # functions, and ways that end the process

    def of(self, case: Case, check: Check, number: int) -> Check:
        """Return a check of a clause whose examples can have something happen before.

        Args:
            case: the clause.
            check: the check, in which nothing does.
            number: how many other checks of the clause come before it.

        """
        unsuited = not check.initialised or check.chance or check.stepwise or case.counts_references
        if unsuited or case.form not in _FORMS or case.function.name not in self.functions:
            return check
        function, seed = case.function, f"{self.seed}:{check.clause}:{check.name}"
        there = dict(self._of_function(function))
        of_effects = case.form not in (Form.CONDITIONS, Form.FAILED_CALLS)
        if case.form is Form.FAILED_CALLS:  # what they leave is counted, and threads leave more
            for way in surroundings.OF_THREADS:
                there.pop(way, None)
        if not of_effects:  # nobody looks at what comes of them
            for way in _OF_EFFECTS:
                there.pop(way, None)

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            name = session.axes.pins.get(BEFORE)
            if name is None:
                check.body(session, draw, counts)
                return
            past = self._past(
                name,
                there,
                session,
                function,
                draw,
                f"{seed}:{name}",
                lambda: check.body(session, drawing.simplest, Counts()),
            )
            with past.blameless(), session.scratch.given_up():
                there[name](past)
            session.axes.chosen[BEFORE] = name
            judged = counts.satisfied, counts.near_misses
            # All else is as simple as can be, and as in the example with nothing before.
            session.makes_extra_objects = alone
            try:
                with past.decisive():
                    check.body(session, drawing.simplest, counts)
                if session.forestalled():
                    raise CannotMake(f"the example does not call {function.name}")
                if session.in_threads is not None and not session.calls_in_threads:
                    raise Misfit(f"the example calls {function.name} alone")
            except ProvesNothing:
                # It may be the call before that could not be made, once the other was counted.
                counts.satisfied, counts.near_misses = judged
                raise
            except (Blocked, Ended) as obstacle:
                end = obstacle.end if isinstance(obstacle, Blocked) else obstacle
                if isinstance(obstacle, Blocked):
                    obstacle.stated &= name not in self.refusers
                if name != surroundings.SMALL_STACK or end is None or end.kind == HANG:
                    raise
                # How much of a stack a call takes, no text says.
                broken = self.judge.registry.clauses[check.clause]
                summary = f"the process ended {end.where}, in a thread with a small stack"
                raise breach(broken, summary, end.how, {}, stated=False) from None
            except Violation as violation:
                if name in self.refusers and violation.verdict is Verdict.FAIL:
                    # No text says in as many words that a refusal costs nothing afterwards.
                    broken = self.judge.registry.clauses[violation.clause]
                    violation.verdict = verdict.of_breach(broken, stated=False)
                raise

        return replace(
            check,
            body=body,
            before=self._dealt(there, case, number),
            turns=_TURNS if of_effects or case.clause is function.success else 1,
            proof=check.proof or check.body,
        )

    def _dealt(self, names: Collection[str], case: Case, number: int) -> list[str]:
        """Return ways in the order in which a check tries them.

        Those of a function are dealt to its checks like cards, so that a run tries each of them
        once before it tries one twice, as far as there are as many checks.
        """
        clause = case.clause
        player = clause.function, clause.kind
        cards = [n for n in self._of_function(case.function) for _ in range(_MORE_TURNS.get(n, 1))]
        Random(f"{self.seed}:{player}").shuffle(cards)
        place = self._places[clause.id] + number * self._players[player]
        first = _STEP * place % max(len(cards), 1)
        dealt = dict.fromkeys([*cards[first:], *cards[:first]])
        return [name for name in dealt if name in names]

    def _past(
        self,
        name: str,
        there: Mapping[str, Way],
        session: Session,
        function: Function,
        draw: Draw,
        seed: str,
        example: Callable[[], None],
    ) -> EarlierCalls:
        """Return what uses a process in some way.

        Raises:
            CannotMake: it cannot be used so.

        """
        key = function.name, name
        if name not in there:
            raise Unsuitable(f"{name} cannot come before {function.name}")
        if key in self._deadly:
            raise CannotMake(f"{name} ends the process before {function.name}")
        return EarlierCalls(
            session,
            drawing.drawn_from(draw(drawing.ticket(seed))),
            function,
            self.judge,
            self.repertoire,
            lambda: self._deadly.add(key),
            lambda: bool(draw(OPENING)),
            example,
        )

    def _of_function(self, function: Function) -> Mapping[str, Way]:
        """Return what can happen before calls of a function, by what reports call it."""
        if function.name not in self._ways:
            self._ways[function.name] = dict(self._found(function))
        return self._ways[function.name]

    def _found(self, function: Function) -> Iterator[tuple[str, Way]]:
        if function.success is not None:
            yield "another call", ways.another_call
            yield "objects destroyed", ways.objects_destroyed
            yield "older objects destroyed", ways.older_objects_destroyed
            yield "a restart", ways.a_restart
            if of_success(function):
                yield "a refused call", ways.a_refused_call
            if function.name not in self.gives_back:
                if of_success(function):
                    yield ways.REFUSED_AFTER, ways.a_refused_call_of([function], after=True)
                for name, faults in self.refusers.items():
                    yield name, ways.a_call_refused_by(faults)
        if ways.is_query(function):
            yield "the same query", ways.the_same_query
            if sum(p.direction == "in" for p in function.params) > 1:
                yield ways.ANOTHER_ARGUMENT, ways.another_argument
        if others := self._beside(function):
            yield "a call of another function", ways.a_call_of(others)
        if others := self._related(function):
            yield "a refused call of another function", ways.a_refused_call_of(others)
            # In the place of what is gone another call may put something.
            if function.success is not None and function.name not in self.gives_back:
                yield ways.OTHER_REFUSED_AFTER, ways.a_refused_call_of(others, after=True)
        yield from self._surroundings(function)
        lives = self.lives.get(function.topic, ())
        played = sorted({f for life in lives for f in life.functions if f in self.functions})
        if played:
            yield ways.PROGRAM, ways.a_random_program(lives, played)

    def _surroundings(self, function: Function) -> Iterator[tuple[str, Way]]:
        """Yield what the calls of a function can be made in: threads, callbacks, other starts."""
        yield surroundings.IN_THREADS, surroundings.calls_in_threads
        yield surroundings.NESTED, surroundings.nested_starts
        if function.success is not None and not starts_runtime(function):
            yield surroundings.INTERRUPTED, surroundings.interrupted
            yield surroundings.SMALL_STACK, surroundings.with_a_small_stack
        if any(p.role == "descriptor" for p in function.params):
            yield surroundings.NO_INPUT, surroundings.without_standard_input
        queries = [other for other in self._beside(function) if ways.is_query(other)]
        if queries and surroundings.traverses(function, self.judge.registry):
            yield surroundings.IN_CALLBACK, surroundings.calls_in_its_callback(queries)

    def _beside(self, function: Function) -> list[Function]:
        """Return the other functions of its topic, which share what a library keeps for it."""
        return [
            other
            for other in self.functions.values()
            if other.topic == function.topic and other is not function
            if other.success is not None and not starts_runtime(other)
        ]

    def _related(self, function: Function) -> list[Function]:
        """Return the functions that are refused wrong arguments and take objects of one type.

        Of a function that takes no object, these are the others of its topic.
        """
        types = _handles(function)
        return [
            other
            for other in self.functions.values()
            if other is not function and of_success(other) and not starts_runtime(other)
            if (types & _handles(other) if types else other.topic == function.topic)
        ]


def _handles(function: Function) -> set[str]:
    return {p.type for p in function.params if p.role == "handle"}
