"""Checks of effects: hand-written properties, each of which proves one clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hsa_conformance.engine.calls.comparing import Relation
from hsa_conformance.engine.calls.outcomes import ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import STATUS, Answer, Value
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.judging import verdict
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_reports.demands import Answers, Demand, LeavesAlone
from hsa_spec import Clause, DecidedBy


class Scene(Fixtures):
    """What a property works with: valid things, and a way to say what is wrong.

    Args:
        session: the process and what is known of it.
        draw: draws the choices of the example; see `generation.drawing`.
        clause: the clause that the property proves.

    """

    def __init__(self, session: Session, draw: Draw, clause: Clause) -> None:
        super().__init__(session, draw)
        self.clause = clause

    def call(self, function: str, **values: Value) -> Answer:
        """Make the call that the property is about.

        Raises:
            Violation: it returns no status, whose checks would look at that, and changes an input.

        """
        answer = self.session.call(function, **values)
        if answer.function.result != STATUS and answer.function.name == self.clause.subject:
            for name in answer.changed:
                raise breach(
                    self.clause,
                    f"{function} changed {name}, which is not an output",
                    f"{name} changed",
                    {},
                    demand=LeavesAlone(name),
                    stated=answer.function.parameter[name].is_constant,
                )
        return answer

    def set_up(self, function: str, **values: Value) -> Answer:
        """Make a call that only prepares it; the property is blocked when it fails."""
        return self.session.set_up(function, **values)

    def require(
        self,
        holds: bool | Relation,
        summary: str,
        got: object,
        demand: Demand | None = None,
        decided_by: DecidedBy | None = None,
        step_count: int | None = None,
    ) -> None:
        """Say what the clause demands.

        Args:
            holds: whether it is so.
            summary: what is wrong when it is not, in words.
            got: what was observed instead.
            demand: the same for a program, where that is possible; a relation says it itself.
            decided_by: who decides it, where that is not whom the clause names.
            step_count: how many of the steps show it, where that is not all of them.

        Raises:
            Violation: it is not so.
            Unavailable: it is not so, and the clause binds nobody.

        """
        self.session.deciders.add(decided_by)
        if holds:
            return
        found = verdict.of_breach(self.clause)
        if found is Verdict.UNTESTED:
            raise Unavailable(found, f"recorded, never judged: {summary} ({got})")
        allowed = {self.clause.states: [self.clause.id]}
        if isinstance(holds, Relation):
            demand = holds.demand
        raise breach(
            self.clause,
            summary,
            str(got),
            allowed,
            demand=demand,
            decided_by=decided_by,
            step_count=len(self.session.trace.notes) if step_count is None else step_count,
        )

    def has_ended(self) -> None:
        """Say that the clause demands no more than that the calls end: a hang is its failure."""
        self.session.deciders.add(None)

    def require_status(
        self, answer: Answer, *allowed: str, decided_by: DecidedBy | None = None
    ) -> None:
        """Demand that an answer is one of the statuses named; `decided_by` as in `require`."""
        self.require(
            answer.name in allowed,
            f"{answer.function.name} answered {answer.name} instead of {' or '.join(allowed)}",
            answer.name,
            Answers(allowed),
            decided_by,
            answer.step_count,
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
    once: bool
    chance: bool = False


class Proofs:
    """The properties of one module. Each module has one, called `proves`."""

    def __init__(self) -> None:
        self._properties: list[Property] = []

    def __iter__(self) -> Iterator[Property]:
        return iter(self._properties)

    def __call__(
        self,
        clause: str,
        *,
        initialised: bool = True,
        fresh: bool = False,
        examples: float = 1.0,
        once: bool = False,
        chance: bool = False,
    ) -> Callable[[Body], Body]:
        """Register a function as the proof of a clause.

        Args:
            clause: id of an effect clause.
            initialised: whether the scene begins in an initialised runtime.
            fresh: whether every example wants a process of its own.
            examples: how many times the profile's number of examples.
            once: whether one machine is enough.
            chance: whether threads make calls at one time; then every example has a process of its
                own.

        """

        def register(body: Body) -> Body:
            alone = fresh or chance
            self._properties.append(
                Property(clause, body, initialised, alone, examples, once, chance)
            )
            return body

        return register

    def each(
        self,
        functions: Iterable[str],
        slug: str,
        *,
        initialised: bool = True,
        fresh: bool = False,
        examples: float = 1.0,
        once: bool = False,
        chance: bool = False,
    ) -> Callable[[Body], Body]:
        """Register a function as the proof of the clause of this slug of several functions.

        The scene tells which of them it is about: `scene.clause.function`. The other arguments are
        those of a single proof.

        """
        clauses = [f"{function}/{slug}" for function in functions]

        def register(body: Body) -> Body:
            for clause in clauses:
                self(
                    clause,
                    initialised=initialised,
                    fresh=fresh,
                    examples=examples,
                    once=once,
                    chance=chance,
                )(body)
            return body

        return register


def property_checks(clause: Clause, properties: Iterable[Property]) -> list[Check]:
    """Return the checks of one effect clause."""
    return [_check(p, clause) for p in properties]


def _check(prop: Property, clause: Clause) -> Check:
    def body(session: Session, draw: Draw, counts: Counts) -> None:
        prop.body(Scene(session, draw, clause))
        if not session.demanded():
            raise ProvesNothing("there was nothing to look at")
        counts.satisfied += 1

    return Check(
        clause.id,
        f"property {prop.body.__name__}",
        body,
        initialised=prop.initialised,
        fresh=prop.fresh,
        examples=prop.examples,
        sweeps=not prop.chance,
        once=prop.once,
        chance=prop.chance,
        proof=prop.body,
    )
