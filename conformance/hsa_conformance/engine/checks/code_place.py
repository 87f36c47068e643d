"""Where the code of a function stands: what leads from a verdict to what gave it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

_PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True)
class CodePlace:
    """Where a function is written.

    Attributes:
        path: the file.
        line: where it begins, its decorators first.
        name: its name; where it is made by another function, the name of that one.

    """

    path: Path
    line: int
    name: str

    def __str__(self) -> str:
        """Return the place as reports show it, with the path in the package of the suite."""
        inside = self.path.is_relative_to(_PACKAGE)
        path = self.path.relative_to(_PACKAGE) if inside else self.path
        return f"{path.as_posix()}:{self.line} {self.name}"


def code_place(function: Callable[..., object]) -> CodePlace:
    """Return where a function is written; partial application and decorators are looked through.

    Args:
        function: a function or a method that is written in Python.

    """
    while isinstance(function, partial):
        function = function.func
    code = inspect.unwrap(function).__code__
    name = code.co_qualname.partition(".<locals>")[0].rpartition(".")[2]
    return CodePlace(Path(code.co_filename), code.co_firstlineno, name)
