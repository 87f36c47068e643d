"""Work that is done later, after some signals and before another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from hsa_reference.amd.copies.worker import Job, Worker
from hsa_reference.core.memory.places import Places
from hsa_reference.core.signals.state import Signals
from hsa_reference.core.system import timestamp
from hsa_reference.defects import report_defect
from hsa_reference.effects import LOCK
from hsa_reference.native import ACQ_REL
from hsa_reference.requests import OBJECT, ask
from hsa_reference.state import Part, State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer

#: What is done. It gets the era in which it was asked for; see `Places.copy`.
Work = Callable[[int], None]


class Piece(NamedTuple):
    """A piece of work.

    Args:
        work: what is done; OSError means that it failed.
        done: the handle of the signal that goes down by one, or becomes -1 when the work failed; 0
            for none.
        is_ready: returns whether the work can begin when the signals allow it; OSError means that
            it never can.

    """

    work: Work
    done: int
    is_ready: Callable[[], bool] = lambda: True


class Jobs(Part):
    """The work that was asked for, and the thread that does it, which starts with the first piece.

    Attributes:
        records_times: whether the signal of work that is asked for now gets its times.

    """

    def __init__(self, state: State) -> None:
        self._signals = state.part(Signals)
        self._places = state.part(Places)
        self._worker: Worker | None = None
        self.records_times = False
        self._signals.ending.append(self._look_again)
        state.before_end.append(self._end)

    def start(self, after: Sequence[int], *pieces: Piece) -> None:
        """Begin pieces of work. What is begun before the last hsa_shut_down ends with it.

        Args:
            after: handles of the signals that have to have been 0 before.
            pieces: of the work.

        Raises:
            OSError: there is no memory, or no thread; none of them is begun.

        """
        if self._worker is None or not self._worker.is_alive():
            self._worker = Worker(self._signals)
        for job in [self._job(after, piece) for piece in pieces]:
            self._worker.add(job)

    def _job(self, after: Sequence[int], piece: Piece) -> Job:
        ask(OBJECT)
        do = partial(self._do, piece.work, piece.done, self._places.era, self.records_times)
        return Job(set(after), piece.is_ready, do)

    def release(self) -> None:
        """Begin nothing any more, and record no times."""
        self.records_times = False
        self._stop()

    def _stop(self) -> Worker | None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()
        return worker

    def _end(self) -> None:
        with LOCK:
            worker = self._stop()
        if worker is not None:
            worker.end()

    def _look_again(self, _: int) -> None:
        if self._worker is not None:
            self._worker.ring()

    def _do(
        self, work: Work, done: int, era: int, records_times: bool, error: Exception | None
    ) -> None:
        start = timestamp()
        if error is None and era == self._places.era:
            error = _error_of(work, era)
        if error is not None and not isinstance(error, OSError):
            report_defect("a copy", error)
        with LOCK:
            if era != self._places.era:
                return
            if records_times and done in self._signals.by_handle:
                self._signals.set_times(done, start, timestamp())
            self._tell(done, failed=error is not None)

    def _tell(self, done: int, failed: bool) -> None:
        """Let a signal, if there is one, say that work is over."""
        if done not in self._signals.by_handle:
            return
        if failed:
            self._signals.native.signal_store(done, -1, ACQ_REL)
        else:
            self._signals.native.signal_subtract(done, 1, ACQ_REL)


def begin(state: State, after: Sequence[int], *pieces: Piece) -> Answer:
    """Begin pieces of work; see `Jobs.start`."""
    try:
        state.part(Jobs).start(after, *pieces)
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


def _error_of(work: Work, era: int) -> Exception | None:
    """Do work, and return how it failed."""
    try:
        work(era)
    except Exception as error:
        return error
    return None
