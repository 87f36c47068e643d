"""Says whether an answer is allowed, and which clause is to blame when it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hsa_conformance.engine import verdict
from hsa_conformance.engine.calls import Answer
from hsa_conformance.engine.outcomes import Violation
from hsa_conformance.engine.statuses import SUCCESS
from hsa_reports import Verdict
from hsa_reports.actions import Answers, Fills, StaysWithin
from hsa_spec import Clause, Function, Kind, Registry, Strength, World
from hsa_spec.conditions import Holds
from hsa_spec.evaluation import compile_clause

_ORDER = (Strength.MUST, Strength.SHOULD, Strength.MAY, Strength.OBSERVED, Strength.UNDEFINED)


@dataclass(frozen=True)
class Expectation:
    """What the registry says of one call.

    Attributes:
        holding: the clauses that hold for the call, the strongest first.

    """

    holding: tuple[Clause, ...]

    @property
    def open(self) -> bool:
        """Return whether any answer is right, or no clause speaks of the input at all."""
        return all(c.strength is Strength.OBSERVED for c in self.holding) or any(
            c.strength is Strength.UNDEFINED for c in self.holding
        )

    @property
    def allowed(self) -> Mapping[str, Sequence[str]]:
        """Return each allowed status with the ids of the clauses that allow it."""
        table: dict[str, list[str]] = {}
        for clause in self.holding:
            for status in clause.status:
                table.setdefault(status, []).append(clause.id)
        return table


class Judge:
    """Knows the clauses of every function, ready to be asked.

    Args:
        registry: the specification.
        applies: whether a clause is in force for the subject under test.

    """

    def __init__(self, registry: Registry, applies: Callable[[Clause], bool]) -> None:
        self.registry = registry
        self._clauses: dict[str, list[tuple[Clause, Holds]]] = {
            f.name: [
                (c, compile_clause(c, f))
                for c in sorted(f.clauses, key=lambda c: _ORDER.index(c.strength))
                if c.kind is Kind.STATUS and c.when and applies(c)
            ]
            for f in registry.functions.values()
        }

    def expect(self, function: Function, world: World, args: Sequence[int]) -> Expectation:
        """Return what the registry says of a call with these arguments in this world."""
        return Expectation(
            tuple(c for c, holds in self._clauses[function.name] if holds(world, args))
        )

    def check(self, target: Clause, answer: Answer, expected: Expectation) -> None:
        """Judge an answer.

        Args:
            target: the clause whose test made the call; blamed if the answer breaks it.
            answer: what the library answered.
            expected: what the registry says of the call.

        Raises:
            Violation: the answer is not allowed, or a success left an output unwritten or wrote
                behind one.

        """
        if expected.open:
            return
        if answer.name not in expected.allowed:
            raise self._violation(target, answer, expected)
        if answer.ok:
            self._check_outputs(answer, expected)

    def _violation(self, target: Clause, answer: Answer, expected: Expectation) -> Violation:
        blamed = self._blame(target, expected)
        wanted = " or ".join(expected.allowed)
        documented = answer.name in answer.function.documented
        invalid_input = SUCCESS not in expected.allowed
        undocumented = invalid_input and not answer.ok and not documented
        found = verdict.of_answer(blamed, undocumented_refusal=undocumented)
        if undocumented:
            summary = f"answered {answer.name}, which the function does not document"
        elif found is Verdict.UNDOCUMENTED:
            summary = f"answered {answer.name}, which the text does not foresee here"
        else:
            summary = f"answered {answer.name} instead of {wanted}"
        if target is not blamed:
            summary += f" (found by an input that just misses {target.id})"
        demand = Answers(tuple(expected.allowed))
        return Violation(blamed.id, found, summary, answer.name, expected.allowed, demand=demand)

    def _blame(self, target: Clause, expected: Expectation) -> Clause:
        return target if target in expected.holding else expected.holding[0]

    def _check_outputs(self, answer: Answer, expected: Expectation) -> None:
        success = answer.function.success
        if success is None:
            return
        if name := answer.overrun():
            raise Violation(
                success.id,
                verdict.of_effect(success),
                f"answered SUCCESS and wrote behind the end of {name}",
                f"{answer.name}, bytes behind {name} changed",
                expected.allowed,
                demand=StaysWithin(name),
            )
        for name in answer.unwritten():
            if name in answer.outputs:
                raise Violation(
                    success.id,
                    verdict.of_effect(success),
                    f"answered SUCCESS and did not write {name}",
                    f"{answer.name}, {name} untouched",
                    expected.allowed,
                    demand=Fills(name),
                )
