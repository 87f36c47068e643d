"""What came of the programs of failures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: How a program ends.
PRESENT: Final = 1
ABSENT: Final = 0
CANNOT_TELL: Final = 77

#: What it means.
ENDS: Final[Mapping[int, str]] = {
    PRESENT: "the defect is there",
    ABSENT: "the defect is not there",
    CANNOT_TELL: "cannot tell",
}


@dataclass(frozen=True)
class ProgramRun:
    """What came of the program of a failure, where the failure was seen.

    Args:
        form: "c" or "python"; "none" where no program can be made.
        exit: how it ended: 1 the defect is there, 77 it cannot tell; None where it was not run.
        why: the line that it printed, or why it was not run or made.

    """

    form: str
    exit: int | None
    why: str

    @property
    def words(self) -> str:
        """Return what came of it, in a sentence."""
        if self.form == "none":
            return f"No program can be made of it: {self.why}"
        language = {"c": "C", "python": "Python"}.get(self.form, self.form)
        if self.exit is None:
            return f"The program in {language} was {self.why}"
        said = {PRESENT: ENDS[PRESENT], CANNOT_TELL: "it cannot tell"}
        means = said.get(self.exit, "it shows nothing")
        ended = f"run here and ended with {self.exit}, {means}"
        return f"The program in {language} was {ended}: {self.why}"
