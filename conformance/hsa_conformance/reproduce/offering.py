"""Makes the program of a failure, and tries it before it is offered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hsa_conformance.reproduce.cutting import bare, cut
from hsa_conformance.reproduce.ground import Ground, NoGroundError, Said
from hsa_conformance.reproduce.plan import CannotReproduce, plan_for
from hsa_conformance.reproduce.render import render
from hsa_reports import Failure, Ran, RunStarted
from hsa_spec import Registry

PRESENT: Final = 1
ABSENT: Final = 0
CANNOT_TELL: Final = 77
#: Seconds from which on a program takes too long to be tried with fewer steps.
_SLOW: Final = 5.0
#: How often a program tries what did not show at once, and then so often in one go.
TRIES: Final = 5


@dataclass(frozen=True)
class Program:
    """A program that is offered.

    Attributes:
        text: the program; None where none is.
        ran: what came of it where the failure was seen.

    """

    text: str | None
    ran: Ran


class Offerer:
    """Makes programs of the failures of a run.

    Args:
        run: the run.
        registry: the specification.
        ground: where programs are tried; None where that cannot be.
        reason: why it cannot be.

    """

    def __init__(
        self, run: RunStarted, registry: Registry, ground: Ground | None, reason: str = ""
    ) -> None:
        self._run = run
        self._registry = registry
        self._ground = ground
        self._reason = reason

    def offer(
        self, clause: str, failure: Failure, machine: str | None = None, language: str | None = None
    ) -> Program:
        """Return the program of a failure, without the set-up that it does not need.

        Args:
            clause: id of the clause.
            failure: how it failed.
            machine: what it failed on, where a run has several.
            language: what the program shall be written in; None for what can be tried, else C.

        """
        ground = self._ground
        form = language or (ground.languages[0] if ground else "c")
        try:
            text = self._text(clause, failure, form)
        except CannotReproduce as error:
            return Program(None, Ran("none", None, str(error)))
        if ground is None:
            return Program(text, Ran(form, None, f"not run: {self._reason}"))
        if form not in ground.languages:
            runs = " and ".join(ground.languages)
            return Program(text, Ran(form, None, f"not run: there only {runs} can be run"))
        try:
            return self._tried(ground, clause, failure, machine, form)
        except NoGroundError as error:
            return Program(text, Ran(form, None, f"not run: {error}"))

    def _tried(
        self, ground: Ground, clause: str, failure: Failure, machine: str | None, form: str
    ) -> Program:
        plain = self._text(clause, failure, form)
        said = ground.run(plain, form, machine)

        def shown(fewer: Failure) -> Said | None:
            """Return what a program with fewer steps says, if it shows it."""
            try:
                text = self._text(clause, fewer, form)
            except CannotReproduce:
                return None
            again = ground.run(text, form, machine)
            return again if again.status == PRESENT else None

        def shows(fewer: Failure) -> bool:
            again = shown(fewer)
            return again is not None and _plain(again.line) == _plain(said.line)

        slow = said.seconds > _SLOW
        if said.status == PRESENT and not slow:
            plain = self._text(clause, cut(failure, shows), form)
        elif said.status == ABSENT or (said.status == CANNOT_TELL and not slow):
            # A step that is only set-up may be what does not come to its end.
            again = shown(bare(failure)) if said.status == CANNOT_TELL else None
            if again is not None:
                return Program(
                    self._text(clause, bare(failure), form), Ran(form, PRESENT, again.line)
                )
            if plan_for(clause, failure, self._registry).demand is not None:
                return self._again(ground, clause, failure, machine, form, said)
        return Program(plain, Ran(form, said.status, said.line))

    def _again(
        self,
        ground: Ground,
        clause: str,
        failure: Failure,
        machine: str | None,
        form: str,
        said: Said,
    ) -> Program:
        """Return a program that tries several times, where that shows what chance decides."""
        text = self._text(clause, failure, form, TRIES)
        again = ground.run(text, form, machine)
        if again.status == PRESENT:
            return Program(text, Ran(form, PRESENT, f"by chance: {again.line}"))
        if ground.own and ABSENT in (again.status, said.status):
            why = f"the program does not show it where it was seen: {said.line}"
            return Program(None, Ran("none", None, why))
        plain = self._text(clause, failure, form)
        return Program(plain, Ran(form, said.status, said.line))

    def _text(self, clause: str, failure: Failure, form: str, tries: int = 1) -> str:
        plan = plan_for(clause, failure, self._registry)
        return render(plan, self._run, self._registry, form, tries)


def _plain(line: str) -> str:
    return re.sub(r"0x[0-9a-f]+|\d+", "#", line)
