"""Edits ROCr's source by a seed, and prints which edits the suite notices.

`build` makes a library, and `judge` runs the suite on it. Options that `judge` does not know go on
to each `hsa-conformance run`.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tests.campaign.rocr_mutants.building import BuildError, Built, build, load
from tests.campaign.rocr_mutants.edit import Operator
from tests.campaign.rocr_mutants.judging import Fate, Judge, JudgeError

#: Imitated, unless options say what the library runs on.
_MACHINE: Final = ("--virtual-kfd", "gfx90a")
_WORDS: Final = ("killed", "MISSED", "unreached")


def arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser("python -m tests.campaign.rocr_mutants", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    making = actions.add_parser("build", help="draw edits, and build one library with all of them")
    making.add_argument("tree", type=Path, metavar="SOURCE", help="the folder of ROCr's source")
    making.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    making.add_argument("--edits", type=int, default=80, metavar="N", help="how many are drawn")
    making.add_argument("--seed", type=int, metavar="N", help="of the draw (default: by chance)")
    making.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="compilers at once")
    judging = actions.add_parser("judge", help="run the suite with one edit after another")
    judging.add_argument("built", type=Path, metavar="DIR", help="where `build` put the library")
    judging.add_argument("--out", type=Path, metavar="DIR", help="of the runs (default: in DIR)")
    judging.add_argument("--command", metavar="CMD", help="another installed `hsa-conformance`")
    judging.add_argument(
        "--only", type=_numbers, default=(), metavar="N,N", help="such edits (default: all)"
    )
    judging.add_argument(
        "--select", action="append", default=[], metavar="WHAT", help="no more than that"
    )
    chosen, options = parser.parse_known_args()
    if chosen.action == "build" and options:
        parser.error(f"unrecognized arguments: {shlex.join(options)}")
    return chosen, options


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def made(chosen: argparse.Namespace) -> Built:
    """Build a library, and print its edits."""
    seed = secrets.randbelow(10**6) if chosen.seed is None else chosen.seed
    built = build(chosen.tree, chosen.out, seed=seed, count=chosen.edits, jobs=chosen.jobs)
    for number, edit in built.edits.items():
        print(f"{number:>4} {edit}")
    print(f"seed {seed}: {len(built.edits)} edits, and {built.refused} that do not compile")
    return built


def judged(chosen: argparse.Namespace, options: Sequence[str]) -> None:
    """Judge a library, print what comes of each edit, and write it to a file."""
    built = load(chosen.built)
    unknown = sorted(set(chosen.only) - set(built.edits))
    if unknown:
        raise BuildError(f"--only: no such edits: {unknown}; there are 1 to {len(built.edits)}")
    beside = Path(sys.executable).with_name("hsa-conformance")
    command = shlex.split(chosen.command) if chosen.command else [f"{beside}"]
    folder = chosen.out or chosen.built / "judged"
    machine = () if {"--virtual-kfd", "--emulated"} & set(options) else _MACHINE
    judge = Judge(built, command, folder, chosen.select, [*machine, *options])
    fates: list[Fate] = []
    for fate in judge.fates(chosen.only):
        print(fate, flush=True)
        fates.append(fate)
        write(fates, built, [*command, *options], folder / "fates.json")
    table(fates)


def write(fates: Sequence[Fate], built: Built, command: Sequence[str], path: Path) -> None:
    """Write what came of edits, with what they are and how they were judged."""
    rows = [{**asdict(fate.edit), **asdict(fate), "fate": fate.word.lower()} for fate in fates]
    for row in rows:
        del row["edit"], row["reached"]
    facts = {"seed": built.seed, "command": shlex.join(command), "edits": rows}
    path.write_text(json.dumps(facts, indent=1), "utf-8")


def table(fates: Sequence[Fate]) -> None:
    """Print how many edits came to what, and the share of those reached that are killed."""
    counts = Counter((fate.edit.operator, fate.word) for fate in fates)
    heads = "".join(f"{word.lower():>11}" for word in _WORDS)
    print(f"\n{'operator':<12}{heads}{'share':>7}")
    for operators in (*((o,) for o in Operator), tuple(Operator)):
        killed, missed, unreached = (
            sum(counts[operator, word] for operator in operators) for word in _WORDS
        )
        share = f"{killed / (killed + missed):.0%}" if killed + missed else "-"
        name = operators[0] if len(operators) == 1 else "all"
        print(f"{name:<12}{killed:>11}{missed:>11}{unreached:>11}{share:>7}")


def main() -> int:
    """Return 2 where the library cannot be built, or the suite not be run."""
    chosen, options = arguments()
    try:
        if chosen.action == "build":
            made(chosen)
        else:
            judged(chosen, options)
    except (BuildError, JudgeError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
