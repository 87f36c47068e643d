"""The write-ahead record: what a process is doing, in memory that its supervisor sees."""

from __future__ import annotations

import mmap
import time

_DEADLINE, _INDEX, _SERIAL, _LEAVING = range(4)
CLOSED, LOST = 1, 2


class Watch:
    """Deadline and number of the current call, written before the call is made.

    The fields are doubles in shared memory: each is written in one piece, and a small whole number
    is exact. A forked child and its parent see the same record.
    """

    def __init__(self) -> None:
        self._memory = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("d")
        self._memory[_INDEX] = -1

    def request(self, serial: int) -> None:
        """Note which request the process works on."""
        self._memory[_SERIAL] = serial

    def begin(self, index: int, budget: float) -> None:
        """Note that a call begins.

        Args:
            index: its position in its batch, or -1 for work of the worker's own.
            budget: seconds that it may take.

        """
        memory = self._memory
        memory[_INDEX] = index
        memory[_DEADLINE] = time.monotonic() + budget

    def end(self) -> None:
        """Note that the request is carried out."""
        memory = self._memory
        memory[_DEADLINE] = 0
        memory[_INDEX] = -1

    def leave(self, why: int) -> None:
        """Note that the worker itself ends the process: CLOSED, or LOST its connection."""
        self._memory[_LEAVING] = why

    @property
    def deadline(self) -> float:
        """The monotonic time in seconds when the budget is used up, or 0."""
        return self._memory[_DEADLINE]

    @property
    def index(self) -> int:
        """The position of the current call in its batch, or -1."""
        return int(self._memory[_INDEX])

    @property
    def serial(self) -> int:
        """The serial of the request that the process worked on last."""
        return int(self._memory[_SERIAL])

    @property
    def leaving(self) -> int:
        """CLOSED, LOST, or 0 while the worker means to stay."""
        return int(self._memory[_LEAVING])
