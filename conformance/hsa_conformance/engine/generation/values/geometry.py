"""The sizes that examples take: the edges of a range, and where libraries change their ways."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Choice

#: The bits of narrow fields, among them those of engines that copy boxes (11 and 14), and of the
#: pages of hosts and GPUs: 4 KiB, 64 KiB, 2 MiB.
_WIDTHS: Final = (8, 11, 12, 14, 16, 21, 32)
#: Those of them from which on small examples show nothing.
_LARGE: Final = (16, 21, 32)
#: Those that count elements, rows and slices.
COUNTS: Final = (8, 11, 14)
#: The most that an example takes of memory that it touches: more than the largest page, and odd.
MOST: Final = (1 << 21) + (1 << 16) + 3
#: The most that it takes of addresses that it does not touch.
MOST_UNTOUCHED: Final = (1 << 32) + (1 << 21)
#: Which part of all memory of a kind an example takes at most.
_PART: Final = 16


def within(room: int) -> int:
    """Return the most that an example takes of memory of which there is so much."""
    return min(MOST, room // _PART)


def sizes(
    least: int = 1, most: int = MOST, granule: int = 1, telling: Collection[int] = _LARGE
) -> Choice[int]:
    """Return the choice of the sizes at the edges of a range and of pages, and next to them.

    They are also the offsets of small things in memory. Of several examples the first ones have a
    size that tells more than others: the next one after what some bits hold, exactly twice that, as
    what is done in parts has no rest then, or the largest.

    Args:
        least: the smallest, which is the simplest; a multiple of the granule.
        most: the largest, if it is not smaller.
        granule: what they are multiples of.
        telling: the numbers of those bits.

    """
    most = max(least, most)
    edges = {least, most // granule * granule}
    for around in (granule, *(1 << width for width in _WIDTHS)):
        nearest = around // granule * granule
        edges |= {nearest - granule, nearest, nearest + granule}
    twice = {(2 << width) // granule * granule for width in telling}
    found = sorted(size for size in edges | twice if least <= size <= most)
    first = {(1 << width) // granule * granule + granule for width in telling} | {found[-1]}
    first.add(max(twice & {*found}, default=found[-1]))
    return drawing.sampled_from(
        found, [n for n, size in enumerate(found) if size in first], once=True
    )
