"""Measures what people wait for, as ratios to a fixed calculation: `python -m benchmarks`.

Parts: `start` of commands; `smoke`: that check; `run`: all of the reference, with its memory;
`mistakes` that are blamed; and, only if they are named, `tests`: those of the project, and `rocr`:
one machine of the host `experimental`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.calculation import calculation
from benchmarks.command import FailedError
from benchmarks.figures import PARTS, Figure
from benchmarks.releases import FILE, append, commit, line

_DEFAULT: Final = ("start", "smoke", "run", "mistakes")


def median(measured: Sequence[Sequence[Figure]]) -> list[Figure]:
    """Return each figure with the medians of several measurements."""
    found = []
    for same in zip(*measured, strict=True):
        first = same[0]
        ratios = [figure.ratio for figure in same if figure.ratio is not None]
        ratio = statistics.median(ratios) if ratios else None
        value = statistics.median(figure.value for figure in same)
        found.append(Figure(first.name, value, first.unit, ratio))
    return found


def show(figures: Sequence[Figure]) -> None:
    """Print a figure of each installation."""
    cells = ""
    for figure in figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        cells += f"{figure.value:12,.2f} {figure.unit:<3} {ratio:>9}"
    print(f"{figures[0].name:<36}{cells}", flush=True)


def main() -> int:
    """Measure, print a table, and keep a line if that is asked for."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", metavar="PART", nargs="*", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--times", metavar="N", type=int, default=1, help="how often; the median")
    parser.add_argument(
        "--beside", metavar="FOLDER", type=Path, help="another installation's python is in FOLDER"
    )
    parser.add_argument("--record", metavar="RELEASE", help=f"add a line to {FILE.name}")
    given = parser.parse_args()
    parts = given.parts or _DEFAULT
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"no part {unknown[0]!r}: use {', '.join(PARTS)}")
    if given.times < 1:
        parser.error("--times has to be 1 or more")
    if given.beside and (given.record or "tests" in parts):
        parser.error("--beside goes with neither --record nor tests, which are of this tree")
    own = Path(sys.executable).parent
    folders = [given.beside, own] if given.beside else [own]
    least = min(calculation().processor for _ in range(3))
    print(f"The calculation takes {least:.3f} s; the last column says how many times as long.")
    figures = list[Figure]()
    try:
        for name in parts:
            measured = [[list(PARTS[name](f)) for f in folders] for _ in range(given.times)]
            each = [median(of_one) for of_one in zip(*measured, strict=True)]
            for same in zip(*each, strict=True):
                show(same)
            figures += each[-1]
    except FailedError as error:
        print(error, file=sys.stderr)
        return 1
    if given.record:
        append(line(given.record, commit(), least, figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
