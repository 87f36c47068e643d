"""Says whether an answer is allowed, and which clause is to blame when it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Violation
from hsa_conformance.engine.calls.values import STATUS, Answer
from hsa_conformance.engine.judging import verdict
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.deaths import between, called, finding_of_end
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_reports.demands import Answers, Fills, LeavesAlone, StaysWithin
from hsa_spec import Clause, Function, Kind, Registry, Release, Strength, World
from hsa_spec.conditions import Holds
from hsa_spec.evaluation import compile_clause
from hsa_spec.releases import follows

#: The slug of the clause that calls of a function may be made at one time.
THREADS: Final = "threads"
_ORDER = (Strength.MUST, Strength.SHOULD, Strength.MAY, Strength.OBSERVED, Strength.UNDEFINED)


def _rank(clause: Clause) -> int:
    return _ORDER.index(clause.strength)


@dataclass(frozen=True)
class Expectation:
    """What the registry says of one call.

    Attributes:
        holding: the clauses that hold for the call, the strongest first.
        function: what is called.
        perhaps_in_force: those of them that may not be in force, as the version is unknown.

    """

    holding: tuple[Clause, ...]
    function: str = ""
    perhaps_in_force: tuple[Clause, ...] = ()

    @property
    def sure(self) -> tuple[Clause, ...]:
        """Return the clauses that are broken, whatever the version, where none allows the answer.

        Where one clause begins at the version at which another ends, exactly one of the two is in
        force. Nobody knows which, so the weaker one is broken for sure.
        """
        if not self.perhaps_in_force:
            return self.holding
        certain = tuple(c for c in self.binding if c not in self.perhaps_in_force)
        either = tuple(c for c in self.binding if c in self.perhaps_in_force)
        if certain or not any(follows(a.versions, b.versions) for a, b in permutations(either, 2)):
            return certain
        weakest = max(map(_rank, either))
        return tuple(c for c in either if _rank(c) == weakest)

    @property
    def binding(self) -> tuple[Clause, ...]:
        """Return the clauses that rest on a text, and not on what some library was seen to do."""
        return tuple(c for c in self.holding if c.strength is not Strength.OBSERVED)

    @property
    def open(self) -> bool:
        """Return whether any answer is right, or no clause is sure to speak of the input."""
        spoken = any(c in self.binding for c in self.sure)
        return not spoken or self.anything

    @property
    def anything(self) -> bool:
        """Return whether a text leaves the call undefined, so that success has no effects either.

        Where the status alone is open, a success has the effects of one all the same.
        """
        return self.undefined or any(c.open for c in self.binding)

    @property
    def undefined(self) -> bool:
        """Return whether a clause that holds leaves everything open."""
        return any(c.strength is Strength.UNDEFINED for c in self.holding)

    @property
    def succeeds(self) -> bool:
        """Return whether the call has to answer SUCCESS, whichever of the texts is followed."""
        return not self.open and self.allowed.keys() == {SUCCESS}

    @property
    def allowed(self) -> Mapping[str, Sequence[str]]:
        """Return each allowed status with the ids of the clauses that allow it."""
        table: dict[str, list[str]] = {}
        for clause in self.binding:
            for status in clause.status:
                table.setdefault(status, []).append(clause.id)
        return table


class Judge:
    """Knows the clauses of every function, ready to be asked.

    Args:
        registry: the specification.
        applies: whether a clause is in force for the subject under test; None if nobody knows.
        release: its version. What `in` says of an enumeration is left open for the values that
            it is not known to have: by its header they are unknown, and a library may have them.

    """

    def __init__(
        self,
        registry: Registry,
        applies: Callable[[Clause], bool | None],
        release: Release | None = None,
    ) -> None:
        self.registry = registry
        self._in_force = {c.id: applies(c) for c in registry.clauses.values()}
        self._unsettled = {
            name: release.not_known(enum) for name, enum in registry.enums.items() if release
        }
        self._clauses: dict[str, list[tuple[Clause, Holds]]] = {}  # of what was asked for

    def expect(self, function: Function, world: World, args: Sequence[int]) -> Expectation:
        """Return what the registry says of a call with these arguments in this world."""
        if function.name not in self._clauses:
            self._clauses[function.name] = self._compiled(function)
        holding = tuple(c for c, holds in self._clauses[function.name] if holds(world, args))
        perhaps_in_force = tuple(c for c in holding if self._in_force[c.id] is None)
        return Expectation(holding, function.name, perhaps_in_force)

    def _compiled(self, function: Function) -> list[tuple[Clause, Holds]]:
        return [
            (c, compile_clause(c, function, self._unsettled))
            for c in sorted(function.clauses, key=_rank)
            if c.kind is Kind.STATUS and c.when and self._in_force[c.id] is not False
        ]

    def in_force(self, clause: str) -> bool:
        """Return whether there is such a clause, and it is known to be in force for the subject."""
        return self._in_force.get(clause) is True

    def allowing(self, blocked: Blocked) -> Sequence[str]:
        """Return the clauses by which a call for set-up may answer what it did.

        Args:
            blocked: the call; nothing is known to allow it where it is not known how it was made.

        """
        expected = self._expected_of(blocked)
        if expected.undefined:
            return [c.id for c in expected.holding if c.strength is Strength.UNDEFINED]
        return expected.allowed.get(blocked.got, ())

    def leaving_open(self, blocked: Blocked) -> Sequence[str]:
        """Return the clauses about a call for set-up, where all rest on what some library does.

        Its status is open: it is no obstacle to other calls, and a success has its effects.

        Args:
            blocked: the call.

        """
        expected = self._expected_of(blocked)
        return () if expected.binding else [c.id for c in expected.holding]

    def _expected_of(self, blocked: Blocked) -> Expectation:
        """Return what the registry says of a call for set-up: nothing, if it cannot be told."""
        if blocked.world is None:
            return Expectation(())
        function = self.registry.functions[blocked.clause.partition("/")[0]]
        try:
            return self.expect(function, blocked.world, blocked.arguments)
        except (Ended, ProvesNothing):
            return Expectation(())

    def death(
        self,
        end: Ended,
        target: Clause,
        expected: Expectation | None,
        world: World,
        *,
        preparing: bool,
    ) -> Violation:
        """Return the finding that a process ended, by the clauses that hold for the call.

        Args:
            end: how it ended, and in which call.
            target: the clause under test.
            expected: what the registry said of a call before it was made, perhaps of this one.
            world: what is known of the process, as it was before the call.
            preparing: whether the call only prepared what the clause under test is about.

        """
        if end.between is not None:
            return between(end, self._concurrent(called(end), target))
        under_test = [] if preparing else [target]
        about = [c for c in under_test if c.kind is Kind.EFFECT]
        if end.call is None:
            if expected is None:
                return finding_of_end(end, target, under_test, under_test)
            # What the call under test began may end the process once it has returned.
            return finding_of_end(end, target, self._demanding(expected), about)
        function = self.registry.functions[end.call.function]
        if expected is None or expected.function != function.name:
            args = [a if isinstance(a, int) else 1 for a in end.call.args]
            try:
                expected = self.expect(function, world, args)
            except (Ended, ProvesNothing):  # what only a process that lives could answer
                return finding_of_end(end, target, under_test, under_test)
        holding = [*self._demanding(expected), *self._stated(function, about, preparing=preparing)]
        return finding_of_end(end, target, sorted(holding, key=_rank), about)

    def blamed_thread(self, end: Ended, target: Clause, *, alone: bool) -> str:
        """Return the clause that is blamed for the end of a process in which threads make calls.

        Args:
            end: how it ended, and in which call.
            target: the clause under test.
            alone: whether the function of that call is to blame alone: the process ended while the
                threads made their calls, and the check is about no pair of functions.

        """
        named = f"{end.call.function}/{target.slug}" if alone and end.call else ""
        return named if named in self.registry.clauses else target.id

    def _concurrent(self, functions: Sequence[str], target: Clause) -> Sequence[Clause]:
        """Return the clauses that calls of functions may be made at one time, the target first."""
        ids = (f"{function}/{THREADS}" for function in functions)
        found = {self.registry.clauses[i] for i in ids if self.in_force(i)}
        return sorted(found, key=lambda clause: (clause != target, clause.id)) or [target]

    @staticmethod
    def _demanding(expected: Expectation) -> Sequence[Clause]:
        """Return the clauses that decide what a death weighs: undefined is enough to excuse it."""
        excuses = [c for c in expected.perhaps_in_force if c.strength is Strength.UNDEFINED]
        return [*dict.fromkeys([*expected.sure, *excuses])]

    def _stated(
        self, function: Function, about: Sequence[Clause], *, preparing: bool
    ) -> Sequence[Clause]:
        """Return the effects that are known to be stated of a call.

        Of a function that answers no status nothing else says that a call has to come back.
        """
        if function.result == STATUS:
            return [c for c in about if c.function == function.name]
        effects = (c for c in function.clauses if c.kind is Kind.EFFECT and self.in_force(c.id))
        return list(effects) if preparing else about

    def check(self, target: Clause, answer: Answer, expected: Expectation) -> None:
        """Judge an answer.

        Args:
            target: the clause whose test made the call; blamed if the answer breaks it.
            answer: what the library answered.
            expected: what the registry says of the call.

        Raises:
            Violation: the answer is not allowed, or a success left an output unwritten, wrote next
                to one, or changed an input.

        """
        unlisted = verdict.of_unlisted_refusal(expected.holding)
        if unlisted is not None and self._undocumented(answer):
            summary = f"refused with {answer.name}, which the function does not document"
            raise Violation(target.id, unlisted, summary, answer.name, {})
        if expected.open:
            if answer.ok and expected.holding and not expected.anything:
                self._check_outputs(answer, expected)
            return
        if answer.name not in expected.allowed:
            raise self._violation(target, answer, expected)
        if answer.ok:
            self._check_outputs(answer, expected)

    def _violation(self, target: Clause, answer: Answer, expected: Expectation) -> Violation:
        blamed = self._blame(target, expected)
        wanted = " or ".join(expected.allowed)
        summary = f"answered {answer.name} instead of {wanted}"
        if self._undocumented(answer):
            summary += ", and the function does not document it"
        if target is not blamed:
            summary += f" (found by an input that just misses {target.id})"
        demand = Answers(tuple(expected.allowed))
        return breach(blamed, summary, answer.name, expected.allowed, demand=demand)

    @staticmethod
    def _undocumented(answer: Answer) -> bool:
        """Return whether a call was refused with a status that the function's text lacks."""
        return not answer.ok and answer.name not in answer.function.documented

    def _blame(self, target: Clause, expected: Expectation) -> Clause:
        broken = [c for c in expected.sure if c in expected.binding]
        return target if target in broken else broken[0]

    def _check_outputs(self, answer: Answer, expected: Expectation) -> None:
        success = answer.function.success
        if success is None:
            return
        if name := answer.overrun():
            raise breach(
                success,
                f"answered SUCCESS and wrote outside of {name}",
                f"{answer.name}, bytes next to {name} changed",
                expected.allowed,
                demand=StaysWithin(name),
            )
        for name in answer.changed:
            raise breach(
                success,
                f"answered SUCCESS and changed {name}, which is not an output",
                f"{answer.name}, {name} changed",
                expected.allowed,
                demand=LeavesAlone(name),
                stated=answer.function.parameter[name].is_constant,
            )
        for name in answer.unwritten():
            if name in answer.outputs:
                raise breach(
                    success,
                    f"answered SUCCESS and did not write {name}",
                    f"{answer.name}, {name} untouched",
                    expected.allowed,
                    demand=Fills(name),
                )
