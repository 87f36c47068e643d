"""A fixed calculation, which other figures are ratios to, so that those of two machines compare."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

_ROUNDS: Final = 8


@dataclass(frozen=True)
class Seconds:
    """How long something took, in seconds: of a clock on the wall, and of all processors."""

    wall: float
    processor: float


def calculate() -> int:
    """Do what the suite mostly does: texts, dictionaries, tuples, calls. Never change it."""
    found = dict[str, tuple[int, str]]()
    for number in range(100_000):
        word = f"{number * 2654435761 % 4294967296:08x}"
        times, _ = found.get(word[:4], (0, ""))
        found[word[:4]] = times + 1, word
    return sum(times * len(word) for times, word in sorted(found.values()))


def calculation() -> Seconds:
    """Return how long the calculation takes, now and here."""
    wall, processor = time.perf_counter(), time.process_time()
    for _ in range(_ROUNDS):
        calculate()
    return Seconds(time.perf_counter() - wall, time.process_time() - processor)
