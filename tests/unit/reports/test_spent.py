"""The time of a run: by kind of check, by clause, and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports.durations import (
    EFFECTS,
    REFUSALS,
    SEQUENCES,
    STATUS,
    THREADS,
    in_words,
    kind_of,
    longest,
)
from hsa_reports.verdicts import Verdict
from tests.unit.reports.report_samples import ENDED, make_result, make_run

RESULTS = [
    replace(make_result("hsa_init/counts", Verdict.PASS), check="near miss", seconds=3.0),
    replace(make_result("hsa_init/counts", Verdict.PASS), check="two threads", seconds=1.0),
    replace(
        make_result("hsa_init/counts", Verdict.PASS), check="near miss", value="a=1", seconds=2.0
    ),
    replace(make_result("hsa_shut_down/counts", Verdict.PASS), check="satisfied", seconds=12.0),
]


@pytest.mark.parametrize(
    ("check", "kind"),
    [
        ("satisfied", STATUS),
        ("refused by the driver", REFUSALS),
        ("several threads", THREADS),
        ("sequences of right and wrong calls", SEQUENCES),
        ("the copy holds the same bytes", EFFECTS),
    ],
)
def test_a_check_is_of_a_kind_by_its_name(check: str, kind: str) -> None:
    assert kind_of(check) == kind


def test_a_check_has_the_time_of_its_values() -> None:
    """The results of single values are parts of that of their check."""
    found = list(longest(make_run(RESULTS), 5))
    assert found == [("hsa_shut_down/counts", 12.0), ("hsa_init/counts", 4.0)]


@pytest.mark.parametrize(
    ("wall", "processor", "words"),
    [
        (60.0, 99.6, "60 s and 100 s of processors; of the checks' own time status 94 %"),
        (None, 99.6, "100 s of processors; of the checks' own time status 94 %"),
        (None, None, "not known; of the checks' own time status 94 %"),
    ],
)
def test_the_time_in_words(wall: float | None, processor: float | None, words: str) -> None:
    run = make_run(RESULTS, end=replace(ENDED, wall=wall, processor=processor))
    assert in_words(run) == f"{words}, threads 6 %"


def test_a_run_that_was_cut_short_has_the_time_of_its_checks() -> None:
    assert in_words(make_run([], end=None)) == "not known"
