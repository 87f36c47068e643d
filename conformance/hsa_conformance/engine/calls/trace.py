"""The story of an example: its steps, and the names of the values in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from hsa_conformance.engine.calls.symbols import Symbol
from hsa_reports import Step, actions, operands

#: The process that a sequence begins in.
MAIN: Final = "main"

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


class Notes(list[Note]):
    """The steps of an example, and by name the bytes that they gave."""

    def __init__(self) -> None:
        super().__init__()
        self.outputs: dict[str, bytes] = {}


class Trace:
    """What happened in one process.

    Args:
        process: what the steps call the process.
        notes: where the steps are noted; the processes of one example share them.
        symbols: where the values that get a name are noted.

    """

    def __init__(self, process: str, notes: Notes, symbols: list[Symbol]) -> None:
        self.process = process
        self.notes = notes
        self.symbols = symbols
        self._names: dict[str, int] = {}
        self._due: list[Story] = []  # what is a step only if another one follows
        self._heard = True

    @property
    def step_count(self) -> int | None:
        """How many steps there are so far; None while they are left out."""
        return len(self.notes) if self._heard else None

    @property
    def steps(self) -> list[Step]:
        """The steps so far, of all processes of the example."""
        return [note.step for note in self.notes]

    def clear(self) -> None:
        """Begin anew."""
        self.notes.clear()
        self.notes.outputs.clear()
        self._names.clear()
        self._due.clear()

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
        self._note_due()
        self.notes.append(Note(self.process, story))

    def note_before_next(self, story: Story) -> None:
        """Add a step once another one follows, since it makes no difference to those before it."""
        self._due.append(story)

    def put_into_words(self) -> None:
        """Put all steps into words now, since what they tell of is about to change."""
        for number, note in enumerate(self.notes):
            self.notes[number] = Note(note.process, partial(_as_it_was, note.story()))

    def _note_due(self) -> None:
        self.notes += [Note(self.process, story) for story in self._due]
        self._due.clear()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave out what is only asked of the machine: the names of its parts say it all."""
        self._note_due()
        before, outputs, heard = len(self.notes), dict(self.notes.outputs), self._heard
        self._heard = False
        yield
        self._heard = heard
        del self.notes[before:]
        self.notes.outputs.clear()
        self.notes.outputs.update(outputs)

    def named(self, value: int, stem: str) -> Symbol:
        """Return a number under the next free name with this stem."""
        name = self._free(stem)
        symbol = Symbol(value, name, origin=operands.Named(name))
        self.symbols.append(symbol)
        return symbol

    def held(self, content: bytes, parameter: str) -> str:
        """Return the name of bytes that a step gave, such as those of an output."""
        of = "" if self.process == MAIN else f"{self.process}_"
        name = self._free(f"{of}{parameter}_bytes")
        self.notes.outputs[name] = content
        return name

    def _free(self, stem: str) -> str:
        self._names[stem] = self._names.get(stem, 0) + 1
        return f"{stem}{self._names[stem]}"


def _as_it_was(told: tuple[str, str, actions.Action]) -> tuple[str, str, actions.Action]:
    return told
