"""How many times threads make their moves in a litmus test, and how they keep together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

#: How often in a round, at most.
MOST: Final = 1000
#: Rounds, at most.
ROUNDS: Final = 60
#: How often in the first round, and in a later one at least, and the seconds that it should take.
_FIRST: Final = 100
_LEAST: Final = 50
_TIME: Final = 0.001
#: How often threads have to meet: as often as they could in some seconds, within bounds, as those
#: of Python are slow.
_ENOUGH: Final = (50, 500)
_ENOUGH_TIME: Final = 0.02
#: Cycles of a processor in a second, and the longest delay.
_CYCLES: Final = 3e9
_LONGEST: Final = 20_000


class Pace:
    """Lets two threads take about as long, or one would be done before the other has begun.

    Attributes:
        times: how often they make their moves next.
        enough: how often they have to meet.
        delays: how long each of them waits behind its moves.

    """

    def __init__(self) -> None:
        self.times = _FIRST
        self.enough = _ENOUGH[1]
        self.delays = [0, 0]

    def learn(self, took: Sequence[float], times: int) -> None:
        """Learn from how many seconds each thread took for its moves."""
        first, second = took[0], took[-1]
        ahead = int((second - first) / times * _CYCLES)
        waits = self.delays[0] - self.delays[1] + ahead
        self.delays = [max(0, min(_LONGEST, count)) for count in (waits, -waits)]
        each = max(first, second, 1e-6) / times
        self.times = max(_LEAST, min(MOST, int(_TIME / each)))
        self.enough = max(_ENOUGH[0], min(_ENOUGH[1], int(_ENOUGH_TIME / each)))
