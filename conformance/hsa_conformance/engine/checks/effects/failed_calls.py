"""The check of the default effects of a failed call: nothing new stays behind."""

from __future__ import annotations

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.growth import growth, left_behind
from hsa_conformance.engine.generation.atoms import is_state
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_spec import Clause
from hsa_spec.conditions.syntax import Not
from hsa_spec.evaluation import is_enforced

_AXIS = "error"


def failure_check(case: Case, repertoire: Repertoire) -> Check:
    """Return the check of one `failure-creates-nothing` clause."""
    clause, function = case.clause, case.function
    errors = {
        c.id.partition("/")[2]: c
        for c in function.clauses
        if is_enforced(c) and not c.untestable and _reachable(c, clause)
    }
    deadly: set[str] = set()

    def failing(session: Session, draw: Draw) -> Builder:
        """Build a call that fails: a wrong one, or for hsa_init the only one there is."""
        builder = repertoire.begin(session, function, draw)
        if not errors:
            if session.call_with(function.name, builder.values).ok:
                raise Unavailable(Verdict.NOT_APPLICABLE, f"{function.name} does not fail here")
            return builder
        repertoire.satisfy(builder, case.valid)
        error = Fixtures(session, draw).each(_AXIS, errors)
        if error.id in deadly:
            raise _none(session, f"{error.id} ends the process")
        builder.own = [a for a in error.when if not is_state(a)]
        builder.swept_parameters = {name for atom in builder.own for name in atom.arguments}
        try:
            repertoire.satisfy(builder, builder.own)
        except CannotMake as obstacle:
            raise _none(session, str(obstacle)) from None
        try:
            answer = session.call_with(function.name, builder.values)
        except Ended:
            # That is for the clause of the error to say; whoever died leaves nothing behind.
            deadly.add(error.id)
            raise _none(session, f"{error.id} ends the process") from None
        if answer.ok:
            raise _none(session, "the call did not fail")
        return builder

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        builder = failing(session, draw)
        counts.satisfied += 1

        def fail() -> None:
            with session.apart():
                if session.call_with(function.name, builder.values).ok:
                    raise CannotMake("the call does not fail each time")

        grown = growth(session.process, fail)
        if grown:
            end = len(session.trace.notes)
            raise left_behind(clause, "each failing call", grown, "no change", 1, end)

    alone = not errors
    return Check(
        clause.id,
        "failure effects",
        body,
        initialised=not alone,
        fresh=alone,
        sweeps=not alone,
        once=True,
    )


def _none(session: Session, why: str) -> CannotMake | Unavailable:
    """Return what says that a call did not fail as it was to: there need not be such a failure."""
    if _AXIS in session.axes.pins:
        return Unavailable(Verdict.NOT_APPLICABLE, why)
    return CannotMake(why)


def _reachable(error: Clause, clause: Clause) -> bool:
    """Return whether an error can be had wherever a clause about failures is judged."""
    return set(error.needs) <= set(clause.needs) and not any(
        isinstance(a.node, Not) and is_state(a) for a in error.when
    )
