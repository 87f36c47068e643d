"""In which ways a function can be refused what it asks for, as its first calls show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_adapters.faults import Faults
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_conformance.engine.session.axes import Axes
from hsa_reports.actions import Refuse

#: How many valid calls show what a function asks for, and how many that it asks for nothing: of
#: two kinds of an object one may, and the other not.
_COUNTED: Final = 4
_UNASKED: Final = 8

#: How many calls with nothing to refuse show that what was counted came about by chance.
MISSED: Final = 8

#: Which of several calls of a kind it is.
FIRST: Final = "first"
LAST: Final = "last"

#: What reports call the choice of what is refused.
AXIS: Final = "refused"


@dataclass(frozen=True)
class Way:
    """One way in which something is refused.

    Args:
        call: the kind of the call, such as "ALLOC_MEMORY_OF_GPU".
        error: the errno's name.
        place: which call of the kind is refused: "first", "last", or another one, by any word.
        lasting: whether all later ones of the kind are refused, too.
        before: for another one, how many calls of the kind succeed before it.

    """

    call: str
    error: str
    place: str = FIRST
    lasting: bool = False
    before: int = 0

    def refusal(self, after: int) -> Refuse:
        """Return it as a step of the trace, with how many calls of the kind succeed before it."""
        return Refuse(self.call, self.error, after, self.lasting)

    def __str__(self) -> str:
        """Return what reports and baselines call it, such as "ALLOC_MEMORY_OF_GPU first ENOMEM"."""
        return f"{self.call} {self.place}{' and later' if self.lasting else ''} {self.error}"


class Ways:
    """What can be refused while one function is called.

    Args:
        faults: refuses.
        thorough: whether every errno is tried, once and from then on, or the usual one, once.

    """

    def __init__(self, faults: Faults, *, thorough: bool) -> None:
        self._faults = faults
        self._thorough = thorough
        self._most: Counter[str] = Counter()  # of each kind, in one call of the function
        self._requests: dict[object, Mapping[str, int]] = {}  # by what the call was made with
        self._drawn: list[Way] = []
        self._misses: Counter[Way] = Counter()
        self.counted = 0

    @property
    def complete(self) -> bool:
        """Return whether enough calls were counted."""
        return self.counted >= (_COUNTED if self._most else _UNASKED)

    @property
    def asks_nothing(self) -> bool:
        """Return whether the function is known to ask for nothing that can be refused."""
        return self.complete and not self._most

    def note(self, made: Mapping[str, int], arguments: object) -> None:
        """Note how many calls of each kind one call of the function made.

        Args:
            made: how many, by kind.
            arguments: what it was made with.

        """
        self.counted += 1
        self._requests[arguments] = made
        for call, count in made.items():
            self._most[call] = max(count, self._most[call])
        if self.complete and not self._drawn:
            self._settle()

    def _settle(self) -> None:
        """Keep what examples draw from: it must not change when the same choices are made again."""
        self._drawn = list(self._every().values())

    def missed(self, way: Way, made: Mapping[str, int], arguments: object) -> None:
        """Note a call of the function during which there was nothing to refuse in a way."""
        self._misses[way] += 1
        self.note(made, arguments)

    def lacks(self, way: Way) -> bool:
        """Return whether too many calls of the function showed nothing to refuse in a way."""
        return self._misses[way] >= MISSED

    def choose(self, axes: Axes, ticket: int) -> Way:
        """Choose a way, each of which is to be tried; the function asks for something.

        Args:
            axes: where the choice is noted.
            ticket: which of them it is, unless the example has to be made with another one.

        Raises:
            Unsuitable: there is no such way.

        """
        ways = self._every()
        axes.offer(AXIS, ways)
        pinned = axes.pins.get(AXIS)
        if pinned is not None and pinned not in ways:
            raise Unsuitable(f"no call that was counted shows {pinned}")
        way = ways[pinned] if pinned is not None else self._drawn[ticket % len(self._drawn)]
        axes.chosen[AXIS] = str(way)
        return self.settled(way, ticket)

    def settled(self, way: Way, ticket: int) -> Way:
        """Return a way that leaves nothing open; see `choose`."""
        del ticket
        return way

    def before(self, way: Way, arguments: object) -> int:
        """Return how many calls of the kind succeed before the one that is refused.

        Args:
            way: what is refused.
            arguments: what the function is called with.

        """
        if way.place != LAST:
            return way.before
        counts = self._requests.get(arguments, self._most)
        return max(counts.get(way.call, 0), 1) - 1

    def _every(self) -> dict[str, Way]:
        ways: list[Way] = []
        for call in sorted(self._most):
            errors = self._faults.errors(call)
            for error in errors if self._thorough else errors[:1]:
                for place in (FIRST, LAST)[: self._most[call]]:
                    ways += [
                        Way(call, error, place, lasting)
                        for lasting in ((False, True) if self._thorough else (False,))
                    ]
        return {str(way): way for way in ways}
