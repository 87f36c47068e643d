"""What the tests of programs share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hsa_reports import Failure


class Said(NamedTuple):
    """How a program ended, and the line that it printed."""

    status: int
    line: str


#: Builds a fake library.
Fake = Callable[..., Path]
#: Makes a program of a failure of a clause, in a language, and runs it with a library.
Show = Callable[[Failure, str, str, Path | str], Said]

LANGUAGES = ("c", "python")
ABSENT, PRESENT, CANNOT_TELL = 0, 1, 77
