"""The thread of a runtime that does pieces of work, each once its signals allow it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hsa_reference.core.signals.conditions import EQ, NE
from hsa_reference.core.signals.state import Signals
from hsa_reference.defects import report_defect
from hsa_reference.effects import LOCK, RuntimeThread
from hsa_reference.native import NO_LIMIT, SEQ_CST
from hsa_reference.undoing import undoing

#: How long it is, in nanoseconds, until what no signal tells of is looked at again.
_PAUSE = 50_000


@dataclass(eq=False)
class Job:
    """A piece of work.

    Args:
        after: handles of the signals that were not seen to be 0 yet.
        is_ready: returns whether it can begin when they were.
        do: does the work, or ends it with the error that kept it from its begin; it is never called
            by two threads at once, and raises nothing.

    """

    after: set[int]
    is_ready: Callable[[], bool]
    do: Callable[[Exception | None], None]
    error: Exception | None = None

    def is_over(self) -> bool:
        """Return whether there is nothing more to wait for; the lock of the process is held."""
        if self.after:
            return False
        try:
            return self.is_ready()
        except Exception as error:
            self.error = error
            return True


class Worker:
    """A thread that does one job at a time; none waits for the signals of another.

    The lock of the process is held by whoever calls a method.

    Args:
        signals: of the runtime.

    Raises:
        OSError: there is no memory, or no thread.

    """

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self._bell = signals.create(0).handle  # it is not 0 when there is news for the thread
        self._jobs: list[Job] = []
        self._stopped = False
        self._thread = RuntimeThread("HSA copies", self._run)
        with undoing(lambda: signals.destroy(self._bell)):
            self._thread.start()

    def is_alive(self) -> bool:
        """Return whether the thread does jobs; a process that was forked does not have it."""
        return not self._stopped and self._thread.is_alive()

    def add(self, job: Job) -> None:
        """Do a job as soon as that is possible."""
        self._signals.hold(job.after)
        self._jobs.append(job)
        self.ring()

    def ring(self) -> None:
        """Let the thread look again: a job is new, or a signal is gone."""
        if self._bell in self._signals.by_handle:
            self._signals.native.signal_store(self._bell, 1, SEQ_CST)

    def stop(self) -> None:
        """Begin no job any more; the one that is under way goes on."""
        self._stopped = True
        self.ring()

    def end(self) -> None:
        """Wait until the thread that was stopped has ended; the lock is not held."""
        self._thread.end()

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:  # ours: what nobody does any more must not be waited for
            with LOCK:
                self._stopped = True
            report_defect("copies", error)
            for job in self._jobs:
                job.do(OSError("nobody does it any more"))
        with LOCK:
            for job in self._jobs:
                self._signals.let_go(job.after)

    def _work(self) -> None:
        while not self._stopped:
            for job in self._possible():
                if not self._stopped:
                    job.do(job.error)
            self._wait()

    def _possible(self) -> list[Job]:
        """Take the jobs that can begin, in the order in which they were asked for."""
        with LOCK:
            if self._stopped:  # the bell may be somebody else's already
                return []
            self._signals.native.signal_store(self._bell, 0, SEQ_CST)
            for job in self._jobs:  # what is destroyed is waited for no longer
                self._pass(job, job.after - self._signals.by_handle.keys())
            possible: list[Job] = []
            left: list[Job] = []
            for job in self._jobs:
                (possible if job.is_over() else left).append(job)
            self._jobs = left
        return possible

    def _wait(self) -> None:
        """Wait for the bell or a signal that some job is after, or a while if that is not all."""
        with LOCK:
            if self._stopped:
                return
            after = sorted({signal for job in self._jobs for signal in job.after})
            limit = NO_LIMIT if all(job.after for job in self._jobs) else _PAUSE
        found, _ = self._signals.native.signal_wait_any(
            [self._bell, *after], [NE, *[EQ] * len(after)], [0] * (1 + len(after)), limit
        )
        if found:
            with LOCK:
                for job in self._jobs:
                    self._pass(job, job.after & {after[found - 1]})

    def _pass(self, job: Job, signals: set[int]) -> None:
        job.after -= signals
        self._signals.let_go(signals)
