"""The file of figures that is kept in the tree: a line for each release."""

from __future__ import annotations

import csv
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.figures import ROOT, Figure

FILE: Final = ROOT / "benchmarks" / "releases.csv"
#: What a line begins with, before its figures.
HEAD: Final = ("release", "commit", "date", "python", "cores", "calculation in s")


def commit() -> str:
    """Return the short name of the tree's commit, with `-dirty` if files differ from it."""
    git = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    return subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def line(
    release: str, commit: str, calculation: float, figures: Sequence[Figure]
) -> dict[str, str]:
    """Return the line of a release.

    Arguments:
        release: its name.
        commit: that of the tree which was measured.
        calculation: how many processor seconds the fixed calculation took.
        figures: what was measured; of times, the ratio to the calculation is kept.
    """
    head = (
        release,
        commit,
        datetime.now(UTC).date().isoformat(),
        platform.python_version(),
        str(len(os.sched_getaffinity(0))),
        f"{calculation:.3f}",
    )
    kept = {figure.name: f"{figure.comparable:.4g}" for figure in figures}
    return dict(zip(HEAD, head, strict=True)) | kept


def append(row: dict[str, str], file: Path = FILE) -> None:
    """Add a line to the file, and columns to it for figures that no line before it has."""
    rows = []
    if file.exists():
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
    rows.append(row)
    columns = dict.fromkeys(name for each in rows for name in each)
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(columns), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
