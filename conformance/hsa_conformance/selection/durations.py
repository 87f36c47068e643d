"""How long clauses take, as measured in the published runs.

`durations.txt` has a line for each subject, with the milliseconds that its clauses take, in the
quick profile and on one imitated machine. To print it anew:
`python -m hsa_conformance.selection.durations RUN...`
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import mean

from hsa_reports import Run, read_run


@cache
def durations() -> Mapping[str, int]:
    """Return the milliseconds that each clause took, by its id."""
    text = files("hsa_conformance.selection").joinpath("durations.txt").read_text("utf-8")
    found: dict[str, int] = {}
    for line in text.splitlines():
        subject, *clauses = line.split()
        for clause in clauses:
            slug, _, milliseconds = clause.rpartition("=")
            found[f"{subject}/{slug}"] = int(milliseconds)
    return found


def estimate(clauses: Iterable[str]) -> float:
    """Return about how many seconds clauses take, one after the other.

    Args:
        clauses: their ids; of those that are new nothing is known.

    """
    known = durations()
    return sum(known.get(clause, 0) for clause in clauses) / 1000


def measured(runs: Iterable[Run]) -> str:
    """Return the text of the file, made from runs of all clauses."""
    times: dict[str, list[float]] = {}
    for run in runs:
        for clause, results in run.by_clause.items():
            # The result of a check has the time of all its values.
            spent = sum(r.seconds for r in results if r.value is None)
            times.setdefault(clause, []).append(spent)
    lines: dict[str, list[str]] = {}
    for clause in sorted(times):
        subject, _, slug = clause.partition("/")
        lines.setdefault(subject, []).append(f"{slug}={round(1000 * mean(times[clause]))}")
    return "".join(f"{subject} {' '.join(slugs)}\n" for subject, slugs in lines.items())


if __name__ == "__main__":
    sys.stdout.write(measured(read_run(Path(name)) for name in sys.argv[1:]))
