"""The mistakes of `defects.yaml`, and the runtime with one of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.library.third_party.build import HERE, SOURCES, compile_library
from tests.wrong.edits import Edit, edited
from tests.wrong.fates import Mistake


@dataclass(frozen=True)
class Defect:
    """A mistake in the runtime.

    Args:
        name: what is wrong.
        edit: the edit of the runtime that makes it.
        blame: the functions that fail because of it.

    """

    name: str
    edit: Edit
    blame: frozenset[str]

    @property
    def mistake(self) -> Mistake:
        """Return it as campaigns know it."""
        return Mistake("third-party", "defect", self.name, self.blame)

    @property
    def judged(self) -> Collection[str]:
        """Return that a whole run shows who fails because of it."""
        return ()

    def library(self, folder: Path) -> Path:
        """Compile a copy of the runtime that has the defect, and return the library.

        Raises:
            ValueError: the text that it replaces is not there once.

        """
        sources = edited(SOURCES, [self.edit], folder / "runtime")
        return compile_library(folder / "libthird-party.so", sources)


def defects() -> list[Defect]:
    """Return the defects of `defects.yaml`."""
    rows = yaml.safe_load((HERE / "defects.yaml").read_text("utf-8"))
    return [Defect(row["name"], Edit.read(row), frozenset(row["blame"])) for row in rows]
