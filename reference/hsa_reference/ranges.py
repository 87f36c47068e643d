"""Ranges of addresses that do not overlap, found by any address in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from hsa_reference.requests import OBJECT, ask


class Range(Protocol):
    """Something that lies at an address; sizes are in bytes."""

    @property
    def address(self) -> int: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102


T = TypeVar("T", bound=Range)


class Ranges(Generic[T]):
    """A table of ranges, sorted by address; each takes memory of the runtime itself."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._items: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[T]:
        return (self._items[start] for start in self._starts)

    def add(self, item: T) -> None:
        """Add a range that overlaps none of the table.

        Raises:
            OSError: there is no memory for it.

        """
        ask(OBJECT)
        insort(self._starts, item.address)
        self._items[item.address] = item

    def remove(self, item: T) -> None:
        """Remove a range that is in the table."""
        del self._items[item.address]
        del self._starts[bisect_right(self._starts, item.address) - 1]

    def clear(self) -> None:
        """Remove everything."""
        self._starts.clear()
        self._items.clear()

    def at(self, address: int) -> T | None:
        """Return the range that starts at this address."""
        return self._items.get(address)

    def around(self, address: int) -> T | None:
        """Return the range that contains this address."""
        index = bisect_right(self._starts, address) - 1
        if index < 0:
            return None
        item = self._items[self._starts[index]]
        return item if address < item.address + item.size else None

    def overlapping(self, address: int, size: int) -> list[T]:
        """Return the ranges that any of these bytes lie in, by address."""
        if size <= 0:
            return []
        first = bisect_right(self._starts, address)
        if self.around(address) is not None:
            first -= 1
        behind = bisect_left(self._starts, address + size, first)
        return [self._items[start] for start in self._starts[first:behind]]

    def row(self, address: int, size: int) -> list[T]:
        """Return the whole, adjacent ranges that these bytes are made of; none if they are not."""
        row: list[T] = []
        position = address
        while position < address + size:
            item = self._items.get(position)
            if item is None:
                return []
            row.append(item)
            position += item.size
        return row if position == address + size else []
