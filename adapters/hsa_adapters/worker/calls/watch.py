"""The write-ahead record: what a process is doing, in memory that its supervisor sees."""

from __future__ import annotations

import mmap
import time

from hsa_adapters.worker.calls.machine_code import address

_DEADLINE, _INDEX, _SERIAL, _LEAVING, _RETURNED, _LIMITED, _ERROR, _MARK = range(8)
CLOSED, LOST, HINDERED, OVERWRITTEN = 1, 2, 3, 4
#: Stands in each record for as long as the library does not write there.
_INTACT = 0.1

#: Where the records of threads begin, in bytes, and how far a stack may have grown, in bytes.
_THREADS, _STACK = 64, 4 << 20


class Watch:
    """Deadline and number of the current call, written before the call is made.

    The fields are doubles in shared memory: each is written in one piece, and a small whole number
    is exact. A forked child and its parent see the same record. Behind them are two words for each
    thread that makes calls beside others: the number of its call from 1, 0 for none, and where its
    stack was before the call.
    """

    LANES = 64

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)
        self._address = address(self._page)
        self._memory = memoryview(self._page).cast("d")
        self._lanes = memoryview(self._page)[_THREADS : _THREADS + 16 * self.LANES].cast("Q")
        self.renew()

    def renew(self) -> None:
        """Begin the record, or begin it again where something else has written into it."""
        self._page[:] = bytes(mmap.PAGESIZE)
        self._memory[_INDEX] = -1
        self._memory[_MARK] = _INTACT

    def request(self, serial: int) -> None:
        """Note which request the process works on."""
        self._memory[_SERIAL] = serial
        self._memory[_RETURNED] = False

    def begin(self, index: int, budget: float) -> None:
        """Note that a call begins.

        Args:
            index: its position in its batch, or -1 for work of the worker's own.
            budget: seconds that it may take.

        """
        memory = self._memory
        memory[_INDEX] = index
        memory[_DEADLINE] = time.monotonic() + budget

    def limited(self) -> None:
        """Note that a call of this request is the first to change what the process may take."""
        self._memory[_LIMITED] = self._memory[_LIMITED] or self._memory[_SERIAL]

    def returned(self, budget: float) -> None:
        """Note that the last call of the request has returned, and only its answer is left to give.

        A process that cannot answer any more owes that to this call.

        Args:
            budget: seconds that it may take to answer.

        """
        self._memory[_RETURNED] = True
        self._memory[_DEADLINE] = time.monotonic() + budget

    def end(self) -> None:
        """Note that the request is carried out."""
        memory = self._memory
        memory[_DEADLINE] = 0
        memory[_INDEX] = -1

    def lane(self, place: int) -> int:
        """Return the address of the two words of a thread."""
        return self._address + _THREADS + 16 * place

    def enter(self, place: int, number: int) -> None:
        """Note which call a thread makes, from 1, or 0 for none; machine code does it itself."""
        self._lanes[2 * place] = number

    def under_way(self) -> int | None:
        """Return the position of the first call that threads are in, among those of all threads.

        Returns:
            None where no thread makes one.

        """
        return min((position for position, _ in self._lanes_in_calls()), default=None)

    def caller(self, stack: int) -> int | None:
        """Return the position of the call that the thread with a certain stack is in.

        Args:
            stack: the address in its stack register.

        Returns:
            None where no thread that makes a call has its stack there.

        """
        tops = ((top, position) for position, top in self._lanes_in_calls())
        own = min(((t, p) for t, p in tops if stack <= t < stack + _STACK), default=None)
        return own and own[1]

    def _lanes_in_calls(self) -> list[tuple[int, int]]:
        """Return the position of each call that a thread is in, and where its stack is."""
        numbers, stacks = self._lanes[::2].tolist(), self._lanes[1::2].tolist()
        return [(n - 1, s) for n, s in zip(numbers, stacks) if n]  # noqa: B905 - Python 3.9

    def leave(self, why: int, error: int = 0) -> None:
        """Note that the worker itself ends the process.

        Args:
            why: CLOSED as it was asked to, LOST its connection, HINDERED in its own work, or with
                the record OVERWRITTEN by the call that it names.
            error: the errno by which it was hindered, if there is one.

        """
        self._memory[_LEAVING] = why
        self._memory[_ERROR] = error

    @property
    def is_overwritten(self) -> bool:
        """Whether something else has written into the record, which tells nothing then."""
        return self._memory[_MARK] != _INTACT

    @property
    def deadline(self) -> float:
        """The monotonic time in seconds when the budget is used up, or 0."""
        return self._memory[_DEADLINE]

    @property
    def index(self) -> int:
        """The position of the current call in its batch, or -1."""
        return int(self._memory[_INDEX])

    @property
    def has_returned(self) -> bool:
        """Whether that call has returned, so that the process was about to answer."""
        return bool(self._memory[_RETURNED])

    @property
    def limiting(self) -> int:
        """The serial of the request that first changed what the process may take, or 0."""
        return int(self._memory[_LIMITED])

    @property
    def serial(self) -> int:
        """The serial of the request that the process worked on last."""
        return int(self._memory[_SERIAL])

    @property
    def leaving(self) -> int:
        """CLOSED, LOST, HINDERED, OVERWRITTEN, or 0 while the worker means to stay."""
        return int(self._memory[_LEAVING])

    @property
    def error(self) -> int:
        """The errno that hindered the worker in its own work, or 0."""
        return int(self._memory[_ERROR])
