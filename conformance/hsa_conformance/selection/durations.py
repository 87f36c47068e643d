"""How long clauses take in the quick profile, as measured in runs of all clauses.

There is a file for each kind of subject: `reference` for what runs in the suite's own process, and
`rocr` for a library on one imitated machine. A line has the clauses of one function, each with two
numbers: the milliseconds of all its checks, and the microseconds of one example. The first line
says how long `pace` took on the machine where the runs were made. To print a file anew:
`python -m hsa_conformance.selection.durations RUN...`
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import mean
from typing import Final, NamedTuple

from hsa_reports import Run, read_run

REFERENCE: Final = "reference"
ROCR: Final = "rocr"

#: Milliseconds that the examples of one check may take in a quick run; see `example_counts`.
ALLOWANCE: Final[Mapping[str, float]] = {REFERENCE: 5.7, ROCR: 20.0}
#: Seconds to begin and end a run, and of that for each clause, on the machine of the files.
_OVERHEAD: Final = 2.0
_REPORTED: Final = 0.0007
#: How much less time the checks take where one process judges alone: the files are of two.
_ALONE: Final = 0.75


class Duration(NamedTuple):
    """How long a clause takes.

    Attributes:
        whole: milliseconds of all its checks.
        each: milliseconds of one example.

    """

    whole: int
    each: float


class _File(NamedTuple):
    pace: float
    clauses: Mapping[str, Duration]


@cache
def _file(subject: str) -> _File:
    text = (
        files("hsa_conformance.selection").joinpath(f"durations-{subject}.txt").read_text("utf-8")
    )
    first, *lines = text.splitlines()
    found: dict[str, Duration] = {}
    for line in lines:
        function, *clauses = line.split()
        for clause in clauses:
            slug, _, numbers = clause.rpartition("=")
            whole, _, each = numbers.partition("/")
            found[f"{function}/{slug}"] = Duration(int(whole), int(each) / 1000)
    return _File(float(first.removeprefix("pace ")), found)


def subject_of(library: object) -> str:
    """Return which kind of subject is under test.

    Args:
        library: the shared library, None where there is none.

    """
    return ROCR if library else REFERENCE


def durations(subject: str = ROCR) -> Mapping[str, Duration]:
    """Return how long each clause takes, by its id.

    Args:
        subject: REFERENCE or ROCR.

    """
    return _file(subject).clauses


def costs(subject: str) -> Mapping[str, float]:
    """Return the milliseconds that an example of each clause takes, by its id; see `durations`."""
    return {clause: found.each for clause, found in durations(subject).items()}


def estimate(clauses: Iterable[str], subject: str = ROCR) -> float:
    """Return about how many seconds clauses take on this machine, one after the other.

    Args:
        clauses: their ids; of those that are new nothing is known.
        subject: REFERENCE or ROCR.

    """
    known = durations(subject)
    return slowness(subject) * sum(known[c].whole for c in clauses if c in known) / 1000


def of_run(clauses: Collection[str], subject: str, processes: int) -> float:
    """Return about how many seconds a whole run takes on this machine.

    Args:
        clauses: the ids of what it judges.
        subject: REFERENCE or ROCR.
        processes: how many judge.

    """
    around = slowness(subject) * (_OVERHEAD + _REPORTED * len(clauses))
    checks = estimate(clauses, subject) / processes
    return around + (checks if processes > 1 else _ALONE * checks)


@cache
def slowness(subject: str = ROCR) -> float:
    """Return how many times as long as on the machine of a file this one takes."""
    return pace() / _file(subject).pace


@cache
def pace() -> float:
    """Return the milliseconds of processor time that a fixed calculation takes here."""
    return min(_calculation() for _ in range(3))


def _calculation() -> float:
    """Do some of what a run does most: look things up, compare, and make small objects."""
    begun = time.process_time()
    table = {n: str(n) for n in range(1000)}
    for n in range(20_000):
        words = (table[n % 1000], n)
        if words[0] == "x":
            raise AssertionError
        table[n % 1000] = f"{words[1] % 1000}"
    return 1000 * (time.process_time() - begun)


def measured(runs: Iterable[Run]) -> str:
    """Return the text of a file, made from runs of all clauses on this machine."""
    wholes: dict[str, list[float]] = {}
    eaches: dict[str, list[float]] = {}
    for run in runs:
        for clause, results in run.by_clause.items():
            # The result of a check has the time of all its values.
            checks = [r for r in results if r.value is None]
            spent = sum(r.seconds for r in checks)
            examples = sum(r.satisfied + r.near_misses + r.discarded for r in checks)
            wholes.setdefault(clause, []).append(spent)
            eaches.setdefault(clause, []).append(spent / max(examples, 1))
    lines: dict[str, list[str]] = {}
    for clause in sorted(wholes):
        function, _, slug = clause.partition("/")
        whole, each = mean(wholes[clause]), mean(eaches[clause])
        text = f"{slug}={round(1000 * whole)}/{round(1_000_000 * each)}"
        lines.setdefault(function, []).append(text)
    listed = "".join(f"{function} {' '.join(slugs)}\n" for function, slugs in lines.items())
    return f"pace {pace():.1f}\n{listed}"


if __name__ == "__main__":
    sys.stdout.write(measured(read_run(Path(name)) for name in sys.argv[1:]))
