"""The check of the default effects of a failed call: nothing new stays behind."""

from __future__ import annotations

from hsa_adapters.protocol import Ended
from hsa_conformance.engine import verdict
from hsa_conformance.engine.atoms import is_state
from hsa_conformance.engine.check import Check, Counts
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.fixtures import CannotMake, Draw
from hsa_conformance.engine.outcomes import Unavailable, Violation
from hsa_conformance.engine.session import Session
from hsa_reports import Verdict
from hsa_spec import Clause, Registry
from hsa_spec.conditions.syntax import Not
from hsa_spec.evaluation import is_enforced

SLUG = "failure-creates-nothing"

#: A leak must show once a call; that many calls leave no doubt about chance growth.
CALLS = 8


def failure_check(clause: Clause, registry: Registry, repertoire: Repertoire) -> Check:
    """Return the check of one `failure-creates-nothing` clause."""
    function = registry.functions[clause.function]
    errors = [c for c in function.clauses if is_enforced(c) and not c.untestable and _reachable(c)]
    success = function.success
    valid = [a for a in success.when if not is_state(a)] if success else []
    deadly: set[str] = set()

    def failing(session: Session, draw: Draw) -> Builder:
        """Build a call that fails: a wrong one, or for hsa_init the only one there is."""
        builder = repertoire.begin(session, function, draw)
        if not errors:
            if session.call_with(function.name, builder.values).ok:
                raise Unavailable(Verdict.NOT_APPLICABLE, f"{function.name} does not fail here")
            return builder
        repertoire.satisfy(builder, valid)
        error = builder.choose(errors)
        if error.id in deadly:
            raise CannotMake(f"{error.id} ends the process")
        repertoire.satisfy(builder, [a for a in error.when if not is_state(a)])
        try:
            answer = session.call_with(function.name, builder.values)
        except Ended:
            # That is for the clause of the error to say; whoever died leaves nothing behind.
            deadly.add(error.id)
            raise CannotMake(f"{error.id} ends the process") from None
        if answer.ok:
            raise CannotMake("the call did not fail")
        return builder

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        builder = failing(session, draw)
        counts.satisfied += 1
        # What grows once may be the library's own housekeeping; what grows twice is the call's.
        for kind in _grown(session, builder):
            if kind in _grown(session, builder):
                raise Violation(
                    clause.id,
                    verdict.of_breach(clause),
                    f"each failing call leaves a {kind} behind",
                    f"{CALLS} failing calls, {CALLS} more {kind}s, twice over",
                    {"no change": [clause.id]},
                )

    alone = not errors
    return Check(clause.id, "failure effects", body, initialised=not alone, fresh=alone)


def _grown(session: Session, builder: Builder) -> list[str]:
    descriptors, mappings = len(session.process.descriptors()), session.process.mappings()
    for _ in range(CALLS):
        session.call_with(builder.function.name, builder.values)
    found = []
    if len(session.process.descriptors()) - descriptors >= CALLS:
        found.append("file descriptor")
    if session.process.mappings() - mappings >= CALLS:
        found.append("memory mapping")
    return found


def _reachable(clause: Clause) -> bool:
    return not clause.needs and not any(
        isinstance(a.node, Not) and is_state(a) for a in clause.when
    )
