"""An edit of a line of source, and the text that has it, alone or with a switch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Operator(StrEnum):
    """What an edit does."""

    NEGATE = "negate"  # a condition
    COMPARE = "compare"  # == is !=, < is <=, and so on
    DELETE = "delete"  # a call or an assignment
    RELEASE = "release"  # deletes what gives something back, or unlocks it
    ARITHMETIC = "arithmetic"  # + is -, and the other way round
    CONSTANT = "constant"  # one more or less
    STATUS = "status"  # another one is returned or thrown
    SWAP = "swap"  # two arguments of one type


#: How the edited and the original expression are written, where that is not as they stand. Both
#: are operands of one `?:`, so they need one type.
_FORMS = {
    Operator.NEGATE: ("!({old})", "!!({old})"),
    Operator.DELETE: ("(void)0", "(void)({old})"),
    Operator.RELEASE: ("(void)0", "(void)({old})"),
}


@dataclass(frozen=True)
class Edit:
    """An expression of a file, and what takes its place.

    Args:
        operator: what it does.
        file: a path within the source tree.
        function: the function that has the expression, with its class.
        line: where the expression begins, from 1.
        column: where it begins in the line, in bytes, from 1.
        start: where it begins in the file, in bytes.
        old: its text.
        new: the text in its place; empty where that follows from the operator.

    """

    operator: Operator
    file: str
    function: str
    line: int
    column: int
    start: int
    old: str
    new: str = ""

    @property
    def end(self) -> int:
        """Return where the expression ends, in bytes."""
        return self.start + len(self.old)

    def __str__(self) -> str:
        becomes = f" -> {_short(self.new)}" if self.new else ""
        return f"{self.operator} {self.file}:{self.line}: {_short(self.old)}{becomes}"

    @property
    def edited(self) -> str:
        """Return the edited expression."""
        return self._forms[0]

    def switched(self, number: int) -> str:
        """Return an expression that is the edited one where the switch of that number is on."""
        edited, original = self._forms
        return f"(::switches::on({number}) ? {edited} : {original})"

    @property
    def _forms(self) -> tuple[str, str]:
        """Return the edited and the original expression, of one type."""
        edited, original = _FORMS.get(self.operator, ("({new})", "({old})"))
        words = {"old": self.old, "new": self.new}
        return edited.format(**words), original.format(**words)


def _short(text: str) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."
