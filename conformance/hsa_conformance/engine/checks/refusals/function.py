"""The function whose calls are refused something, and how a valid call of it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_adapters.ends import HANG
from hsa_adapters.errors import Ended
from hsa_adapters.faults import Faults
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.effects.properties import Property
from hsa_conformance.engine.checks.growth import Choices
from hsa_conformance.engine.checks.random_programs.program import Program
from hsa_conformance.engine.checks.refusals.answers import RefusedAnswers
from hsa_conformance.engine.checks.refusals.refusers import Refuser
from hsa_conformance.engine.checks.refusals.ways import Ways
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.valid_calls import in_turn
from hsa_conformance.engine.judging.judge import Expectation, Judge
from hsa_conformance.engine.session.clean_up import clean_up_both
from hsa_conformance.engine.session.repeat_offenders import RepeatOffenders
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_spec import Clause

#: How many calls are made for one in which values that have names come in turn.
_PLAIN: Final = 2


class RefusedFunction:
    """A function, and what is known of its valid calls.

    Args:
        case: its clause that is judged.
        faults: refuses what it asks for.
        refuser: whose refusals these are, in words.
        ways: what can be refused.
        repertoire: makes conditions hold.
        judge: says which answers are right where nothing is refused.
        effects: the properties of what the function does, with the clauses that they prove.
        programs: the random programs that take part in what it does.
        gives_back: whether it is what gives objects back that others made.

    """

    def __init__(
        self,
        case: Case,
        faults: Faults,
        refuser: Refuser,
        ways: Ways,
        repertoire: Repertoire,
        judge: Judge,
        effects: Sequence[tuple[Clause, Property]],
        programs: Sequence[Program],
        *,
        gives_back: bool,
    ) -> None:
        clause, function = case.clause, case.function
        self.clause = clause
        self.function = function
        self.faults = faults
        self.repertoire = repertoire
        self.judge = judge
        self.refuser = refuser
        self.answers = RefusedAnswers(clause, function, refuser)
        #: What is held against a call during which something is refused, and nothing behind it.
        self.expectation = Expectation((clause,) if refuser.weighs else (), function.name)
        self.effects = effects
        self.unusable: set[Property] = set()  # of these, as they do not hold here anyhow
        self.programs = programs
        self.broken: set[str] = set()  # ids of the clauses that programs break with nothing refused
        self.valid = case.valid
        # What starts the runtime must not find it started.
        self.starts = case.starts_runtime
        self.ways = ways
        self.gives_back = gives_back or any(p.ownership == "consumes" for p in function.params)
        self._hangs = RepeatOffenders[str]()  # whether its valid calls do not return
        self.ends_well = True  # whether objects can be given back, and the runtime shut down

    def count(self, session: Session, draw: Draw) -> None:
        """Make valid calls, and note what each asks for.

        Raises:
            CannotMake: one ends the process, which is not for this clause.
            Unavailable: they hang, and each costs its whole budget.

        """
        name = self.function.name
        if (hang := self._hangs.evidence(name)) is not None:
            raise Unavailable(Verdict.BLOCKED, f"{name}/success: {hang}")
        try:
            for _ in range(2):
                self._count(session, Choices(draw))
                self._hangs.clear(name)
            self.ends_well &= self.ended(session)
        except Ended as end:
            self.ends_well = False
            if end.kind == HANG:
                self._hangs.accuse(name, end.how)
            raise CannotMake("a call ends the process, and nothing was refused") from None
        finally:
            self.faults.disarm()

    def _count(self, session: Session, choices: Choices) -> None:
        self.prepare(session)
        builder = self.build(session, choices.again())
        self.faults.watch()
        session.call_with(self.function.name, builder.values)
        self.ways.note(self.faults.made(), choices.key)
        self.ends_well &= clean_up_both(session)

    def prepare(self, session: Session) -> None:
        """Start or end the runtime, so that the function can be called."""
        while self.starts and session.model.references:
            session.set_up("hsa_shut_down")
        if not self.starts and not session.model.references:
            session.set_up("hsa_init")

    def build(self, session: Session, draw: Draw) -> Builder:
        """Return a valid call; in some, flags and other values that have names come in turn."""
        if draw(drawing.integers(0, _PLAIN)) == _PLAIN:
            return in_turn(self.repertoire, session, self.function, draw, self.valid)
        builder = self.repertoire.begin(session, self.function, draw)
        self.repertoire.satisfy(builder, self.valid)
        return builder

    def require_within_reach(self, call: str) -> None:
        """Accuse nobody of what an imitation lacks.

        Raises:
            CannotMake: the devices were asked for that since something was refused.

        """
        if self.faults.beyond():
            raise CannotMake(self.runs_kernel(call)) from None

    def runs_kernel(self, call: str) -> str:
        """Return why nothing is judged where the devices were asked for what imitations lack."""
        return f"{self.function.name} runs a kernel when it is refused {call}; imitations run none"

    def ended(self, session: Session) -> bool:
        """Shut the runtime down, if it is initialised; return whether that succeeds."""
        return not session.model.references or session.call("hsa_shut_down").ok
