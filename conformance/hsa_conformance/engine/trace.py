"""The story of an example: its steps, and the names of the values in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hsa_conformance.engine.symbols import Symbol
from hsa_reports import Step, actions

#: Makes the words of a step, its result, and its action.
Story = Callable[[], tuple[str, str, actions.Action]]


@dataclass(frozen=True)
class Note:
    """A step that is put into words when somebody reads the trace."""

    process: str
    story: Story

    @property
    def step(self) -> Step:
        """Return the step."""
        return Step(self.process, *self.story())


class Trace:
    """What happened in one process.

    Args:
        process: what the steps call the process.
        notes: where the steps are noted; the processes of one example share them.
        symbols: where the values that get a name are noted.

    """

    def __init__(self, process: str, notes: list[Note], symbols: list[Symbol]) -> None:
        self.process = process
        self.notes = notes
        self.symbols = symbols
        self._names: dict[str, int] = {}

    @property
    def steps(self) -> list[Step]:
        """The steps so far, of all processes of the example."""
        return [note.step for note in self.notes]

    def clear(self) -> None:
        """Begin anew."""
        self.notes.clear()
        self._names.clear()

    def note(self, call: str, result: str, action: actions.Action) -> None:
        """Add a step.

        Args:
            call: what is done, in words.
            result: what came of it.
            action: the same in a form that programs are made of.

        """
        self.note_later(lambda: (call, result, action))

    def note_later(self, story: Story) -> None:
        """Add a step that is told when the trace is read, of what does not change until then."""
        self.notes.append(Note(self.process, story))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave out what is only asked of the machine: the names of its parts say it all."""
        before = len(self.notes)
        yield
        del self.notes[before:]

    def named(self, value: int, stem: str) -> Symbol:
        """Return a number under the next free name with this stem."""
        self._names[stem] = self._names.get(stem, 0) + 1
        name = f"{stem}{self._names[stem]}"
        symbol = Symbol(value, name, origin=actions.Named(name))
        self.symbols.append(symbol)
        return symbol
