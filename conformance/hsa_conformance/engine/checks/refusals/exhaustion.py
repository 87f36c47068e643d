"""Checks of calls during which the driver of an imitated machine refuses a resource."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from hsa_adapters.errors import Ended
from hsa_adapters.faults import Faults
from hsa_conformance.engine.calls.comparing import equal, opposite
from hsa_conformance.engine.calls.outcomes import Inconsistent, Unavailable
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.case import FAILING, Case, Form
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.refusals.arming import armed
from hsa_conformance.engine.checks.refusals.driver_calls import DriverCalls
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import exhausted
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_reports.actions import Refuse
from hsa_reports.demands import Answers

Body = Callable[[Session, Draw, Counts], None]

#: How many times the usual number of examples.
EXAMPLES: Final = 2.5


@dataclass(frozen=True)
class Refusals:
    """What is known of the driver's calls that functions of a topic make.

    Args:
        calls: for each resource, the driver's calls that ask for it, and the error where there is
            none left.

    """

    calls: Mapping[str, Sequence[tuple[str, str]]]

    def met_by(self, faults: Faults) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Return those of the calls that can be made to fail, by resource, if there are any."""
        there = {
            resource: [(call, error) for call, error in calls if faults.errors(call)]
            for resource, calls in self.calls.items()
        }
        return {resource: calls for resource, calls in there.items() if calls}

    def reach(self, case: Case, faults: Faults) -> bool:
        """Return whether it is known what to refuse so that a clause's resource runs out."""
        if case.form is Form.RECOVERY:
            return True
        known = self.met_by(faults)
        return [resource in known for resource in case.resources] == [True]


class RefusalChecks:
    """The checks of one clause during which the driver refuses something.

    Args:
        case: the clause.
        refusals: what the driver can refuse meanwhile.
        faults: makes the driver fail.
        repertoire: makes conditions hold.

    """

    def __init__(
        self, case: Case, refusals: Refusals, faults: Faults, repertoire: Repertoire
    ) -> None:
        self.case = case
        self.function = function = case.function
        self.faults = faults
        self.repertoire = repertoire
        # What starts the runtime must not find it started.
        self.starts = case.starts_runtime
        calls = refusals.met_by(faults)
        self.driver = DriverCalls(calls)
        resources = {r for c in function.clauses if FAILING in c.needs for r in exhausted(c)}
        self.resources = sorted(resources & calls.keys())
        self.reach = refusals.reach(case, faults)

    def failure(self, judge: Judge) -> Check:
        """Return the check of a status clause about a resource that has run out.

        Args:
            judge: says which answers are right.

        """
        clause = self.case.clause
        [resource] = self.case.resources

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            if self.driver.none(resource):
                reason = f"{self.function.name} asks the driver for no {resource}"
                raise Unavailable(Verdict.UNTESTED, reason)
            refused = self._refused_call(session, draw, resource)
            session.model.short_of.add(resource)
            expected = judge.expect(self.function, session.model, refused.builder.raw())
            session.model.short_of.remove(resource)
            if clause not in expected.holding:
                raise Inconsistent(f"{clause.id} is about {resource}, and is said not to hold")
            session.expected = expected
            answer = refused.fail()
            counts.satisfied += 1
            judge.check(clause, answer, expected)

        return self._check("refused by the driver", body)

    def recovery(self, judge: Judge) -> Check:
        """Return the check that a call which the driver made fail can be made again.

        Args:
            judge: says which answers are right.

        """
        clause = self.case.clause

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            refused = self._refused_call(session, draw, draw(drawing.sampled_from(self.resources)))
            _unless_it_ends(refused.fail)
            expected = judge.expect(self.function, session.model, refused.builder.raw())
            session.expected = expected
            counts.satisfied += 1
            answer = session.call_with(self.function.name, refused.builder.values)
            if answer.name not in expected.allowed:
                raise breach(
                    clause,
                    "after a call that the driver made fail, the same call fails without that",
                    answer.name,
                    {status: [clause.id] for status in expected.allowed},
                    demand=Answers(tuple(expected.allowed)),
                )

        return self._check("made again after a refusal", body)

    def success(self) -> list[Check]:
        """Return the check that what succeeds although something was refused gives no handle 0."""
        clause = self.case.clause
        params = self.function.params
        [handle] = (p.name for p in params if (p.direction, p.role) == ("out", "handle"))

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            refused = self._refused_call(session, draw, draw(drawing.sampled_from(self.resources)))
            answer = _unless_it_ends(refused.call)
            if not answer.ok:
                raise CannotMake(f"{self.function.name} fails when the driver refuses something")
            counts.satisfied += 1
            made = opposite(equal(answer[handle], 0))
            if not made:
                raise breach(
                    clause,
                    "a call succeeds that the driver refused memory, and the handle is 0",
                    f"{handle} = 0",
                    {"another handle": [clause.id]},
                    demand=made.demand,
                )

        return [self._check("succeeds in spite of a refusal", body)] if self.resources else []

    def _refused_call(self, session: Session, draw: Draw, resource: str) -> _RefusedCall:
        builder = self.repertoire.begin(session, self.function, draw)
        self.repertoire.satisfy(builder, self.case.valid)
        refusal = self.driver.refusal(draw, resource)
        if (counting := self.driver.to_count(resource)) is not None:
            self._count(_RefusedCall(builder, self.faults, counting))
        return _RefusedCall(builder, self.faults, refusal)

    def _count(self, refused: _RefusedCall) -> NoReturn:
        """Make a call during which nothing is refused, and note what it asks of the driver.

        Raises:
            CannotMake: always, for that proves nothing.

        """
        try:
            refused.call()
        finally:
            self.driver.note(refused.refusal.call, refused.requests)
        raise CannotMake("the driver was asked, and refused nothing")

    def _check(self, name: str, body: Body) -> Check:
        return Check(
            self.case.clause.id,
            name,
            body,
            initialised=not self.starts,
            fresh=True,
            examples=EXAMPLES,
            once=not self.starts,  # a start asks the driver for each device of the machine
        )


class _RefusedCall:
    """A valid call, and a call of the driver that is refused meanwhile."""

    def __init__(self, builder: Builder, faults: Faults, refusal: Refuse) -> None:
        self.builder = builder
        self.session = builder.session
        self.faults = faults
        self.refusal = refusal
        self.requests = 0

    def fail(self) -> Answer:
        """Make the call, which fails.

        Raises:
            Ended: the process did not survive the refusal.
            CannotMake: nothing was refused, or the function can do without.

        """
        answer = self.call()
        if answer.ok:
            raise CannotMake(self._unneeded())
        return answer

    def call(self) -> Answer:
        """Make the call.

        Raises:
            Ended: the process did not survive the refusal.
            CannotMake: nothing was refused.

        """
        with armed(self.session, self.faults, self.refusal):
            try:
                answer = self.session.call_with(self.builder.function.name, self.builder.values)
            except Ended:
                self._require_met()
                raise
            else:
                self._require_met()
            finally:
                self.requests = self.refusal.after - self.faults.left()
        return answer

    def _require_met(self) -> None:
        if not self.faults.hits():
            raise CannotMake(self._unneeded())

    def _unneeded(self) -> str:
        return f"the driver refused nothing that {self.builder.function.name} cannot do without"


def _unless_it_ends(call: Callable[[], Answer]) -> Answer:
    """Make a call; where it ends the process, that is for the clause of its status to tell."""
    try:
        return call()
    except Ended:
        raise CannotMake("the refusal ends the process") from None
