"""What a golden case ends with, other than right answers."""

from __future__ import annotations

from tests.golden.cases import Case


class CannotRunError(Exception):
    """The machine, or the suite, has not got what the case needs; the message says what."""


class WrongAnswerError(AssertionError):
    """A call answered something else than the case says.

    Args:
        case: the case.
        where: which of its calls, on what.
        got: the answer.
        expected: the answer by the case.

    """

    def __init__(self, case: Case, where: str, got: str, expected: str) -> None:
        super().__init__(
            f"golden case {case}\n  at {where}\n"
            f"  got:      {got}\n  expected: {expected}\n  source:   {case.source}"
        )
        self.case, self.where, self.got, self.expected = case, where, got, expected
