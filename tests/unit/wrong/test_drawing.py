"""Mistakes are drawn by a seed, evenly over their kinds and places."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

from tests.wrong.drawing import draw

Toy = tuple[str, str, int]

KINDS = ("locks", "values", "sizes")
TOYS: list[Toy] = [(kind, at, n) for kind in KINDS for at in ("here", "there") for n in range(4)]


def of(toy: Toy) -> tuple[str, str]:
    return toy[:2]


def drawn(seed: int, count: int | None = None) -> list[Toy]:
    return list(islice(draw(TOYS, of, Random(seed)), count))


def test_a_seed_draws_the_same_again_and_another_seed_does_not() -> None:
    assert drawn(1) == drawn(1) != drawn(2)


def test_each_is_drawn_once() -> None:
    assert sorted(TOYS) == sorted(drawn(3))


def test_kinds_take_turns_and_places_are_drawn_evenly() -> None:
    found = drawn(3, 12)
    assert [*KINDS] * 4 == [kind for kind, _, _ in found]
    assert {"here": 6, "there": 6} == Counter(place for _, place, _ in found)


def test_a_place_within_another_is_drawn_as_evenly_as_its_like() -> None:
    """Here has two rooms and there has one; of as many mistakes, there has one large room."""
    rooms = [("here", "hall"), ("here", "attic"), ("there", "barn")]
    toys = [("values", *room, n) for room in rooms for n in range(9)]
    found = islice(draw(toys, lambda toy: toy[:3], Random(3)), 12)
    counts = Counter(room for _, _, room, _ in found)
    assert {"hall": 3, "attic": 3, "barn": 6} == counts


def test_a_kind_that_has_no_more_is_left_out() -> None:
    found = list(draw([*TOYS, ("names", "here", 0)], of, Random(1)))
    assert "names" == found[3][0]
    assert [*KINDS] * 7 == [kind for kind, _, _ in found[4:]]


def test_another_is_drawn_in_the_place_of_one_that_does_not_suit() -> None:
    """It is dropped, and its place counts as one of which nothing was drawn."""
    asked = []

    def suits(toy: Toy) -> bool:
        asked.append(toy)
        return toy[1] == "here"

    found = list(draw(TOYS, of, Random(5), suits))
    assert [toy for toy in asked if toy[1] == "here"] == found
    assert (12, 24) == (len(found), len(asked))
