"""The roll-backs of the reference, of which one at a time is left out.

Whatever a function of the reference undoes when it is refused something, it undoes by `undoing`. A
place where it calls that is a place where a library may forget to.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import hsa_reference
from hsa_reference.undoing import undoing

_NAME: Final = undoing.__name__
_ROOT: Final = Path(hsa_reference.__file__).parent


@dataclass(frozen=True, order=True)
class Place:
    """A place in the reference where something is undone.

    Args:
        path: of the file, within the package.
        function: whose call it is.
        undone: what undoes it, as it is written there.
        line: of the call.

    """

    path: str
    function: str
    undone: str
    line: int

    def module(self) -> ModuleType:
        """Return the module of the file."""
        parts = Path(self.path).with_suffix("").parts
        name = parts[:-1] if parts[-1] == "__init__" else parts
        return import_module(".".join((hsa_reference.__name__, *name)))

    def __str__(self) -> str:
        """Return where it is, and what undoes it; no other place has the same words."""
        return f"{self.path}, {self.function}: {self.undone.removeprefix('lambda: ')}"


def places() -> Sequence[Place]:
    """Return every place, in order."""
    return sorted(
        Place(str(path.relative_to(_ROOT)), function.name, ast.unparse(call.args[0]), call.lineno)
        for path in _ROOT.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id == _NAME
    )


@contextmanager
def noting(undone: Callable[[Place], bool]) -> Iterator[None]:
    """Ask something about each place where the reference is about to undo what it did.

    Args:
        undone: returns whether it is undone there.

    """
    known = {(place.path, place.line): place for place in places()}

    @contextmanager
    def instead(undo: Callable[[], object], here: Place) -> Iterator[None]:
        def asked() -> None:
            if undone(here):
                undo()

        with undoing(asked):
            yield

    def called(undo: Callable[[], object]) -> object:
        frame = sys._getframe(1)
        path = str(Path(frame.f_code.co_filename).relative_to(_ROOT))
        return instead(undo, known[path, frame.f_lineno])

    changed = [place.module() for place in known.values()]
    for module in changed:
        setattr(module, _NAME, called)
    try:
        yield
    finally:
        for module in changed:
            setattr(module, _NAME, undoing)


def without(left_out: Place) -> AbstractContextManager[None]:
    """Return a context in which the reference undoes nothing in one place."""
    return noting(lambda place: place != left_out)
