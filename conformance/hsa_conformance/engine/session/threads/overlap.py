"""How many calls of threads have to overlap with others for their answers to show anything."""

from __future__ import annotations

from typing import Final

_LEAST: Final = 0.2


def is_enough(overlapping: int, timed: int) -> bool:
    """Return whether so many calls overlapped with those of other threads.

    Args:
        overlapping: how many did.
        timed: of how many that threads made at one time; 0: none had to.

    """
    return overlapping >= _LEAST * timed
