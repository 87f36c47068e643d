"""Edits ROCr's source by a seed, and prints which edits the suite notices.

`build` measures what a run of the suite reaches, and makes a library with edits of that; `judge`
runs the suite on it. Options that they do not know go on to each `hsa-conformance run`; those of
`build` count for `judge`, too.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.campaign.rocr_mutants.building import build, load
from tests.campaign.rocr_mutants.judging import Judge
from tests.campaign.rocr_mutants.survivors import record, shares
from tests.campaign.rocr_mutants.toolchain import BuildError
from tests.wrong.campaign import kept, report, seeded
from tests.wrong.command import INSTALLED, SuiteError
from tests.wrong.fates import Outcome

#: Imitated, unless options say what the library runs on; it reaches more than any other machine.
_MACHINE: Final = ("--virtual-kfd", "gfx90a-kernels")
#: A run that ends early praises what it did not try.
_ENTIRE: Final = ("--limit", "0")
#: Where the survivors are recorded, in the folder of the runs.
_SURVIVORS: Final = "survivors.yaml"


def arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser("python -m tests.campaign.rocr_mutants", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    making = actions.add_parser("build", help="draw edits, and build one library with all of them")
    making.add_argument("tree", type=Path, metavar="SOURCE", help="the folder of ROCr's source")
    making.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    making.add_argument("--edits", type=int, default=80, metavar="N", help="how many are drawn")
    seeded(making)
    making.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="compilers at once")
    judging = actions.add_parser("judge", help="run the suite with one edit after another")
    judging.add_argument("built", type=Path, metavar="DIR", help="where `build` put the library")
    judging.add_argument("--out", type=Path, metavar="DIR", help="of the runs (default: in DIR)")
    kept(judging)
    judging.add_argument("--command", metavar="CMD", help="another installed `hsa-conformance`")
    judging.add_argument(
        "--only", type=_numbers, default=(), metavar="N,N", help="such edits (default: all)"
    )
    judging.add_argument(
        "--select", action="append", default=[], metavar="WHAT", help="no more than that"
    )
    return parser.parse_known_args()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def made(chosen: argparse.Namespace, options: Sequence[str]) -> None:
    """Build a library, and print what a run reaches, and the edits."""
    machine = () if {"--virtual-kfd", "--emulated"} & set(options) else _MACHINE
    built = build(
        chosen.tree,
        chosen.out,
        seed=chosen.seed,
        count=chosen.edits,
        jobs=chosen.jobs,
        options=[*machine, *_ENTIRE, "--seed", f"{chosen.seed}", *options],
    )
    print(built.coverage)
    for number, edit in built.edits.items():
        print(f"{number:>4} {edit}")
    print(
        f"seed {chosen.seed}: {len(built.edits)} edits, {built.refused} that do not compile, and "
        f"{built.equal} that are compiled to what the original is"
    )


def judged(chosen: argparse.Namespace, options: Sequence[str]) -> None:
    """Judge a library, print the fate of each edit, and keep it in a file, as survivors are."""
    built = load(chosen.built)
    unknown = sorted(set(chosen.only) - set(built.edits))
    if unknown:
        raise BuildError(f"--only: no such edits: {unknown}; there are 1 to {len(built.edits)}")
    command = shlex.split(chosen.command) if chosen.command else INSTALLED
    folder = chosen.out or chosen.built / "judged"
    judge = Judge(built, command, folder, chosen.select, [*built.options, *options])
    fates = report(judge.fates(chosen.only), chosen.fates or folder / "fates.jsonl")
    edits = {judge.mistake(number).name: edit for number, edit in built.edits.items()}
    survivors = {f.mistake: edits[f.mistake] for f in fates if f.outcome is Outcome.SURVIVED}
    verdicts = record(folder / _SURVIVORS, survivors, {fate.mistake for fate in fates})
    print("", *shares(fates, verdicts), sep="\n")


def main() -> int:
    """Return 2 where the library cannot be built, or the suite not be run."""
    chosen, options = arguments()
    try:
        if chosen.action == "build":
            made(chosen, options)
        else:
            judged(chosen, options)
    except (BuildError, SuiteError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
