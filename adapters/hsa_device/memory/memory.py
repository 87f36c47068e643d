"""Memory as ranges of addresses, each with the bytes that lie there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsa_device.errors import MemoryFaultError
from hsa_device.native import modify

Addresses: TypeAlias = NDArray[np.uint64]
Octets: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Range:
    """A range of addresses.

    Args:
        start: its first address, as kernels see it.
        content: the bytes there, of memory that may lie elsewhere in this process; the start of
            both is a multiple of 8 bytes.
        writable: whether kernels may write there.

    """

    start: int
    content: Octets
    writable: bool = True

    @property
    def end(self) -> int:
        """Return the address after its last one."""
        return self.start + len(self.content)


class Memory:
    """Memory that a kernel reaches.

    Args:
        ranges: returns them, in any order, without overlaps; asked again where an access finds
            nothing, since memory comes while kernels run.

    """

    def __init__(self, ranges: Callable[[], Iterable[Range]]) -> None:
        self._ask = ranges
        self._own: list[Range] = []
        self.refresh()

    def refresh(self) -> None:
        """Ask for the ranges again."""
        found = [*without(self._ask(), self._own), *self._own]
        self._ranges = sorted(found, key=lambda each: each.start)
        self._starts = [each.start for each in self._ranges]
        self._last: Range | None = None

    def add(self, added: Range) -> None:
        """Add a range that is asked for no more."""
        self._own.append(added)
        self.refresh()

    def remove(self, added: Range) -> None:
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
            offsets = addresses[which] - np.uint64(where.start)
            found[which] = load_from(where.content, offsets, size)
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
            offsets = addresses[which] - np.uint64(where.start)
            store_to(where.content, offsets, values[which], size)

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
            raise MemoryFaultError(f"atomic operation at {int(addresses[crooked][0]):#x}")
        old: Addresses = np.empty(len(addresses), np.uint64)
        for which, where in self._parts(addresses, size, writing=True):
            base = np.uint64(where.content.ctypes.data - where.start & 2**64 - 1)
            compared = None if compares is None else compares[which]
            old[which] = modify(operation, size, addresses[which] + base, values[which], compared)
        return old

    def read(self, address: int, size: int) -> bytes:
        """Return bytes, fewer where there is no more memory.

        Raises:
            MemoryFaultError: there is none at all.

        """
        where = self._around(address, 1) or self._around_again(address, 1)
        if where is None:
            raise MemoryFaultError(f"no memory at {address:#x}")
        start = address - where.start
        return where.content[start : start + size].tobytes()

    def _parts(
        self, addresses: Addresses, size: int, *, writing: bool
    ) -> Iterator[tuple[Any, Range]]:
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
                raise MemoryFaultError(f"no memory that may be {what} at {address:#x}")
            end = np.uint64(where.end - size)
            inside = left & (addresses >= np.uint64(where.start)) & (addresses <= end)
            left &= ~inside
            yield inside, where

    def _around_again(self, address: int, size: int) -> Range | None:
        self.refresh()
        return self._around(address, size)

    def _around(self, address: int, size: int) -> Range | None:
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address + size > self._ranges[index].end:
            return None
        return self._ranges[index]


def without(ranges: Iterable[Range], others: Sequence[Range]) -> Iterator[Range]:
    """Yield what is left of ranges where others lie in them.

    Args:
        ranges: those that are left in part.
        others: those that are taken out.

    """
    taken = sorted((each.start, each.end) for each in others)
    for each in ranges:
        start = each.start
        for low, high in taken:
            if high <= start or low >= each.end:
                continue
            if start < low:
                yield _part(each, start, low)
            start = high
        if start < each.end:
            yield each if start == each.start else _part(each, start, each.end)


def _part(whole: Range, start: int, end: int) -> Range:
    return Range(start, whole.content[start - whole.start : end - whole.start], whole.writable)


def load_from(content: Octets, offsets: Addresses, size: int) -> NDArray[Any]:
    """Return the numbers at offsets of bytes; see `Memory.load`."""
    if size == 1:
        return content[offsets]
    if not (offsets & np.uint64(size - 1)).any():
        return _as_numbers(content, size)[offsets >> np.uint64(size.bit_length() - 1)]
    each = content[offsets[:, None] + np.arange(size, dtype=np.uint64)]
    return each.view(f"u{size}")[:, 0]


def store_to(content: Octets, offsets: Addresses, values: NDArray[Any], size: int) -> None:
    """Write numbers to offsets of bytes; see `Memory.store`."""
    numbers = values.astype(f"u{size}", copy=False)
    if size == 1:
        content[offsets] = numbers
    elif not (offsets & np.uint64(size - 1)).any():
        _as_numbers(content, size)[offsets >> np.uint64(size.bit_length() - 1)] = numbers
    else:
        octets = np.ascontiguousarray(numbers)[:, None].view(np.uint8)
        content[offsets[:, None] + np.arange(size, dtype=np.uint64)] = octets


def _as_numbers(content: Octets, size: int) -> NDArray[Any]:
    return content[: len(content) // size * size].view(f"u{size}")
