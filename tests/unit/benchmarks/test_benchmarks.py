"""Benchmarks report ratios to a fixed calculation, and keep a line for each release."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.__main__ import median
from benchmarks.calculation import Seconds, calculate
from benchmarks.figures import Figure, times
from benchmarks.mistakes import MISTAKES, Mistake
from benchmarks.releases import FILE, HEAD, append, line
from hsa_spec import Registry


def test_the_calculation_is_the_same_for_ever() -> None:
    """Figures of two releases compare only if they are ratios to the same work."""
    assert 800_000 == calculate()


def test_a_time_is_a_ratio_to_the_calculations_beside_it() -> None:
    """Processor seconds to processor seconds, and wall to wall, on the mean of both."""
    beside = Seconds(wall=3, processor=1), Seconds(wall=5, processor=3)
    assert [
        Figure("run processor", 8, "s", 4),
        Figure("run wall", 8, "s", 2),
    ] == list(times("run", Seconds(wall=8, processor=8), *beside))


def test_of_several_measurements_the_median_counts() -> None:
    """For the value and the ratio."""
    several = [[Figure("run wall", value, "s", ratio)] for value, ratio in ((1, 9), (5, 2), (3, 4))]
    assert [Figure("run wall", 3, "s", 4)] == median(several)


def test_a_line_has_what_compares(tmp_path: Path) -> None:
    """Of a time the ratio; a figure that older lines lack gets a column."""
    file = tmp_path / "releases.csv"
    append(line("1.0", "a1", 0.5, [Figure("run wall", 8, "s", 2)]), file)
    append(line("1.1", "b2", 0.5, [Figure("run wall", 9, "s", 3), Figure("blamed", 12)]), file)
    with file.open(encoding="utf-8", newline="") as lines:
        first, second = csv.DictReader(lines)
    assert (*HEAD, "run wall", "blamed") == tuple(first)
    assert ("1.0", "0.500", "2", "") == tuple(
        first[name] for name in ("release", "calculation in s", "run wall", "blamed")
    )
    assert ("1.1", "3", "12") == tuple(second[name] for name in ("release", "run wall", "blamed"))


def test_the_kept_lines_have_the_same_head() -> None:
    """What says of which release and machine a line is stands first in the file."""
    assert list(HEAD) == FILE.read_text("utf-8").splitlines()[0].split(",")[: len(HEAD)]


@pytest.mark.parametrize(
    ("verdict", "clause", "expected"),
    [
        ("FAIL", "hsa_init/success", True),
        ("CRASH", "hsa_init/success", True),
        ("PASS", "hsa_init/success", False),
        ("FAIL", "hsa_init_more/success", False),
    ],
)
def test_a_failure_of_the_wrong_function_blames_it(
    tmp_path: Path, verdict: str, clause: str, expected: bool
) -> None:
    """Failures of other functions do not count."""
    event = f'{{"event": "result", "verdict": "{verdict}", "clause": "{clause}"}}'
    (tmp_path / "events.jsonl").write_text(f'{{"event": "end"}}\n{event}\n', "utf-8")
    assert expected == Mistake("honest", "hsa_init").blamed(tmp_path)


def test_the_wrong_functions_are_functions(registry: Registry) -> None:
    """Each mistake is one of a function that the registry has."""
    assert set() == {mistake.function for mistake in MISTAKES} - registry.functions.keys()
