"""Memory as ranges of addresses."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsa_device.errors import MemoryFaultError
from hsa_device.memory.ranges import Addresses, Place, without


class Memory:
    """Memory that a kernel reaches.

    Args:
        ranges: returns them, in any order, without overlaps; asked again where an access finds
            nothing, since memory comes while kernels run.
        missing: told of an address where nothing is, before they are asked for again.

    """

    def __init__(
        self,
        ranges: Callable[[], Iterable[Place]],
        missing: Callable[[int], None] = lambda address: None,
    ) -> None:
        self._ask = ranges
        self._missing = missing
        self._own: list[Place] = []
        self.refresh()

    def refresh(self) -> None:
        """Ask for the ranges again."""
        found = [*without(self._ask(), self._own), *self._own]
        self._ranges = sorted(found, key=lambda each: each.start)
        self._starts = [each.start for each in self._ranges]
        self._last: Place | None = None

    def add(self, added: Place) -> None:
        """Add a range that is asked for no more."""
        self._own.append(added)
        self.refresh()

    def remove(self, added: Place) -> None:
        """Take back a range that was added."""
        self._own.remove(added)
        self.refresh()

    def load(self, addresses: Addresses, size: int) -> NDArray[Any]:
        """Return the numbers at addresses.

        Args:
            addresses: of each number; a list.
            size: of each number in bytes: 1, 2, 4 or 8.

        Raises:
            MemoryFaultError: there is no memory.

        """
        found: NDArray[Any] = np.empty(len(addresses), f"u{size}")
        for which, where in self._parts(addresses, size, writing=False):
            found[which] = where.load(addresses[which], size)
        return found

    def store(self, addresses: Addresses, values: NDArray[Any], size: int) -> None:
        """Write numbers to addresses; of several at one address any one stays.

        Args:
            addresses: of each number; a list.
            values: as many.
            size: of each number in bytes: 1, 2, 4 or 8.

        Raises:
            MemoryFaultError: there is no memory that may be written.

        """
        for which, where in self._parts(addresses, size, writing=True):
            where.store(addresses[which], values[which], size)

    def modify(
        self,
        operation: str,
        size: int,
        addresses: Addresses,
        values: Addresses,
        compares: Addresses | None = None,
    ) -> Addresses:
        """Change numbers by an atomic operation, and return what was there before; see `native`.

        Raises:
            MemoryFaultError: there is no memory that may be written, or an address is no multiple
                of the size.

        """
        crooked = addresses & np.uint64(size - 1) != 0
        if crooked.any():
            address = int(addresses[crooked][0])
            raise MemoryFaultError(f"atomic operation at {address:#x}", address)
        old: Addresses = np.empty(len(addresses), np.uint64)
        for which, where in self._parts(addresses, size, writing=True):
            compared = None if compares is None else compares[which]
            old[which] = where.modify(operation, size, addresses[which], values[which], compared)
        return old

    def read(self, address: int, size: int) -> bytes:
        """Return bytes, fewer where there is no more memory.

        Raises:
            MemoryFaultError: there is none at all.

        """
        where = self._around(address, 1) or self._around_again(address, 1)
        if where is None:
            raise MemoryFaultError(f"no memory at {address:#x}", address)
        return where.read(address, size)

    def _parts(
        self, addresses: Addresses, size: int, *, writing: bool
    ) -> Iterator[tuple[Any, Place]]:
        """Yield which of the addresses lie in which range, until all were found."""
        if not len(addresses):
            return
        low, high = int(addresses.min()), int(addresses.max())
        where = self._last
        if where is None or not (where.start <= low and high + size <= where.end):
            where = self._around(low, high + size - low)
        if where is not None and (where.writable or not writing):
            self._last = where
            yield slice(None), where
            return
        left = np.ones(len(addresses), np.bool_)
        while left.any():
            address = int(addresses[left][0])
            where = self._around(address, size) or self._around_again(address, size)
            if where is None or not (where.writable or not writing):
                what = "written" if writing else "read"
                raise MemoryFaultError(f"no memory that may be {what} at {address:#x}", address)
            end = np.uint64(where.end - size)
            inside = left & (addresses >= np.uint64(where.start)) & (addresses <= end)
            left &= ~inside
            yield inside, where

    def _around_again(self, address: int, size: int) -> Place | None:
        self._missing(address)
        self.refresh()
        return self._around(address, size)

    def _around(self, address: int, size: int) -> Place | None:
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address + size > self._ranges[index].end:
            return None
        return self._ranges[index]
