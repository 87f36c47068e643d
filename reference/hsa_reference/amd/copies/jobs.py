"""Work that is done later, after some signals and before another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from hsa_reference.amd.copies.worker import Job, Worker
from hsa_reference.core.memory.places import Places
from hsa_reference.core.signals.state import Signals
from hsa_reference.core.system import timestamp
from hsa_reference.defects import report_defect
from hsa_reference.effects import LOCK
from hsa_reference.native import ACQ_REL
from hsa_reference.state import Part, State

#: What is done. It gets the era in which it was asked for; see `Places.copy`.
Work = Callable[[int], None]


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

    def start(
        self,
        after: Sequence[int],
        work: Work,
        done: int,
        is_ready: Callable[[], bool] = lambda: True,
    ) -> None:
        """Begin a piece of work. What is begun before the last hsa_shut_down ends with it.

        Args:
            after: handles of the signals that have to have been 0 before.
            work: what is done; OSError means that it failed.
            done: the handle of the signal that goes down by one, or becomes -1 when the work
                failed, or cannot be begun; 0 for none.
            is_ready: returns whether the work can begin when the signals allow it; OSError means
                that it never can.

        """
        do = partial(self._do, work, done, self._places.era, self.records_times)
        try:
            if self._worker is None or not self._worker.is_alive():
                self._worker = Worker(self._signals)
        except (OSError, RuntimeError):
            self._tell(done, failed=True)
        else:
            self._worker.add(Job(set(after), is_ready, do))

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


def _error_of(work: Work, era: int) -> Exception | None:
    """Do work, and return how it failed."""
    try:
        work(era)
    except Exception as error:
        return error
    return None
