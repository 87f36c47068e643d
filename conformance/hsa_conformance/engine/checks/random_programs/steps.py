"""The steps of a random sequence: how they are drawn, and played again with some left out."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Any, Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Choice, Draw
from hsa_conformance.engine.generation.fixtures import places

#: Whether there is a further step: in one of so many draws there is none.
MORE: Final = drawing.integers(0, 39)
#: Whether a step is made with which a sequence opens.
OPENING: Final = drawing.just(1)

_PLACE: Final = "place"
#: What means the same in every process.
PLAIN: Final = (int, bool, str, bytes, float, type(None))


class StepRecorder:
    """Draws, and keeps what was drawn, step by step.

    Args:
        draw: draws the choices of the example; see `generation.drawing`.

    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        # What comes before the steps, those that open the sequence, and the others; where it came
        # to its end, the last one is what was drawn there.
        self.draws: list[list[tuple[Choice[Any], Any]]] = [[]]
        self.opening = 0
        self.ended = False

    def __call__(self, choice: Choice[Any]) -> Any:  # noqa: ANN401 - as Draw has it
        """Draw, and keep what was drawn."""
        value = self._draw(choice)
        if choice is MORE or choice is OPENING:
            self.draws.append([])
            self.opening += choice is OPENING
            self.ended = not value
        else:
            self.draws[-1].append((choice, value))
        return value

    @property
    def steps(self) -> Sequence[int]:
        """Return the numbers of the steps."""
        return range(1, len(self.draws) - self.ended)


class StepReplayer:
    """Draws the same again for some of the steps.

    What is drawn for a step may be of other lists than before. A place in a list is the same place
    then, or the last one.

    Args:
        recorded: what was drawn.
        kept: the numbers of the steps that are made.

    """

    def __init__(self, recorded: StepRecorder, kept: Collection[int]) -> None:
        self._recording = recorded
        self._opening = deque(range(1, recorded.opening + 1))
        self._positions = frozenset(kept)
        self._further = deque(sorted(n for n in kept if n > recorded.opening))
        self._now = deque(recorded.draws[0])

    def __call__(self, choice: Choice[Any]) -> Any:  # noqa: ANN401 - as Draw has it
        """Return what was drawn for this.

        Raises:
            ProvesNothing: nothing was, or what means something else in another process.

        """
        if choice is OPENING:
            if not self._opening:
                return False  # the sequence failed before it came to this
            number = self._opening.popleft()
            self._now = deque(self._recording.draws[number])
            return number in self._positions
        if choice is MORE:
            end = self._recording.draws[-1] if self._recording.ended else []
            more = bool(self._further)
            self._now = deque(self._recording.draws[self._further.popleft()] if more else end)
            return more
        return self._next(_sort(choice))

    def _next(self, sort: str) -> Any:  # noqa: ANN401
        while self._now:
            choice, value = self._now.popleft()
            if _sort(choice) == sort and type(value) in PLAIN:
                return value
        if sort == _PLACE:
            return 0
        raise ProvesNothing("nothing was drawn for this before")


def _sort(choice: Choice[Any]) -> str:
    """Return what a choice is for: two of the same sort may stand for one another."""
    words = repr(choice)
    return _PLACE if words.startswith(_PLACES) else words


_PLACES: Final = repr(places(3)).partition("(0")[0]
