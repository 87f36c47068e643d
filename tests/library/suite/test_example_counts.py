"""How many examples and ways a check gets for what an example takes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.running.example_counts import ExampleCounts

CHEAP, DEAR, DEAREST, NEW = (f"hsa_init/{name}" for name in ("cheap", "dear", "dearest", "new"))
COUNTS = ExampleCounts("quick", {CHEAP: 0.5, DEAR: 50.0, DEAREST: 5000.0}, allowance=10.0)


def check(clause: str, turns: int = 6) -> Check:
    return Check(clause, "a check", lambda *_: None, turns=turns)


@pytest.mark.parametrize(("clause", "turns"), [(CHEAP, 6), (DEAR, 2), (NEW, 2)])
def test_a_check_tries_more_ways_the_less_they_take(clause: str, turns: int) -> None:
    assert turns == COUNTS.turns(check(clause))


@pytest.mark.parametrize("clause", [CHEAP, DEAR, NEW])
def test_no_check_tries_more_ways_than_it_may(clause: str) -> None:
    assert 1 == COUNTS.turns(check(clause, turns=1))


@pytest.mark.parametrize(("clause", "share"), [(CHEAP, 1.0), (DEAR, 0.2), (NEW, 1.0)])
def test_examples_that_take_long_are_fewer(clause: str, share: float) -> None:
    assert share == COUNTS.share(check(clause))


@pytest.mark.parametrize(
    ("profile", "clause", "share"),
    [
        ("full", CHEAP, 1.0),
        ("full", DEAR, 0.46875),
        ("full", DEAREST, 0.15625),
        ("exhaustive", DEAR, 1),
    ],
)
def test_a_long_run_makes_fewer_of_those_that_take_very_long(
    profile: str, clause: str, share: float
) -> None:
    """It never makes fewer than a brief run, and an exhaustive one makes all of them."""
    assert share == replace(COUNTS, profile=profile).share(replace(check(clause), fresh=True))
