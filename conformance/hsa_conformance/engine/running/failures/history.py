"""Explains a failure that a fresh process does not show by what its own process did before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hsa_adapters import interrupts
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import (
    Blocked,
    Inconsistent,
    ProvesNothing,
    Unavailable,
    Violation,
)
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.running.examples import DrawnValue, DrawReplayer, begin_example
from hsa_conformance.engine.running.failures.fewest import fewest
from hsa_conformance.engine.running.result import FailingExample
from hsa_conformance.engine.running.session_pool import MadeExamples, SessionPool
from hsa_conformance.engine.session.clean_up import clean_up_both
from hsa_conformance.engine.session.session import Session
from hsa_spec import Registry, Strength

#: Clauses whose examples make calls of which no text says how they end.
UNSTATED: Final = (Strength.UNDEFINED, Strength.OBSERVED)

#: How many checks that used a process before are looked at for a call that ends it later.
_CHECKS: Final = 4

#: Begins a process in which examples are made.
Begin = Callable[[Session], None]
#: Makes an example of a check, and returns what goes wrong, if anything.
Play = Callable[[Session, Draw], Violation | None]


@dataclass(frozen=True)
class PastExample:
    """An example that was made, so that it can be made again.

    Args:
        check: the check that it is of.
        pins: the values that it had to be made with, by axis.
        choices: what was drawn for it.

    """

    check: Check
    pins: Mapping[str, str]
    choices: tuple[DrawnValue, ...]


def remade(past: MadeExamples) -> list[PastExample]:
    """Return the last examples of a process, as far back as all of them can be made again."""
    examples: list[PastExample] = []
    for check, pins, noted in reversed(past):
        if (choices := noted.choices()) is None:
            break
        examples.insert(0, PastExample(check, pins, choices))
    return examples


def last_examples(past: MadeExamples) -> list[PastExample]:
    """Return two examples that a process made of each of a few checks, the last check first.

    They are the last one and the first one, which is the simplest.
    """
    of_checks: dict[tuple[str, str], list[PastExample]] = {}
    for check, pins, noted in reversed(past):
        if (choices := noted.choices()) is not None:
            made = of_checks.setdefault((check.clause, check.name), [])
            made.append(PastExample(check, pins, choices))
    checks = [*of_checks.values()][:_CHECKS]
    return [made[end] for made in checks for end in ((0, -1) if len(made) > 1 else (0,))]


class History:
    """The examples that one process made, the last of which failed.

    A call before it whose outcome no text states, that broke a clause, or to which something was
    refused on purpose, may have left the process in any state: examples with such calls are left
    out, and nobody is blamed for a failure that goes with them.

    Args:
        pool: where sessions come from.
        registry: says which clauses state an outcome.
        play: makes the last one.
        violation: what the last example showed.
        examples: the examples, in order.
        most: how many processes are started at most to find fewer of them that show it.
        begin: begins each process.

    """

    def __init__(
        self,
        pool: SessionPool,
        registry: Registry,
        play: Play,
        violation: Violation,
        examples: Sequence[PastExample],
        most: int,
        begin: Begin = lambda _: None,
    ) -> None:
        self.pool = pool
        self.registry = registry
        self.play = play
        self.violation = violation
        *self.past, self.last = examples
        self.left = most
        self.begin = begin
        self.shown: FailingExample | None = None
        self._broken: set[int] = set()  # examples that leave what no text states when made again

    def explain(self, *, alone: bool = False, unstated: bool = False) -> FailingExample | None:
        """Return the failure with as few examples before it as show it; None if they do not.

        Args:
            alone: whether the last one may show it with none before it.
            unstated: whether those count of which no text says how they end; nobody can be blamed
                then.

        """
        if alone and self._fails([]):
            return self.shown
        clauses = self.registry.clauses
        stated = [
            number
            for number, made in enumerate(self.past)
            if unstated or clauses[made.check.clause].strength not in UNSTATED
        ]
        while stated and not self._fails(stated):
            if not self._broken & set(stated):
                return None
            stated = [number for number in stated if number not in self._broken]
        if stated:
            fewest(stated, self._fails)
        return self.shown

    def _fails(self, numbers: Sequence[int]) -> bool:
        """Return whether the last example fails after some of the others, in a fresh process."""
        if self.left == 0:
            return False
        self.left -= 1
        interrupts.checkpoint()
        started = self.last.check.initialised
        try:
            with self.pool.session(initialised=started, fresh=True) as session:
                self.begin(session)
                for number in numbers:
                    if not self._goes_on(session, number):
                        return False
                return self._fails_now(session)
        except Unavailable:
            return False

    def _goes_on(self, session: Session, number: int) -> bool:
        """Make an example again; return whether its process can serve another one."""
        references, refusals = session.model.references, session.refusals
        try:
            with suppress(ProvesNothing, Blocked, Unavailable, Inconsistent):
                made = self.past[number]
                draw = DrawReplayer(made.choices)
                begin_example(session, draw, made.pins)
                made.check.body(session, draw, Counts())
            if session.refusals != refusals:
                self._broken.add(number)
                return False
            if not clean_up_both(session) or session.model.references != references:
                return False
        except Violation:
            self._broken.add(number)
            return False
        except (Ended, ProvesNothing, Unavailable):
            return False
        for one in (session, session.second):
            if one is not None:
                one.begin_again()
        return True

    def _fails_now(self, session: Session) -> bool:
        draw = DrawReplayer(self.last.choices)
        begin_example(session, draw, self.last.pins)
        found = self.play(session, draw)
        if found is None:
            return False
        if (found.clause, found.ended) != (self.violation.clause, self.violation.ended):
            return False
        self.shown = FailingExample(found, tuple(session.trace.steps), session.axes.chosen)
        return True
