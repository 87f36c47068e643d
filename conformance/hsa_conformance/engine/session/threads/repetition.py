"""What goes wrong by chance: how often it does, and whether it does without threads.

What was seen when several threads made calls at one time need not be seen when the same calls are
made again. So the example is made again and again, each time in a fresh process, and what is seen
twice is believed. It is no matter of threads where anything goes wrong when one thread makes the
same calls one after the other: what comes behind that was not tried then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

#: How often an example is made again, by profile.
REPETITIONS: Final[Mapping[str, int]] = {"quick": 9, "full": 49, "exhaustive": 199, "soak": 9}
#: How often one thread makes the calls of all.
CONTROLS: Final = 3


@dataclass(frozen=True)
class Rate:
    """In how many of several repetitions of an example the same was seen.

    Args:
        seen: in how many.
        of: of how many.

    """

    seen: int
    of: int

    def __str__(self) -> str:
        return f"in {self.seen} of {self.of} repetitions, and never when one thread makes the calls"


def measured(again: Callable[[], bool], most: int, *, costly: Callable[[], bool]) -> Rate:
    """Return how often an example shows what it has shown once.

    Args:
        again: makes it again, and returns whether it does.
        most: how often it is made again.
        costly: returns whether to stop once it was seen a second time, as it may be a long wait.

    """
    seen = made = 1
    for _ in range(most):
        made += 1
        seen += again()
        if seen > 1 and costly():
            break
    return Rate(seen, made)
