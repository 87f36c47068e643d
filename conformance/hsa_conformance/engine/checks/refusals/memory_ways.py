"""In which ways a function can be refused memory: at its first request, at its last, or between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from hsa_adapters.faults import Faults
from hsa_conformance.engine.checks.refusals.arming import ordinal
from hsa_conformance.engine.checks.refusals.ways import Way, Ways

#: Which request it is that a run draws, where there are too many to try each.
BETWEEN: Final = "between"

#: How many requests of one call are refused each, where each is.
EACH: Final = 64
#: Up to how many between the first and the last are refused each in any run.
FEW: Final = 3


class MemoryWays(Ways):
    """What memory can be refused while one function is called; see `Ways`."""

    def __init__(self, faults: Faults, *, thorough: bool) -> None:
        super().__init__(faults, thorough=thorough)
        self._spans: Mapping[str, int] = {}  # how many requests there are, once enough is counted

    def _settle(self) -> None:
        super()._settle()
        # The same ticket has to stand for the same request, too.
        self._spans = dict(self._most)

    def settled(self, way: Way, ticket: int) -> Way:
        """Return the way with the request that a ticket stands for."""
        if way.place != BETWEEN:
            return way
        return replace(way, before=1 + ticket % max(1, self._spans[way.call] - 2))

    def _every(self) -> dict[str, Way]:
        return super()._every() | {str(way): way for way in self._others()}

    def _others(self) -> list[Way]:
        return [
            Way(call, self._faults.errors(call)[0], place, lasting, before)
            for call in sorted(self._most)
            for place, before in self._between(self._most[call])
            for lasting in ((False, True) if self._thorough else (False,))
        ]

    def _between(self, most: int) -> list[tuple[str, int]]:
        """Return the requests between the first and the last of them."""
        if most <= 2:
            return []
        if not self._thorough and most - 2 > FEW:
            return [(BETWEEN, 0)]
        step = max(1, (most - 2) // EACH)
        return [(ordinal(number + 1), number) for number in range(1, most - 1, step)]
