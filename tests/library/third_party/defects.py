"""Plants one defect at a time, and prints who was blamed."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.library.third_party.build import HERE, SOURCES, compile_library
from tests.library.third_party.judging import Judged, judge

#: Seconds that a call may take: a defect that makes one wait for ever costs no more.
BUDGET = "2"


@dataclass(frozen=True)
class Defect:
    """A mistake in the runtime.

    Args:
        name: what is wrong.
        file: the file of the runtime that has it.
        was: text that is there once.
        becomes: the text in its place.
        blame: the functions that fail because of it.

    """

    name: str
    file: str
    was: str
    becomes: str
    blame: frozenset[str]

    def plant(self, sources: Path) -> None:
        """Put the defect into a copy of the runtime.

        Raises:
            ValueError: the text that it replaces is not there once.

        """
        path = sources / self.file
        text = path.read_text("utf-8")
        if text.count(self.was) != 1:
            raise ValueError(f"{self.name}: {self.was!r} is not there once in {self.file}")
        path.write_text(text.replace(self.was, self.becomes), "utf-8")


def defects() -> list[Defect]:
    """Return the defects of `defects.yaml`."""
    rows = yaml.safe_load((HERE / "defects.yaml").read_text("utf-8"))
    return [
        Defect(row["name"], row["file"], row["was"], row["is"], frozenset(row["blame"]))
        for row in rows
    ]


def planted(folder: Path, *options: str) -> Iterator[tuple[Defect, Judged]]:
    """Judge the runtime with each defect alone.

    Args:
        folder: where copies of the runtime and runs go.
        options: of `hsa-conformance run`.

    """
    for number, defect in enumerate(defects(), 1):
        copy = folder / f"{number}"
        shutil.copytree(SOURCES, copy / "runtime")
        defect.plant(copy / "runtime")
        library = compile_library(copy / "libthird-party.so", copy / "runtime")
        yield defect, judge(library, copy / "run", *options)


def main() -> int:
    """Print a line for each defect; return how many were not found, or blamed on others."""
    missed, options = 0, ("--budget", BUDGET, *sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        library = compile_library(folder / "libthird-party.so")
        without = judge(library, folder / "without", *options).accused()
        for defect, judged in planted(folder, *options):
            broken = judged.accused() - without
            blamed = {clause.partition("/")[0] for clause in broken}
            right = bool(blamed) and blamed <= defect.blame
            missed += not right
            word = "found" if right else "WRONG" if blamed else "MISSED"
            print(f"{word:<7}{defect.name}: {' '.join(sorted(broken))}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(bool(main()))
