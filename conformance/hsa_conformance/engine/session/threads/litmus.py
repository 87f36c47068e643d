"""Litmus tests: a few moves that several threads make again and again at one time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hsa_adapters.errors import Ended
from hsa_adapters.moves import CallMove, Cell, Copy, Delay, Fence
from hsa_conformance.engine.calls.arguments import PreparedCall
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.session.threads.together import Together
from hsa_reports import actions


@dataclass(frozen=True)
class PlannedCall:
    """A move that is a call.

    Args:
        function: its name; it takes no callback and at most six arguments.
        values: its arguments; anything for those that cells give.
        takes: the cells that give arguments, by parameter.
        result: where its result goes; None for nowhere.

    """

    function: str
    values: Mapping[str, Value]
    takes: Mapping[str, Cell] = field(default_factory=dict)
    result: Cell | None = None


Move = Copy | Fence | Delay | PlannedCall


class Litmus(Together):
    """Makes the calls of one process, and litmus tests in it."""

    def litmus(self, threads: Sequence[Sequence[Move]], times: int) -> Sequence[float]:
        """Let each thread make its moves again and again; the model learns nothing.

        Where one thread makes the calls of all, it makes the moves of one after those of the other.

        Args:
            threads: the moves of each thread.
            times: how often it makes them.

        Returns:
            How many seconds each of them took that there was.

        Raises:
            Ended: the process did not survive them.
            Unavailable: the library has no such function.

        """
        prepared = [[self._move(move) for move in moves] for moves in threads]
        made = [
            [move.call for move in moves if isinstance(move, _PreparedMove)] for moves in prepared
        ]
        functions = tuple(call.function.name for calls in made for call in calls)
        self.count(functions[-1] if functions else "", times * len(functions))
        words = f"at one time, {times} times: " + "; ".join(
            f"thread {number}: {', '.join(map(_words, moves))}"
            for number, moves in enumerate(prepared, 1)
        )
        action = actions.Litmus(functions, times)
        plain = [
            [m.made if isinstance(m, _PreparedMove) else m for m in moves] for moves in prepared
        ]
        try:
            if self.alone:
                took = self.process.litmus([[move for moves in plain for move in moves]], times)
            else:
                with self.race():
                    took = self.process.litmus(plain, times)
        except Ended as end:
            self.ended, self.ended_together = end, True
            self.trace.note(words, f"{end.kind}: {end.detail}", action)
            raise
        self.trace.note(words, "done", action)
        return took

    def _move(self, move: Move) -> _PreparedMove | Copy | Fence | Delay:
        if isinstance(move, PlannedCall):
            function = self.offered_api.newest(move.function)
            return _PreparedMove(move, self._prepared(function, move.values))
        return move


@dataclass(frozen=True)
class _PreparedMove:
    """A call that can be made."""

    move: PlannedCall
    call: PreparedCall

    @property
    def made(self) -> CallMove:
        """Return the move as a process takes it."""
        places = {p.name: place for place, p in enumerate(self.call.function.params)}
        takes = tuple((places[name], cell) for name, cell in self.move.takes.items())
        return CallMove(self.call.call, takes, self.move.result)

    @property
    def words(self) -> str:
        """Return the move as the trace shows it."""
        shown = self.call.shown(dict.fromkeys(self.move.takes, "the next one"))
        return shown if self.move.result is None else f"note {shown}"


def _words(move: _PreparedMove | Copy | Fence | Delay) -> str:
    match move:
        case _PreparedMove():
            return move.words
        case Fence():
            return "a fence"
        case Delay():
            return "a delay"
        case Copy(source, _):
            return "store the next number" if source.each else "note what is stored there"
