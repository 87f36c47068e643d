"""Draws mistakes by a seed, evenly over their kinds and over the places where they can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from random import Random
from typing import TypeVar

T = TypeVar("T")


def draw(
    mistakes: Iterable[T],
    of: Callable[[T], tuple[Hashable, Hashable]],
    random: Random,
    suits: Callable[[T], bool] = lambda _: True,
) -> Iterator[T]:
    """Yield mistakes in an order by chance, each once, until none is left.

    The kinds take turns. Each takes a place from which least has been drawn, and one of its own
    mistakes there.

    Args:
        mistakes: all that can be drawn.
        of: returns the kind and the place of a mistake, such as a function or a file.
        random: made of the seed; the same seed draws the same mistakes again.
        suits: whether a mistake can be made. It is asked when the mistake is drawn; what does not
            suit is dropped, and another one is drawn.

    """
    left: dict[Hashable, dict[Hashable, list[T]]] = {}
    for mistake in mistakes:
        kind, place = of(mistake)
        left.setdefault(kind, {}).setdefault(place, []).append(mistake)
    drawn: Counter[Hashable] = Counter()
    while any(left.values()):
        for places in left.values():
            while places:
                least = min(drawn[place] for place in places)
                place = random.choice([place for place in places if drawn[place] == least])
                mistake = places[place].pop(random.randrange(len(places[place])))
                if not places[place]:
                    del places[place]
                if suits(mistake):
                    drawn[place] += 1
                    yield mistake
                    break
