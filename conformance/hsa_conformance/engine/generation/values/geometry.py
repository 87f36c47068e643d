"""The sizes that examples take: the edges of a range, and where libraries change their ways."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Choice

#: The bits of narrow fields, and of the pages of hosts and GPUs: 4 KiB, 64 KiB, 2 MiB.
_WIDTHS: Final = (8, 12, 16, 21, 32)
#: Those of them from which on small examples show nothing.
_LARGE: Final = (16, 21, 32)
#: The most that an example takes of memory that it touches: more than the largest page.
MOST: Final = (1 << 21) + (1 << 16)
#: The most that it takes of addresses that it does not touch.
MOST_UNTOUCHED: Final = (1 << 32) + (1 << 21)
#: Which part of all memory of a kind an example takes at most.
_PART: Final = 16


def within(room: int) -> int:
    """Return the most that an example takes of memory of which there is so much."""
    return min(MOST, room // _PART)


def sizes(least: int = 1, most: int = MOST, granule: int = 1) -> Choice[int]:
    """Return the choice of the sizes at the edges of a range and of pages, and next to them.

    Of several examples the first ones have a size next to a large page, or the largest.

    Args:
        least: the smallest, which is the simplest; a multiple of the granule.
        most: the largest, if it is not smaller.
        granule: what they are multiples of.

    """
    most = max(least, most)
    edges = {least, most // granule * granule}
    for around in (granule, *(1 << width for width in _WIDTHS)):
        nearest = around // granule * granule
        edges |= {nearest - granule, nearest, nearest + granule}
    found = sorted(size for size in edges if least <= size <= most)
    telling = {(1 << width) // granule * granule + granule for width in _LARGE}
    telling |= {found[-1]} if telling & set(found) else set()
    return drawing.sampled_from(found, [n for n, size in enumerate(found) if size in telling])
