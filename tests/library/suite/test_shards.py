"""How a selection is divided: everything, nothing twice, and parts that take about as long."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hsa_conformance.selection.durations import durations, estimate, measured
from hsa_conformance.selection.shards import divided, shard_of
from hsa_reports import Shard, read_run
from hsa_spec import Registry

PUBLISHED = Path(__file__).parents[3] / "reports" / "published"
CLAUSES = st.dictionaries(st.from_regex(r"\A[a-z]{1,4}/[a-z]{1,4}\Z"), st.integers(0, 9000))


@given(known=CLAUSES, new=st.sets(st.from_regex(r"\A[A-Z]{1,4}/x\Z")), of=st.integers(1, 9))
def test_the_parts_are_everything_and_share_nothing(
    known: dict[str, int], new: set[str], of: int
) -> None:
    parts = divided([*known, *new], of, known)
    assert of == len(parts)
    assert sorted([*known, *new]) == sorted(clause for each in parts for clause in each)


@given(known=CLAUSES, of=st.integers(1, 9), draw=st.randoms(use_true_random=False))
def test_the_order_of_the_clauses_makes_no_difference(
    known: dict[str, int], of: int, draw: random.Random
) -> None:
    shuffled = draw.sample([*known], len(known))
    assert divided([*known], of, known) == divided(shuffled, of, known)


@pytest.mark.parametrize("of", [2, 3, 5, 8, 16])
def test_the_parts_of_everything_take_about_as_long(registry: Registry, of: int) -> None:
    """However uneven clauses are: one takes seconds, and most take milliseconds.

    A part can only be longer if one clause alone is.
    """
    times = [estimate(each) for each in divided([*registry.clauses], of)]
    longest = max(estimate([clause]) for clause in registry.clauses)
    assert max(times) <= 1.05 * max(sum(times) / of, longest)


@given(known=CLAUSES, of=st.integers(1, 9))
def test_no_part_is_longer_than_another_by_more_than_a_clause(
    known: dict[str, int], of: int
) -> None:
    times = [sum(known[clause] + 5 for clause in each) for each in divided([*known], of, known)]
    assert max(times) - min(times) <= max(known.values(), default=0) + 5


def test_a_new_clause_moves_no_other(registry: Registry) -> None:
    clauses = [*registry.clauses]
    before, after = divided(clauses, 4), divided([*clauses, "hsa_new/clause"], 4)
    assert {"hsa_new/clause"} == frozenset().union(*after) - frozenset().union(*before)
    assert all(one <= other for one, other in zip(before, after, strict=True))


def test_new_clauses_spread() -> None:
    sizes = [len(each) for each in divided([f"hsa_new/{n}" for n in range(400)], 4, {})]
    assert min(sizes) > 70


@pytest.mark.parametrize("text", ["0/3", "4/3", "1/0", "3", "1/", "-1/3", "a/b", "1/3/5", "1.0/3"])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no shard such as 1/3, 2/3 or 3/3"):
        shard_of(text)


def test_a_part_is_read() -> None:
    assert Shard(2, 3) == shard_of("2/3")


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="a source distribution lacks the runs")
def test_the_durations_are_those_of_the_published_runs() -> None:
    """Of most clauses; runs may be published anew before the file is."""
    text = measured([read_run(PUBLISHED / "7.2.4")])
    clauses = sum(line.count("=") for line in text.splitlines())
    assert 0.9 * clauses <= len(durations()) <= 1.1 * clauses
    assert 60 < estimate(durations()) < 3600
