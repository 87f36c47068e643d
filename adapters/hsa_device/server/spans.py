"""Accesses of many lanes as few spans of memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsa_device.memory import Addresses

#: Between two spans that lie closer, no page is missing.
PAGE = 4096


@dataclass(frozen=True)
class Spans:
    """Spans of memory, in their order, and where accesses lie in them.

    Args:
        starts: the address of each.
        sizes: of each, in bytes.
        offsets: of each access, in the bytes of all spans one after the other.

    """

    starts: Addresses
    sizes: Addresses
    offsets: Addresses

    @property
    def total(self) -> int:
        """Return how many bytes they have together."""
        return int(self.sizes.sum())


def spans(addresses: Addresses, size: int, gap: int = 0) -> Spans:
    """Return the spans that accesses lie in.

    Args:
        addresses: of each access; at least one.
        size: of each access, in bytes.
        gap: bytes between accesses that may belong to a span.

    """
    ordered = addresses if _ascending(addresses) else np.sort(addresses)
    beyond = ordered + np.uint64(size)
    apart = ordered[1:] > beyond[:-1] + np.uint64(gap)
    if not apart.any():
        first = ordered[:1]
        return Spans(first, beyond[-1:] - first, addresses - first)
    starts = ordered[np.concatenate(([True], apart))]
    sizes = beyond[np.concatenate((apart, [True]))] - starts
    before = np.cumsum(sizes) - sizes
    which = np.searchsorted(starts, addresses, "right") - 1
    return Spans(starts, sizes, addresses - starts[which] + before[which])


def _ascending(addresses: Addresses) -> bool:
    return bool((addresses[1:] >= addresses[:-1]).all())


def portions(
    sizes: NDArray[np.uint64], most: int, each: int
) -> Iterator[list[tuple[int, int, int]]]:
    """Yield spans in lists that fit in a message, cutting those that are too long.

    Args:
        sizes: of the spans, in bytes.
        most: bytes of a message.
        each: bytes that a span takes there beside its content.

    Yields:
        for each span: its number, where the part starts in it, and the size of the part.

    """
    portion: list[tuple[int, int, int]] = []
    room = most
    for number, size in enumerate(sizes.tolist()):
        done = 0
        while done < size:
            if room <= each:
                yield portion
                portion, room = [], most
            part = min(size - done, room - each)
            portion.append((number, done, part))
            room -= each + part
            done += part
    if portion:
        yield portion
