"""A value for every address; neighbours mostly have the same."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Spans(Generic[T]):
    """The values of all addresses.

    Args:
        value: the one that every address has at first.

    """

    def __init__(self, value: T) -> None:
        # Where each span starts, in order, and the value that it has up to the next one.
        self._starts = [0]
        self._values = [value]

    def over(self, start: int, end: int) -> list[T]:
        """Return the values from one address up to another, in order, each span's once."""
        first, behind = bisect_right(self._starts, start) - 1, bisect_left(self._starts, end)
        return self._values[first:behind]

    def change(self, start: int, end: int, to: Callable[[T], T]) -> None:
        """Replace the value of each address from one up to another by what it becomes."""
        first, behind = self._cut(start), self._cut(end)
        self._values[first:behind] = map(to, self._values[first:behind])
        for place in range(min(behind, len(self._starts) - 1), max(first, 1) - 1, -1):
            if self._values[place] == self._values[place - 1]:
                del self._starts[place], self._values[place]

    def _cut(self, at: int) -> int:
        """Let a span start at an address, and return its place."""
        place = bisect_left(self._starts, at)
        if place == len(self._starts) or self._starts[place] != at:
            self._starts.insert(place, at)
            self._values.insert(place, self._values[place - 1])
        return place
