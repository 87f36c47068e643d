"""Examples as what was drawn for them, so that they can be made again in another run."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Protocol

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.checks.random_programs.steps import PLAIN
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Choice, Draw
from hsa_conformance.engine.session.axes import Axes, Pin
from hsa_conformance.engine.session.session import Session

#: Whether set-up makes further objects; not every example that is made again asks.
EXTRA_OBJECTS: Final = drawing.sampled_from((False, True))

_EXTRA_OBJECTS: Final = "crowded"

#: What a value was drawn from, in words, and the value.
DrawnValue = tuple[str, Any]


@dataclass(frozen=True)
class Example:
    """An example that failed.

    Args:
        clause: the id of the clause whose check it is of.
        check: the name of the check.
        broken: what it shows: the id of the clause that is broken, and the kind of end, if any.
        pins: the values that it has to be made with, by axis.
        choices: what was drawn for it, in order.

    """

    clause: str
    check: str
    broken: str
    pins: Mapping[str, str]
    choices: tuple[DrawnValue, ...]


def begin_example(
    session: Session, draw: Draw, pins: Mapping[str, str], tried: Collection[Pin] = ()
) -> None:
    """Let an example begin in a session.

    Args:
        session: where it is made.
        draw: draws what it is made with.
        pins: the values that it has to be made with, by axis.
        tried: the values of axes that earlier examples were made with.

    """
    session.axes = Axes(pins, tried)
    session.makes_extra_objects = cache(lambda: draw(EXTRA_OBJECTS))


class ExampleArchive(Protocol):
    """Keeps examples that failed, from one run to the next."""

    def of(self, check: Check) -> Sequence[Example]:
        """Return those of a check that are to be made again, whichever value is pinned."""
        ...

    def keep(self, example: Example) -> None:
        """Keep one for later runs."""
        ...

    def passed(self, clause: str) -> None:
        """Note that a clause holds, in all that was made again for it, too."""
        ...


class DrawRecorder:
    """Draws, and notes what was drawn.

    Args:
        draw: the source of choices.

    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._draws: list[tuple[Choice[Any], Any]] = []

    def __call__(self, choice: Choice[Any]) -> Any:  # noqa: ANN401 - as Draw has it
        """Draw, and note it."""
        value = self._draw(choice)
        # Who draws a list may take from it.
        self._draws.append((choice, choice.snapshot(value)))
        return value

    def choices(self) -> tuple[DrawnValue, ...] | None:
        """Return what was drawn; None if some of it means nothing in another process."""
        if not all(_plain(value) for _, value in self._draws):
            return None
        return tuple((_source(choice), value) for choice, value in self._draws)


class DrawReplayer:
    """Draws what was drawn before.

    Args:
        choices: what that was, in order.

    """

    def __init__(self, choices: Sequence[DrawnValue]) -> None:
        self._remaining = deque(choices)

    def __call__(self, choice: Choice[Any]) -> Any:  # noqa: ANN401 - as Draw has it
        """Return what was drawn.

        Raises:
            ProvesNothing: it was drawn from something else, so it may be no right value here.

        """
        source = _source(choice)
        if self._remaining and self._remaining[0][0] == source:
            return choice.restore(self._remaining.popleft()[1])
        if choice is EXTRA_OBJECTS:
            return False
        raise ProvesNothing("the example cannot be made again: other values are to be drawn now")


def _source(choice: Choice[Any]) -> str:
    """Return what a choice is of, in words.

    What a filter compares with is not among them: it was drawn before, and is the same again.
    """
    return _EXTRA_OBJECTS if choice is EXTRA_OBJECTS else repr(choice)


def _plain(value: object) -> bool:
    if type(value) in (list, set):
        return all(type(each) in PLAIN for each in value)  # type: ignore[attr-defined]
    return type(value) in PLAIN
