"""Ranges of addresses, and the bytes that lie there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hsa_device.native import modify

Addresses: TypeAlias = NDArray[np.uint64]
Octets: TypeAlias = NDArray[np.uint8]


class Place(Protocol):
    """A range of addresses, wherever its bytes lie; all that is accessed lies in the range."""

    @property
    def start(self) -> int:
        """Return its first address, as kernels see it: a multiple of 8."""
        ...

    @property
    def end(self) -> int:
        """Return the address after its last one."""
        ...

    @property
    def writable(self) -> bool:
        """Return whether kernels may write there."""
        ...

    def part(self, start: int, end: int) -> Self:
        """Return a part of it."""
        ...

    def load(self, addresses: Addresses, size: int) -> NDArray[Any]:
        """Return the numbers at addresses; see `Memory.load`."""
        ...

    def store(self, addresses: Addresses, values: NDArray[Any], size: int) -> None:
        """Write numbers to addresses; see `Memory.store`."""
        ...

    def modify(
        self,
        operation: str,
        size: int,
        addresses: Addresses,
        values: Addresses,
        compares: Addresses | None,
    ) -> Addresses:
        """Change numbers by an atomic operation; see `Memory.modify`."""
        ...

    def read(self, address: int, size: int) -> bytes:
        """Return bytes, fewer at the end of the range."""
        ...


P = TypeVar("P", bound=Place)


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

    def part(self, start: int, end: int) -> Range:
        """Return a part of it."""
        content = self.content[start - self.start : end - self.start]
        return Range(start, content, self.writable)

    def load(self, addresses: Addresses, size: int) -> NDArray[Any]:
        """Return the numbers at addresses."""
        return load_from(self.content, addresses - np.uint64(self.start), size)

    def store(self, addresses: Addresses, values: NDArray[Any], size: int) -> None:
        """Write numbers to addresses."""
        store_to(self.content, addresses - np.uint64(self.start), values, size)

    def modify(
        self,
        operation: str,
        size: int,
        addresses: Addresses,
        values: Addresses,
        compares: Addresses | None,
    ) -> Addresses:
        """Change numbers by an atomic operation."""
        base = np.uint64(self.content.ctypes.data - self.start & 2**64 - 1)
        return modify(operation, size, addresses + base, values, compares)

    def read(self, address: int, size: int) -> bytes:
        """Return bytes."""
        return self.content[address - self.start : address - self.start + size].tobytes()


def without(ranges: Iterable[P], others: Sequence[Place]) -> Iterator[P]:
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
                yield each.part(start, low)
            start = high
        if start < each.end:
            yield each if start == each.start else each.part(start, each.end)


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
