"""Runs golden cases, and shows all that is wrong about a function in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_spec import Registry
from tests.golden.answers import CannotRunError, WrongAnswerError
from tests.golden.cases import Case
from tests.golden.clauses import complaint
from tests.golden.making import Making
from tests.golden.steps import run_steps

_BEFORE_INIT = "not initialized()"


class Runner:
    """Runs cases on the reference or on a library.

    Args:
        pool_of: returns where the processes of a machine come from, by its name.

    """

    def __init__(self, pool_of: Callable[[str | None], SessionPool]) -> None:
        self._pool_of = pool_of
        self._making = cache(Making)

    def run(self, case: Case) -> None:
        """Run a case.

        Raises:
            WrongAnswerError: a call answered something else than expected.
            CannotRunError: the machine, or the suite, has not got what the case needs.

        """
        pool = self._pool_of(case.machine)
        if case.steps:
            run_steps(pool.adapter.process, case)
        else:
            self._making(pool).run(case)

    def wrong(self, cases: Sequence[Case], subject: str) -> Iterator[WrongAnswerError]:
        """Yield what is wrong with cases on what they run on, one of SUBJECTS.

        A case that cannot run and does not say why is wrong as well. They begin in fresh processes,
        so no other function's cases matter.
        """
        for machine in {case.machine for case in cases}:
            self._pool_of(machine).rest()
        for case in cases:
            if case.reason(subject) is None:
                try:
                    self.run(case)
                except WrongAnswerError as wrong:
                    yield wrong
                except CannotRunError as lacking:
                    yield WrongAnswerError(case, subject, f"it cannot run: {lacking}", "an answer")


def wrong_by_clauses(cases: Sequence[Case], registry: Registry) -> Iterator[WrongAnswerError]:
    """Yield where the clauses answer otherwise than the cases of a function, now and before init.

    Before hsa_init nothing else that is wrong with a call matters.
    """
    calls = [case for case in cases if not case.steps]
    before = [case.statuses for case in calls if case.given[-1:] == (_BEFORE_INIT,)]
    earlier = [
        replace(c, name=f"{c.name}, before hsa_init", given=(*c.given, _BEFORE_INIT), statuses=s)
        for s in before[-1:]
        for c in calls
    ]
    for case in (*calls, *earlier):
        if (got := complaint(case, registry)) is not None:
            yield WrongAnswerError(case, "the clauses", got, " or ".join(sorted(case.statuses)))


def table(wrong: Iterable[WrongAnswerError]) -> str:
    """Return a line for each wrong answer."""
    rows = [("case", "where", "expected", "got", "source")]
    rows += [(w.case.name, w.where, w.expected, w.got, w.case.source) for w in wrong]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
