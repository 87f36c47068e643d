"""Builds calls that succeed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import NO_KERNELS, Unavailable
from hsa_conformance.engine.calls.values import STATUS
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import of_success
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.named_values import NamedValues
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_spec import Function
from hsa_spec.conditions import Atom

#: One of how many values that have names is chosen, at most.
_TURNS: Final = 11
#: No argument is given.
NOTHING_GIVEN: Final[Mapping[str, int]] = {}


def in_turn(
    repertoire: Repertoire,
    session: Session,
    function: Function,
    draw: Draw,
    valid: Sequence[Atom],
    given: Mapping[str, int] = NOTHING_GIVEN,
) -> Builder:
    """Return a valid call in which each flag, and each other value that has a name, comes in turn.

    Args:
        repertoire: makes conditions hold.
        session: the process and what is known of it.
        function: what is called.
        draw: draws the choices of the example, and whose turn it is.
        valid: what has to hold for the call to succeed.
        given: arguments that it has to have.

    Raises:
        CannotMake: some condition resists.

    """

    def built(names: Sequence[str]) -> Builder:
        builder = repertoire.begin(session, function, draw)
        for name, value in given.items():
            builder.fix(name, value)
        NamedValues(function, names, valid, (), refused=False).take_turns(builder)
        repertoire.satisfy(builder, valid)
        return builder

    inputs = [p for p in function.params if p.direction == "in" and p.name not in given]
    with suppress(CannotMake), session.turned(draw(drawing.integers(0, _TURNS))):
        return built([p.name for p in inputs if p.role != "attribute"])
    return built([])


@dataclass(frozen=True)
class ValidCalls:
    """Builds calls that succeed.

    Args:
        judge: knows what the registry says of a call.
        repertoire: makes conditions hold.
        clauses_in_words: ids of clauses that ask in words for more than their conditions do.

    """

    judge: Judge
    repertoire: Repertoire
    clauses_in_words: frozenset[str] = frozenset()

    def build(
        self,
        session: Session,
        function: Function,
        draw: Draw,
        prepare: Callable[[Builder], object] | None = None,
    ) -> Builder:
        """Build a call for which all holds that its arguments need to succeed.

        Args:
            session: the process and what is known of it.
            function: what is called.
            draw: draws the choices of the example; see `generation.drawing`.
            prepare: decides about some of the arguments before the others are made.

        Raises:
            CannotMake: some condition resists.

        """
        builder = self.repertoire.begin(session, function, draw)
        if prepare is not None:
            prepare(builder)
        self.repertoire.satisfy(builder, of_success(function))
        return builder

    def require_success(self, builder: Builder) -> None:
        """Require that a call may succeed, and that no text leaves open what it answers.

        Raises:
            CannotMake, Unavailable: it is otherwise, or nobody could tell.

        """
        function, session = builder.function, builder.session
        expected = self.judge.expect(function, session.model, builder.raw())
        if expected.open or SUCCESS not in expected.allowed:
            raise CannotMake(f"no text says what {function.name} has to answer here")
        if any(c.id in self.clauses_in_words for c in expected.holding):
            raise Unavailable(Verdict.UNTESTED, "a right call takes more than its conditions say")
        if not session.runs_kernels and any("kernels" in c.needs for c in expected.holding):
            raise Unavailable(Verdict.UNTESTED, NO_KERNELS)


def require_sure_success(
    judge: Judge, session: Session, function: Function, arguments: Sequence[int]
) -> None:
    """Require that a call has to succeed; of one without a status, that no text leaves it open.

    Args:
        judge: knows what the registry says of a call.
        session: the process and what is known of it.
        function: what is called.
        arguments: its arguments, in order.

    Raises:
        CannotMake: no text says so.

    """
    expected = judge.expect(function, session.model, arguments)
    if expected.undefined or (function.result == STATUS and not expected.succeeds):
        raise CannotMake(f"no text says that {function.name} has to succeed")
