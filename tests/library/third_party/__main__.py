"""Judges the runtime with one mistake at a time, and prints who was blamed.

Options that it does not know go on to `hsa-conformance run`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from hsa_spec import load
from tests.library.third_party.build import compile_library, subject
from tests.library.third_party.defects import Defect, defects
from tests.library.third_party.refusing import Refusal, refusals
from tests.wrong.campaign import Campaign, kept, report
from tests.wrong.command import Subject
from tests.wrong.fates import Outcome

#: Seconds that a call may take: a defect that makes one wait for ever costs no more.
BUDGET = ("--budget", "2")


def build(wrong: Defect | Refusal | None, folder: Path) -> Subject:
    """Compile the runtime, with a mistake or with none."""
    if wrong:
        return subject(wrong.library(folder))
    folder.mkdir(parents=True)
    return subject(compile_library(folder / "libthird-party.so"))


def main() -> int:
    """Return 1 where a mistake was not found, or blamed on others."""
    parser = argparse.ArgumentParser("python -m tests.library.third_party", description=__doc__)
    parser.add_argument("--kind", choices=("defect", "refusal"), help="only these (default: both)")
    kept(parser)
    chosen, options = parser.parse_known_args()
    registry = load()
    every: list[Defect | Refusal] = [*defects(), *refusals(registry)]
    wrong = [each for each in every if chosen.kind in (None, each.mistake.kind)]
    with tempfile.TemporaryDirectory() as name:
        campaign = Campaign[Defect | Refusal](build, registry, Path(name), (*BUDGET, *options))
        fates = report(campaign.fates(wrong), chosen.fates)
    return int(any(fate.outcome is not Outcome.BLAMED for fate in fates))


if __name__ == "__main__":
    sys.exit(main())
