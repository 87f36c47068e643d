"""Which checks each clause gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hsa_adapters.faults import Faults
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects import failed_calls, leaks
from hsa_conformance.engine.checks.effects.properties import Property, property_checks
from hsa_conformance.engine.checks.effects.relations import relation_checks
from hsa_conformance.engine.checks.random_programs import repeated_programs
from hsa_conformance.engine.checks.refusals import any_request
from hsa_conformance.engine.checks.refusals.exhaustion import (
    FAILING,
    LATER,
    NOT_ZERO,
    RefusalChecks,
    takes_memory,
)
from hsa_conformance.engine.checks.refusals.function import RefusedFunction
from hsa_conformance.engine.checks.refusals.memory_ways import MemoryWays
from hsa_conformance.engine.checks.refusals.refusers import DRIVER, HEAP, Refuser
from hsa_conformance.engine.checks.refusals.ways import Ways
from hsa_conformance.engine.checks.status import clauses
from hsa_conformance.engine.checks.threads.concurrent_calls import threads_check
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.judge import THREADS, Judge
from hsa_conformance.engine.library.tool_tables import for_tools, prepare
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.topic import Topics
from hsa_spec import Clause, Function, Kind, Registry, Strength

#: What makes the checks of effects that need nothing but the registry and valid calls, by slug.
_MAKERS: Final = {
    failed_calls.SLUG: failed_calls.failure_check,
    leaks.SLUG: leaks.kept_check,
    repeated_programs.GROWS: repeated_programs.program_check,
    repeated_programs.SLOWER: repeated_programs.program_check,
}
#: The effects that have generated checks, by slug.
_GENERATED: Final = {*_MAKERS, any_request.SLUG, THREADS, LATER}

#: Properties with a smaller share of the usual examples take long, or wait.
_QUICK: Final = 0.5

#: The share of the usual examples where each takes a process of its own.
_WITH_TOOLS: Final = 0.5


class Checks:
    """Makes the checks of status and effect clauses.

    Args:
        registry: the specification.
        topics: what the suite knows of the API.
        judge: says which answers are right.
        faults: makes the driver fail; None where nothing does.
        memory: refuses memory to the processes; None where nothing does.
        sequences: the checks that play random sequences.
        exports: the functions that the library exports.
        thorough: whether the driver refuses by every errno that it may, once and from then on.

    """

    def __init__(
        self,
        registry: Registry,
        topics: Topics,
        judge: Judge,
        faults: Faults | None,
        memory: Faults | None = None,
        sequences: Sequence[Check] = (),
        exports: frozenset[str] = frozenset(),
        *,
        thorough: bool = False,
    ) -> None:
        self.registry = registry
        self.topics = topics
        self.judge = judge
        self.faults = faults
        self.memory = memory
        self.sequences = sequences
        self.thorough = thorough
        self.exports = exports
        #: Clauses that ask in words for more than their conditions do.
        self.worded = frozenset(
            c.id for c in registry.clauses.values() if c.states and is_proved(c, topics)
        )

    def of(self, clause: Clause) -> list[Check]:
        """Return the checks of a clause, never none.

        Raises:
            LookupError: the clause is testable and nothing tests it.

        """
        found = self._of_status(clause) if clause.kind is Kind.STATUS else self._of_effect(clause)
        if not found:
            raise LookupError(f"no property proves {clause.id}")
        found += [check for check in self.sequences if check.clause == clause.id]
        function = self.registry.functions[clause.function]
        by_symbol = function.name in self.exports or not for_tools(function, self.registry)
        return found if by_symbol else [_with_tools(check) for check in found]

    def _of_status(self, clause: Clause) -> list[Check]:
        if is_proved(clause, self.topics):
            return property_checks(clause, self.topics.properties[clause.id])
        if FAILING in clause.needs and (found := self._refused(clause)):
            return found
        repertoire = self.topics.repertoire
        covered = self.registry.functions[clause.function].topic in self.topics.by_name
        return clauses.status_checks(
            clause, self.registry, self.judge, repertoire, covered=covered, worded=self.worded
        )

    def _of_effect(self, clause: Clause) -> list[Check]:
        refusals = self._refusals(clause)
        if (make := _MAKERS.get(clause.slug)) is not None:
            return [make(clause, self.registry, self.topics.repertoire)]
        if clause.slug == any_request.SLUG:
            return self._driver_refuses(clause)
        if clause.slug == THREADS:
            return self._threads(clause)
        if clause.slug == LATER:
            return [refusals.recovery(clause, self.judge)] if refusals else []
        if clause.id in self.registry.relations:
            return relation_checks(clause, self.registry, self.topics.holders)
        found = property_checks(clause, self.topics.properties.get(clause.id, ()))
        if clause.slug == NOT_ZERO and refusals is not None:
            found += refusals.success(clause)
        return found

    def _refused(self, clause: Clause) -> list[Check]:
        """Return the checks of a status about a resource that has run out."""
        refusals = self._refusals(clause)
        reached = refusals is not None and refusals.refusals.reach(clause)
        found = [refusals.failure(clause, self.judge)] if refusals and reached else []
        if self.memory is not None and takes_memory(clause):
            ways = MemoryWays(self.memory, thorough=self.thorough)
            of = self._refused_function(clause, self.memory, HEAP, ways)
            found.append(any_request.refused_check(of, "refused memory", thorough=self.thorough))
        return found

    def _threads(self, clause: Clause) -> list[Check]:
        found = property_checks(clause, self.topics.properties.get(clause.id, ()))
        function, repertoire = self.registry.functions[clause.function], self.topics.repertoire
        asks = function.success is not None and function.name not in self.topics.rules.transitions
        if asks or not found:
            found.append(threads_check(clause, self.registry, self.judge, repertoire, self.worded))
        return found

    def _driver_refuses(self, clause: Clause) -> list[Check]:
        if self.faults is None:
            return []
        ways = Ways(self.faults, thorough=self.thorough)
        of = self._refused_function(clause, self.faults, DRIVER, ways)
        name = "refused anything by the driver"
        return [any_request.refused_check(of, name, thorough=self.thorough)]

    def _refused_function(
        self, clause: Clause, faults: Faults, refuser: Refuser, ways: Ways
    ) -> RefusedFunction:
        function, repertoire = self.registry.functions[clause.function], self.topics.repertoire
        gives_back = any(rule.function == function.name for rule in self.topics.rules.clean_up)
        return RefusedFunction(
            clause,
            function,
            faults,
            refuser,
            ways,
            repertoire,
            self.judge,
            self._effects(function),
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

    def _refusals(self, clause: Clause) -> RefusalChecks | None:
        function = self.registry.functions[clause.function]
        refusals = self.topics.refusals(function.topic)
        if self.faults is None or refusals is None:
            return None
        return RefusalChecks(function, refusals, self.faults, self.topics.repertoire)


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


def is_proved(clause: Clause, topics: Topics) -> bool:
    """Return whether a status has a property, since no generator makes its condition hold."""
    return clause.kind is Kind.STATUS and clause.id in topics.properties


def takes_threads(clause: Clause, topics: Topics) -> bool:
    """Return whether threads make calls at one time in a check of a clause."""
    proved = topics.properties.get(clause.id, ())
    return clause.slug == THREADS or any(proof.chance for proof in proved)


def has_check(clause: Clause, registry: Registry, topics: Topics) -> bool:
    """Return whether something tests the clause."""
    if clause.id in registry.relations:
        return registry.relations[clause.id][0].of in topics.holders
    if clause.kind is Kind.EFFECT:
        return clause.slug in _GENERATED or clause.id in topics.properties
    return True
