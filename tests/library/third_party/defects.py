"""Plants one defect at a time, and prints who was blamed.

Options that it does not know go on to `hsa-conformance run`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from hsa_spec import load
from tests.library.third_party.build import HERE, SOURCES, compile_library, subject
from tests.wrong import campaign, command
from tests.wrong.blame import fate_of
from tests.wrong.edits import Edit, edited
from tests.wrong.fates import Fate, Mistake, Outcome

#: Seconds that a call may take: a defect that makes one wait for ever costs no more.
BUDGET = "2"


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


def planted(folder: Path, *options: str) -> Iterator[Fate]:
    """Judge the runtime without a defect, and then with each defect alone.

    Args:
        folder: where copies of the runtime and runs go.
        options: of `hsa-conformance run`.

    """
    registry, unbroken = load(), folder / "unbroken"
    library = compile_library(folder / "libthird-party.so")
    _, without = command.judge(subject(library), unbroken, *options)
    for number, defect in enumerate(defects(), 1):
        library = defect.library(folder / f"{number}")
        out = folder / f"{number}" / "run"
        _, run = command.judge(subject(library), out, *options, "--against", f"{unbroken}")
        mistake = Mistake("third-party", "defect", defect.name, defect.blame)
        yield fate_of(mistake, run, without, registry)


def main() -> int:
    """Return 1 where a defect was not found, or blamed on others."""
    parser = argparse.ArgumentParser("python -m tests.library.third_party.defects")
    campaign.kept(parser)
    chosen, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        fates = campaign.report(planted(Path(name), "--budget", BUDGET, *options), chosen.fates)
    return int(any(fate.outcome is not Outcome.BLAMED for fate in fates))


if __name__ == "__main__":
    sys.exit(main())
