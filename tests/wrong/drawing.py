"""Draws mistakes by a seed, evenly over their kinds and over the places where they can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from random import Random
from typing import TypeVar

T = TypeVar("T")


def draw(
    mistakes: Iterable[T],
    of: Callable[[T], tuple[Hashable, ...]],
    random: Random,
    suits: Callable[[T], bool] = lambda _: True,
) -> Iterator[T]:
    """Yield mistakes in an order by chance, each once, until none is left.

    The kinds take turns. Each takes a place from which least has been drawn, and one of its own
    mistakes there.

    Args:
        mistakes: all that can be drawn.
        of: returns the kind of a mistake, and its place, such as a function; or several places,
            each within the one before, such as a file and a function of it: then the file comes
            first, and of its functions the one from which least has been drawn.
        random: made of the seed; the same seed draws the same mistakes again.
        suits: whether a mistake can be made. It is asked when the mistake is drawn; what does not
            suit is dropped, and another one is drawn.

    """
    left: dict[Hashable, dict[tuple[Hashable, ...], list[T]]] = {}
    for mistake in mistakes:
        kind, *within = of(mistake)
        left.setdefault(kind, {}).setdefault((*within,), []).append(mistake)
    drawn: Counter[tuple[Hashable, ...]] = Counter()
    while any(left.values()):
        for places in left.values():
            while places:
                least = min(_drawn(drawn, place) for place in places)
                place = random.choice([p for p in places if _drawn(drawn, p) == least])
                mistake = places[place].pop(random.randrange(len(places[place])))
                if not places[place]:
                    del places[place]
                if suits(mistake):
                    drawn.update(_around(place))
                    yield mistake
                    break


def _around(place: tuple[Hashable, ...]) -> list[tuple[Hashable, ...]]:
    """Return a place with all that it is within, the widest first."""
    return [place[:length] for length in range(1, len(place) + 1)]


def _drawn(drawn: Counter[tuple[Hashable, ...]], place: tuple[Hashable, ...]) -> list[int]:
    """Return how often a place was drawn from, and before that what it is within."""
    return [drawn[each] for each in _around(place)]
