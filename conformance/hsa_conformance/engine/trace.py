"""The story of an example: its steps, and the names of the values in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hsa_conformance.engine.symbols import Symbol
from hsa_reports import Step, actions


class Trace:
    """What happened in one process.

    Args:
        process: what the steps call the process.
        steps: where steps go; the processes of one example share them.
        symbols: where the values that get a name are noted.

    """

    def __init__(self, process: str, steps: list[Step], symbols: list[Symbol]) -> None:
        self.process = process
        self.steps = steps
        self.symbols = symbols
        self._names: dict[str, int] = {}

    def clear(self) -> None:
        """Begin anew."""
        self.steps.clear()
        self._names.clear()

    def note(self, call: str, result: str, action: actions.Action) -> None:
        """Add a step.

        Args:
            call: what is done, in words.
            result: what came of it.
            action: the same in a form that programs are made of.

        """
        self.steps.append(Step(self.process, call, result, action))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave out what is only asked of the machine: the names of its parts say it all."""
        before = len(self.steps)
        yield
        del self.steps[before:]

    def named(self, value: int, stem: str) -> Symbol:
        """Return a number under the next free name with this stem."""
        self._names[stem] = self._names.get(stem, 0) + 1
        name = f"{stem}{self._names[stem]}"
        symbol = Symbol(value, name, origin=actions.Named(name))
        self.symbols.append(symbol)
        return symbol
