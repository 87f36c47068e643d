"""Which checks each clause gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from hsa_adapters.faults import Faults
from hsa_conformance.engine.checks.again.bystanders import Bystanders
from hsa_conformance.engine.checks.again.repeated_questions import asking_check
from hsa_conformance.engine.checks.again.stable import Stability
from hsa_conformance.engine.checks.before.axis import BeforeAxis
from hsa_conformance.engine.checks.before.ways import REFUSED_BY_DRIVER, REFUSED_MEMORY
from hsa_conformance.engine.checks.case import Case, Form
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.distinct_handles import distinct_check
from hsa_conformance.engine.checks.effects.failed_calls import failure_check
from hsa_conformance.engine.checks.effects.leaks import ends_runtime, kept_check
from hsa_conformance.engine.checks.effects.properties import Property, property_checks
from hsa_conformance.engine.checks.effects.relations import relation_checks
from hsa_conformance.engine.checks.effects.through_use import ThroughUse
from hsa_conformance.engine.checks.effects.used_runtime import used_runtime_check
from hsa_conformance.engine.checks.random_programs.program import Program
from hsa_conformance.engine.checks.random_programs.repeated_programs import program_check
from hsa_conformance.engine.checks.refusals.any_request import refused_check
from hsa_conformance.engine.checks.refusals.exhaustion import RefusalChecks
from hsa_conformance.engine.checks.refusals.function import RefusedFunction
from hsa_conformance.engine.checks.refusals.memory_ways import MemoryWays
from hsa_conformance.engine.checks.refusals.programs import refused_program_check
from hsa_conformance.engine.checks.refusals.refusers import DRIVER, HEAP, Refuser
from hsa_conformance.engine.checks.refusals.ways import Ways
from hsa_conformance.engine.checks.status.clauses import status_checks
from hsa_conformance.engine.checks.threads.concurrent_calls import threads_check
from hsa_conformance.engine.checks.threads.pairs import Pairs
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.valid_calls import ValidCalls
from hsa_conformance.engine.judging.judge import THREADS, Judge
from hsa_conformance.engine.library.tool_tables import prepare
from hsa_conformance.engine.running.choice.cases import Cases
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.topic import Topics
from hsa_spec import Clause, Function, Kind, Strength

#: Properties with a smaller share of the usual examples take long, or wait.
_QUICK: Final = 0.5

#: The share of the usual examples where each takes a process of its own.
_WITH_TOOLS: Final = 0.5


class Checks:
    """Makes the checks of status and effect clauses.

    Args:
        cases: the clauses as the engine tests them.
        judge: says which answers are right.
        faults: makes the driver fail; None where nothing does.
        memory: refuses memory to the processes; None where nothing does.
        sequences: the checks that play random sequences.
        programs: what random programs can do, by topic.
        exports: the functions that the library exports.
        offered: those that may be called and can be.
        seed: makes two runs choose the same.
        thorough: whether the driver refuses by every errno that it may, once and from then on.

    """

    def __init__(
        self,
        cases: Cases,
        judge: Judge,
        faults: Faults | None,
        memory: Faults | None = None,
        sequences: Sequence[Check] = (),
        programs: Mapping[str, Sequence[Program]] = MappingProxyType({}),
        exports: frozenset[str] = frozenset(),
        offered: frozenset[str] = frozenset(),
        seed: int = 0,
        *,
        thorough: bool = False,
    ) -> None:
        self.cases = cases
        self.registry = cases.registry
        self.topics = cases.topics
        self.judge = judge
        self.faults = faults
        self.memory = memory
        self.sequences = sequences
        self.programs = programs
        self.thorough = thorough
        self.exports = exports
        #: Clauses that ask in words for more than their conditions do.
        self.clauses_in_words = frozenset(
            c.id
            for c in self.registry.clauses.values()
            if c.states and c.kind is Kind.STATUS and c.id in self.topics.properties
        )
        repertoire = self.topics.repertoire
        functions = {f.name: f for f in self.registry.functions.values() if f.name in offered}
        self.stability = Stability(repertoire, judge, functions)
        changing = self.topics.rules.transitions
        self.bystanders = Bystanders(repertoire, judge, functions, changing, self.topics.holders)
        self.functions, self.seed = functions, seed
        self.calls = ValidCalls(judge, repertoire, self.clauses_in_words)
        self.pairs = Pairs(self.calls, self.topics.rules, functions, seed)
        self.through_use = ThroughUse(repertoire, judge, self.topics.rules, functions, seed)
        self.before = BeforeAxis(
            repertoire,
            judge,
            functions,
            {topic.name: topic.lives for topic in self.topics.by_name.values()},
            {
                name: faults
                for name, faults in (
                    (REFUSED_BY_DRIVER, faults),
                    (REFUSED_MEMORY, memory),
                )
                if faults is not None
            },
            frozenset(rule.function for rule in self.topics.rules.clean_up),
            seed,
        )
        self._makers: Mapping[Form, Callable[[Case], list[Check]]] = {
            Form.CONDITIONS: self._conditions,
            Form.EXHAUSTION: self._exhaustion,
            Form.PROPERTY: self._properties,
            Form.NEW_HANDLE: self._new_handle,
            Form.THREADS: self._threads,
            Form.RELATION: lambda c: relation_checks(c, self.registry, self.topics.holders),
            Form.FAILED_CALLS: lambda c: [failure_check(c, repertoire)],
            Form.LEAKS: self._leaks,
            Form.PROGRAMS: lambda c: [program_check(c, self.registry, repertoire)],
            Form.ANY_REQUEST: self._any_request,
            Form.RECOVERY: self._recovery,
            Form.DISTINCT: lambda c: self._properties(c) or [distinct_check(c, self.calls)],
            Form.STABLE: lambda c: [self.stability.check(c)],
        }

    def of(self, clause: Clause) -> list[Check]:
        """Return the checks of a status or effect clause, never none.

        Raises:
            LookupError: the clause is testable and nothing tests it.

        """
        case = self.cases.of(clause)
        found = self._makers[case.form](case)
        if not found:
            raise LookupError(f"no property proves {clause.id}")
        found = [self.before.of(case, check, number) for number, check in enumerate(found)]
        found += [check for check in self.sequences if check.clause == clause.id]
        by_symbol = case.function.name in self.exports or not case.tools_only
        return found if by_symbol else [_with_tools(check) for check in found]

    def _leaks(self, case: Case) -> list[Check]:
        if case.function.stable:
            return [asking_check(case, self.judge, self.topics.repertoire)]
        found = [kept_check(case, self.registry, self.topics.repertoire)]
        if ends_runtime(case.function):
            found.append(used_runtime_check(case, self.calls, self.functions, self.seed))
        return [*found, *self.through_use.checks(case)]

    def _conditions(self, case: Case) -> list[Check]:
        covered = case.function.topic in self.topics.by_name
        return status_checks(
            case,
            self.judge,
            self.topics.repertoire,
            self.registry,
            self.clauses_in_words,
            self.bystanders.around,
            covered=covered,
        )

    def _exhaustion(self, case: Case) -> list[Check]:
        """Return the checks of a status about a resource that has run out."""
        refusals = self._refusals(case)
        found = [refusals.failure(self.judge)] if refusals and refusals.reach else []
        if self.memory is not None and case.takes_memory:
            ways = MemoryWays(self.memory, thorough=self.thorough)
            of = self._refused_function(case, self.memory, HEAP, ways)
            found += self._refused(of, "refused memory")
        return found or self._conditions(case)

    def _properties(self, case: Case) -> list[Check]:
        return property_checks(case.clause, self.topics.properties.get(case.clause.id, ()))

    def _new_handle(self, case: Case) -> list[Check]:
        refusals = self._refusals(case)
        return self._properties(case) + (refusals.success() if refusals else [])

    def _threads(self, case: Case) -> list[Check]:
        found, function = self._properties(case), case.function
        asks = function.success is not None and function.name not in self.topics.rules.transitions
        if asks or not found:
            found.append(threads_check(case, self.registry, self.calls))
        pair = self.pairs.check(case)
        return found if pair is None else [*found, pair]

    def _any_request(self, case: Case) -> list[Check]:
        if self.faults is None:
            return []
        ways = Ways(self.faults, thorough=self.thorough)
        of = self._refused_function(case, self.faults, DRIVER, ways)
        return self._refused(of, "refused anything by the driver")

    def _refused(self, of: RefusedFunction, name: str) -> list[Check]:
        """Return the checks of a function that is refused something, the first by this name."""
        found = [refused_check(of, name, thorough=self.thorough)]
        # What gives objects back, and what starts the runtime, can be half done.
        if of.programs and not (of.gives_back or of.starts or of.function.success is None):
            found.append(refused_program_check(of))
        return found

    def _recovery(self, case: Case) -> list[Check]:
        refusals = self._refusals(case)
        return [refusals.recovery(self.judge)] if refusals else []

    def _refused_function(
        self, case: Case, faults: Faults, refuser: Refuser, ways: Ways
    ) -> RefusedFunction:
        name = case.function.name
        gives_back = any(rule.function == name for rule in self.topics.rules.clean_up)
        return RefusedFunction(
            case,
            faults,
            refuser,
            ways,
            self.topics.repertoire,
            self.judge,
            self._effects(case.function),
            [p for p in self.programs.get(case.function.topic, ()) if not p.life.two],
            gives_back=gives_back,
        )

    def _effects(self, function: Function) -> list[tuple[Clause, Property]]:
        """Return the properties of what one call of a function does.

        Also of what a driver or device decides: they are tried with nothing refused as well, which
        tells an imitation that cannot do it from a library that was refused and answers SUCCESS.
        """
        return [
            (clause, effect)
            for clause in function.clauses
            if clause.kind is Kind.EFFECT and clause.strength is not Strength.OBSERVED
            if self.judge.in_force(clause.id)
            for effect in self.topics.properties.get(clause.id, ())
            if effect.initialised and not effect.fresh and effect.examples >= _QUICK
        ]

    def _refusals(self, case: Case) -> RefusalChecks | None:
        refusals = self.topics.refusals(case.function.topic)
        if self.faults is None or refusals is None:
            return None
        return RefusalChecks(case, refusals, self.faults, self.topics.repertoire)


def _with_tools(check: Check) -> Check:
    """Return a check of which each process starts its runtime with a library of tools."""

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        session.record = prepare(session)
        if check.initialised:
            session.set_up("hsa_init")
            session.discover(session)
        check.body(session, draw, counts)

    return replace(
        check,
        body=body,
        initialised=False,
        fresh=True,
        examples=check.examples * _WITH_TOOLS,
        proof=check.proof or check.body,
    )


def takes_threads(clause: Clause, topics: Topics) -> bool:
    """Return whether threads make calls at one time in a check of a clause."""
    proved = topics.properties.get(clause.id, ())
    return clause.slug == THREADS or any(proof.chance for proof in proved)
