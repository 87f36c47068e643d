"""Message passing, the litmus test of release and acquire, through a signal.

One thread leaves a number and then sends a message; the other one receives it and looks for the
number. Messages are all different, so each is known by its value, and numbers grow. The function
under test sends or receives. What the other thread does instead is known to be right: a relaxed
call, and a fence of the processor between that and the number.

The number is left in memory, or in another signal by a relaxed call. A processor may keep stores in
memory in order by itself, so a signal shows more: a library may put off what a relaxed store does,
or give again what a relaxed load has found once, until something orders them. What the thread that
is known to be right does with that signal reads and writes at once, which cannot be put off.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hsa_adapters.moves import Cell, Copy, Delay, Fence
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.litmus import Move, PlannedCall
from hsa_conformance.topics.core.signals.pace import MOST

_WORD: Final = 1 << 64
_APART: Final = 256  # bytes between what threads share, so that each is on its own in a cache
#: What sets a signal, whatever was there.
_SETTING: Final = ("store", "silent_store", "exchange")


#: What columns hold: the numbers from 1 on, what makes messages, what was guessed, seen and found.
_NUMBERS, _OPERANDS, GUESSED, SEEN, _FOUND = range(5)
#: Bytes that a room takes.
SIZE: Final = 4 * _APART + 5 * 8 * MOST


@dataclass(frozen=True)
class Room:
    """Where threads keep what they read and write.

    Args:
        address: of `SIZE` bytes.

    """

    address: int

    def shared(self, place: int) -> Cell:
        """Return eight bytes with nothing beside them."""
        return Cell(self.address + _APART * place)

    def column(self, place: int) -> Cell:
        """Return eight bytes for each message."""
        return Cell(self.address + 4 * _APART + 8 * MOST * place, each=True)


@dataclass(frozen=True)
class RoundResult:
    """What came of a round.

    Args:
        pairs: of messages that were received, the number left before it was sent, and the one that
            was found behind it.
        met: how many different ones were received while there were others to come.
        of: how many were sent.
        took: how many seconds the thread that sends took, and the one that receives.

    """

    pairs: Sequence[tuple[int, int]]
    met: int
    of: int
    took: Sequence[float]

    @property
    def early(self) -> list[tuple[int, int]]:
        """The messages that came before the number that was left before them."""
        return [(left, found) for left, found in self.pairs if found < left]


@dataclass(frozen=True)
class Round:
    """Messages through one signal.

    Args:
        session: the process.
        room: where numbers are.
        signal: what messages go through.
        other: the signal that numbers are left in; None for memory.
        base: the value of the signal between messages.
        operands: what operations make messages of.
        values: the messages, as numbers of 64 bits without a sign.
        delays: how long each thread waits behind each message, as `Delay` has it.

    """

    session: Session
    room: Room
    signal: int
    other: int | None
    base: int
    operands: Sequence[int]
    values: Sequence[int]
    delays: Sequence[int]

    @property
    def times(self) -> int:
        """How many messages there are."""
        return len(self.values)

    def sending(self, function: str, operation: str) -> RoundResult:
        """Let a function send; what it does with the signal is an operation such as "add"."""
        reset = [] if operation in _SETTING else [self.relaxed("exchange", value=self.base)]
        values = {"expected": self.base} if operation == "cas" else {}
        send = self._operate(function, **values)
        receive = self.relaxed("load", result=SEEN)
        look = self._look("cas", expected=-1, value=-1)
        return self._received([*reset, self._leave("store"), send], [receive, Fence(), look])

    def receiving(self, moves: Sequence[Move], *, guessed: bool = False) -> RoundResult:
        """Let a function receive whose moves tell the value, in the column `SEEN`.

        Args:
            moves: the call, and what comes before it and behind it.
            guessed: whether only that counts which is in the column `GUESSED` as well.

        """
        send = self._operate("hsa_signal_store_relaxed")
        return self._received(
            [self._leave("exchange"), Fence(), send], [*moves, self._look("load")], guessed=guessed
        )

    def meeting(self, function: str) -> RoundResult:
        """Let a function receive that does not tell the value: who sends finds what it made of it.

        Where one operation alone came between two exchanges, it is known by its operand.
        """
        send = self.relaxed("exchange", value=self.base, result=SEEN)
        receive = self._operate(function)
        took = self._make([self._leave("exchange"), Fence(), send], [receive, self._look("load")])
        seen, found = self._told(SEEN), self._told(_FOUND)
        by_value = {value: place for place, value in enumerate(self.values)}
        met = [(n, by_value[value]) for n, value in enumerate(seen) if n and value in by_value]
        return RoundResult([(n, found[place]) for n, place in met], len(met), self.times, took)

    def relaxed(self, operation: str, result: int | None = None, **values: Value) -> PlannedCall:
        """Return a relaxed call on the signal, whose result goes into a column."""
        to = None if result is None else self.room.column(result)
        return PlannedCall(
            f"hsa_signal_{operation}_relaxed", {"signal": self.signal, **values}, result=to
        )

    def _operate(self, function: str, **values: Value) -> PlannedCall:
        """Return a call that makes one message after the other."""
        given = {"signal": self.signal, "value": 0, **values}
        return PlannedCall(function, given, {"value": self.room.column(_OPERANDS)})

    def _received(
        self, sender: Sequence[Move], receiver: Sequence[Move], *, guessed: bool = False
    ) -> RoundResult:
        took = self._make(sender, receiver)
        seen, found = self._told(SEEN), self._told(_FOUND)
        right = self._told(GUESSED) if guessed else seen
        by_value = {value: number for number, value in enumerate(self.values, 1)}
        pairs = [
            (by_value[value], number)
            for value, guess, number in zip(seen, right, found, strict=True)
            if value == guess and value in by_value
        ]
        return RoundResult(pairs, len({n for n, _ in pairs} - {self.times}), self.times, took)

    def _make(self, sender: Sequence[Move], receiver: Sequence[Move]) -> Sequence[float]:
        """Let two threads make their moves for each message; return the seconds each took."""
        process, room, times = self.session.process, self.room, self.times
        process.write(room.address, bytes(4 * _APART))
        for n, numbers in ((_NUMBERS, range(1, times + 1)), (_OPERANDS, self.operands)):
            process.write(room.column(n).address, struct.pack(f"<{times}Q", *numbers))
        moves = zip((sender, receiver), self.delays, strict=True)
        return self.session.litmus([[*each, Delay(count)] for each, count in moves], times)

    def _told(self, column: int) -> Sequence[int]:
        """Return what stands in a column."""
        size = 8 * self.times
        content = self.session.process.read(self.room.column(column).address, size)
        return struct.unpack(f"<{self.times}Q", content or bytes(size))

    def _leave(self, operation: str) -> Move:
        numbers = self.room.column(_NUMBERS)
        if self.other is None:
            return Copy(numbers, self.room.shared(0))
        values = {"signal": self.other, "value": 0}
        return PlannedCall(f"hsa_signal_{operation}_relaxed", values, {"value": numbers})

    def _look(self, operation: str, **values: Value) -> Move:
        found = self.room.column(_FOUND)
        if self.other is None:
            return Copy(self.room.shared(0), found)
        return PlannedCall(
            f"hsa_signal_{operation}_relaxed", {"signal": self.other, **values}, result=found
        )
