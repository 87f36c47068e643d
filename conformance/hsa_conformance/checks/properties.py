"""Checks of effects: hand-written properties, each of which proves one clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hsa_conformance.calls import Answer, Value
from hsa_conformance.campaign import Check, Counts
from hsa_conformance.findings import Unavailable, Violation
from hsa_conformance.session import Session
from hsa_conformance.strategies.builder import Draw, Stock
from hsa_reports.actions import Answers, Demand
from hsa_spec import Clause, Strength


class Scene(Stock):
    """What a property works with: a stock of valid things, and a way to say what is wrong.

    Args:
        session: the process and what is known of it.
        draw: Hypothesis's source of choices.
        clause: the clause that the property proves.

    """

    def __init__(self, session: Session, draw: Draw, clause: Clause) -> None:
        super().__init__(session, draw)
        self.clause = clause
        session.allowed = {clause.states: [clause.id]}

    def call(self, function: str, **values: Value) -> Answer:
        """Make the call that the property is about."""
        return self.session.call(function, **values)

    def must(self, function: str, **values: Value) -> Answer:
        """Make a call that is only preparation; the property is blocked when it fails."""
        return self.session.must(function, **values)

    def require(self, holds: bool, summary: str, got: object, demand: Demand | None = None) -> None:
        """Say what the clause demands.

        Args:
            holds: whether it is so.
            summary: what is wrong when it is not, in words.
            got: what was observed instead.
            demand: the same of the last step alone, where that is possible.

        Raises:
            Violation: it is not so.
            Unavailable: it is not so, and the clause binds nobody.

        """
        if holds:
            return
        if self.clause.strength is Strength.OBSERVED:
            raise Unavailable("UNTESTED", f"recorded, never judged: {summary} ({got})")
        verdict = "FAIL" if self.clause.strength is Strength.MUST else "WARN"
        allowed = {self.clause.states: [self.clause.id]}
        raise Violation(self.clause.id, verdict, summary, str(got), allowed, demand=demand)

    def require_status(self, answer: Answer, *allowed: str) -> None:
        """Demand that an answer is one of the statuses named."""
        self.require(
            answer.name in allowed,
            f"{answer.function.name} answered {answer.name} instead of {' or '.join(allowed)}",
            answer.name,
            Answers(allowed),
        )


Body = Callable[[Scene], None]


@dataclass(frozen=True)
class Property:
    """A hand-written property and how it wants to be run."""

    clause: str
    body: Body
    initialised: bool
    fresh: bool
    examples: float


#: Every property by the clause that it proves.
PROPERTIES: dict[str, list[Property]] = {}


def proves(
    clause: str, *, initialised: bool = True, fresh: bool = False, examples: float = 1.0
) -> Callable[[Body], Body]:
    """Register a function as the proof of a clause.

    Args:
        clause: id of an effect clause.
        initialised: whether the scene begins in an initialised runtime.
        fresh: whether every example wants a process of its own.
        examples: how many times the profile's number of examples.

    """

    def register(body: Body) -> Body:
        PROPERTIES.setdefault(clause, []).append(
            Property(clause, body, initialised, fresh, examples)
        )
        return body

    return register


def property_checks(clause: Clause) -> list[Check]:
    """Return the checks of one effect clause."""
    return [_check(p, clause) for p in PROPERTIES.get(clause.id, ())]


def _check(prop: Property, clause: Clause) -> Check:
    def body(session: Session, draw: Draw, counts: Counts) -> None:
        prop.body(Scene(session, draw, clause))
        counts.satisfied += 1

    return Check(
        clause.id,
        f"property {prop.body.__name__}",
        body,
        initialised=prop.initialised,
        fresh=prop.fresh,
        examples=prop.examples,
    )
