"""Makes the program of a failure, and tries it before it is offered."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hsa_conformance.reproduce.plans.plan import CannotReproduce
from hsa_conformance.reproduce.plans.planning import plan_for
from hsa_conformance.reproduce.programs.render import render
from hsa_conformance.reproduce.trying.cutting import bare, cut
from hsa_conformance.reproduce.trying.target import NoTargetError, ProgramOutput, Target
from hsa_reports import Failure, ProgramRun, RunStarted
from hsa_reports.programs import ABSENT, CANNOT_TELL, PRESENT
from hsa_spec import Registry

#: Seconds from which on a program takes too long to be tried with fewer steps.
_SLOW: Final = 5.0
#: How often a program tries in one go what did not show at once, and how often that program is run:
#: what a process happens to have in its memory is the same for all that it forks.
TRIES: Final = 5
#: How often a program of threads is run again: on a busy machine they seldom run at one time.
MEETINGS: Final = 2


@dataclass(frozen=True)
class Program:
    """A program that is offered.

    Attributes:
        text: the program; None where none is.
        ran: what came of it where the failure was seen.

    """

    text: str | None
    ran: ProgramRun


class Offerer:
    """Makes programs of the failures of a run.

    Args:
        run: the run.
        registry: the specification.
        target: where programs are tried; None where that cannot be.
        reason: why it cannot be.

    """

    def __init__(
        self, run: RunStarted, registry: Registry, target: Target | None, reason: str = ""
    ) -> None:
        self._run = run
        self._registry = registry
        self._target = target
        self._reason = reason

    def offer(
        self,
        clause: str,
        failure: Failure,
        machine: str | None = None,
        language: str | None = None,
        shortest: bool = True,
    ) -> Program:
        """Return the program of a failure.

        Args:
            clause: id of the clause.
            failure: how it failed.
            machine: what it failed on, where a run has several.
            language: what the program shall be written in; None for what can be tried, else C.
            shortest: leave out the set-up that it does not need, as more tries show.

        """
        target = self._target
        form = language or (target.languages[0] if target else "c")

        def written(failure: Failure, tries: int = 1) -> str:
            plan = plan_for(clause, failure, self._registry)
            return render(plan, self._run, self._registry, form, tries)

        trial = (
            _Trial(target, form, machine, written) if target and form in target.languages else None
        )
        try:
            text = written(failure)
        except CannotReproduce as error:
            # A step that is only set-up may be what cannot be made.
            fewer = trial.showing(bare(failure)) if trial else None
            return fewer or Program(None, ProgramRun("none", None, str(error)))
        if target is None:
            return Program(text, ProgramRun(form, None, f"not run: {self._reason}"))
        if trial is None:
            runs = " and ".join(target.languages)
            return Program(text, ProgramRun(form, None, f"not run: there only {runs} can be run"))
        plan = plan_for(clause, failure, self._registry)
        try:
            if plan.by_chance:
                return trial.meet(text)
            demanded = plan.demand is not None
            return trial.offer(failure, text, shortest=shortest, demanded=demanded)
        except NoTargetError as error:
            return Program(text, ProgramRun(form, None, f"not run: {error}"))


@dataclass(frozen=True)
class _Trial:
    """Tries the program of one failure.

    Args:
        target: where.
        form: what it is written in.
        machine: what the failure was seen on, where a run has several.
        written: writes the program of a failure that tries so often.

    """

    target: Target
    form: str
    machine: str | None
    written: Callable[..., str]

    def offer(self, failure: Failure, text: str, *, shortest: bool, demanded: bool) -> Program:
        """Return the program that is offered.

        Args:
            failure: the failure.
            text: the program of all its steps.
            shortest: leave out the set-up that it does not need.
            demanded: whether the program can tell a library that is right.

        """
        said = self._run(text)
        slow = said.seconds > _SLOW
        if said.status == PRESENT:
            if shortest and not slow:
                text = self._shorter(failure, said.line)
            return self._program(text, said)
        if said.status == CANNOT_TELL and not slow:
            # A step that is only set-up may be what does not come to its end.
            fewer = self.showing(bare(failure))
            if fewer is not None:
                return fewer
        tells = said.status == ABSENT or (said.status == CANNOT_TELL and not slow)
        if demanded and tells:
            return self._again(failure, text, said)
        return self._program(text, said)

    def meet(self, text: str) -> Program:
        """Return a program of threads, which may not meet in a whole run of it."""
        said = self._run(text)
        with suppress(NoTargetError):
            for _ in range(MEETINGS if self.target.own else 0):
                if said.status == PRESENT:
                    break
                said = self._run(text)
        return self._program(text, said)

    def _shorter(self, failure: Failure, line: str) -> str:
        """Return the program with as few steps as say the same."""

        def shows(fewer: Failure) -> bool:
            program = self.showing(fewer)
            return program is not None and _plain(program.ran.why) == _plain(line)

        return self.written(cut(failure, shows))

    def showing(self, fewer: Failure) -> Program | None:
        """Return the program with fewer steps, if it shows the defect."""
        try:
            text = self.written(fewer)
            said = self._run(text)
        except (CannotReproduce, NoTargetError):
            return None
        return self._program(text, said) if said.status == PRESENT else None

    def _again(self, failure: Failure, plain: str, said: ProgramOutput) -> Program:
        """Return a program that tries several times, where that shows what chance decides."""
        text = self.written(failure, TRIES)
        ends = {said.status}
        for _ in range(TRIES if self.target.own else 1):
            again = self._run(text)
            if again.status == PRESENT:
                return Program(text, ProgramRun(self.form, PRESENT, f"by chance: {again.line}"))
            ends.add(again.status)
            if again.seconds > _SLOW:
                break
        if self.target.own and ABSENT in ends:
            why = f"the program does not show it where it was seen: {said.line}"
            return Program(None, ProgramRun("none", None, why))
        return self._program(plain, said)

    def _run(self, text: str) -> ProgramOutput:
        return self.target.run(text, self.form, self.machine)

    def _program(self, text: str, said: ProgramOutput) -> Program:
        return Program(text, ProgramRun(self.form, said.status, said.line))


def _plain(line: str) -> str:
    return re.sub(r"0x[0-9a-f]+|\d+", "#", line)
