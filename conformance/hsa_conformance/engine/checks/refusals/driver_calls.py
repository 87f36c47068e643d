"""Which calls of the driver a function makes: what can be refused while it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_reports.actions import Refuse

#: More calls of one kind than any function makes.
MANY: Final = 1 << 10

#: In how many examples a function has to make no call of any kind before it counts as making none.
ENOUGH: Final = 5

#: Among how many calls of a kind one is refused where it is not known how many there are.
FEW: Final = 3


class DriverCalls:
    """The driver's calls that one function makes, as its first examples show.

    Args:
        calls: for each resource, the driver's calls that ask for it, and the error where there is
            none left.

    """

    def __init__(self, calls: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        self._calls = calls
        self._requests: dict[str, int] = {}
        self._counted: Counter[str] = Counter()

    def to_count(self, resource: str) -> Refuse | None:
        """Return a refusal that comes too late, for a kind of call that is to be counted."""
        calls = self._calls[resource]
        wanted = 1 if any(self._requests.get(call) for call, _ in calls) else ENOUGH
        call, error = min(calls, key=lambda kind: self._counted[kind[0]])
        return Refuse(call, error, MANY, lasting=False) if self._counted[call] < wanted else None

    def note(self, call: str, made: int) -> None:
        """Note how many calls of a kind the function makes, with some arguments or others."""
        self._counted[call] += 1
        self._requests[call] = max(made, self._requests.get(call, 0))

    def none(self, resource: str) -> bool:
        """Return whether the function is known to make no call that asks for a resource."""
        return self.to_count(resource) is None and not any(
            self._requests[call] for call, _ in self._calls[resource]
        )

    def refusal(self, draw: Draw, resource: str) -> Refuse:
        """Draw the call that is refused: mostly one that the function is known to make.

        With other arguments it may make others than those that were counted.
        """
        every = self._calls[resource]
        made = [(call, error) for call, error in every if self._requests.get(call)]
        kind, number, guess = (draw(drawing.integers(0, most)) for most in (MANY, MANY, 3))
        # Once, from there on, or always: what asks again after a refusal shows the last two only.
        extent = draw(drawing.sampled_from(("once", "later", "always")))
        likely = every if guess == 3 or not made else made
        call, error = likely[kind % len(likely)]
        after = number % (self._requests[call] if likely is made else FEW)
        return Refuse(call, error, 0 if extent == "always" else after, lasting=extent != "once")
