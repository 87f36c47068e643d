"""How a check failed: the steps, what came back, and what would have been right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hsa_reports.actions import Action
from hsa_reports.demands import Demand
from hsa_reports.place import Place
from hsa_reports.programs import ProgramRun

#: How a process ends that checks itself, as `Failure.got` says it.
ASSERTED: Final = "by a failed assertion"


@dataclass(frozen=True)
class Step:
    """One call of the shortest sequence that shows a defect, with its result in words.

    `action` is the same for programs; event files of older versions have none.
    """

    process: str
    call: str
    result: str
    action: Action | None = None


@dataclass(frozen=True)
class AllowedStatus:
    """A status that would have been right, and the clauses that say so."""

    status: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class TextReading:
    """What one of the texts that differ about a contested clause answers.

    Args:
        clause: the clause's id.
        text: where the text is, with what it says of this.
        answer: a status, statuses with "or" between them, what can be observed, or "anything".

    """

    clause: str
    text: str
    answer: str


@dataclass(frozen=True)
class Failure:
    """The shortest example that shows a defect.

    Args:
        summary: one sentence.
        steps: the calls, the last of which shows it.
        got: what came back.
        allowed: what would have been right.
        detail: anything more in words.
        stderr: the last lines the library printed.
        seen: for a hang, what could be seen of the threads.
        reproduce: one command line.
        demand: what the last step had to do, as far as a program can tell.
        program: the command line that makes a program of the steps.
        readings: each text of each contested clause that holds for the last step or is broken.
        ran: what came of the program; None where nobody tried to make one.
        place: where in the library the process ended, where that is known.
        also: ids of further clauses that it breaks as much, each in a result of its own.

    """

    summary: str
    steps: tuple[Step, ...]
    got: str
    allowed: tuple[AllowedStatus, ...]
    detail: str | None = None
    stderr: str | None = None
    seen: str | None = None
    reproduce: str = ""
    demand: Demand | None = None
    program: str | None = None
    readings: tuple[TextReading, ...] = ()
    ran: ProgramRun | None = None
    place: Place | None = None
    also: tuple[str, ...] = ()

    @property
    def asserted(self) -> bool:
        """Return whether the process ended by a failed assertion, which a build can leave out."""
        return ASSERTED in self.got

    @property
    def tried(self) -> str | None:
        """Return what came of the program, in a sentence; None where none can be asked for."""
        if self.ran is not None:
            return self.ran.words
        return "The program was not run." if self.program else None
