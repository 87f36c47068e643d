"""Work on threads of the runtime, after some signals and before another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from hsa_reference.core.memory.places import Places
from hsa_reference.core.signals.state import Signals
from hsa_reference.core.system import timestamp
from hsa_reference.effects import LOCK
from hsa_reference.native import ACQ_REL
from hsa_reference.state import Part, State

#: What is done. It gets the era in which it was asked for; see `Places.copy`.
Work = Callable[[int], None]


class Jobs(Part):
    """The work under way: each piece has a thread, so that none waits for another's signals.

    Attributes:
        records_times: whether the signal of work that starts now gets its times.

    """

    def __init__(self, state: State) -> None:
        self._signals = state.part(Signals)
        self._places = state.part(Places)
        self.records_times = False
        self._equal = state.registry.constants["HSA_SIGNAL_CONDITION_EQ"]

    def start(self, after: Sequence[int], work: Work, done: int) -> None:
        """Begin a piece of work. What is begun before the last hsa_shut_down ends with it.

        Args:
            after: handles of the signals that have to have been 0 before.
            work: what is done; OSError means that it failed.
            done: the handle of the signal that goes down by one, or becomes -1 when the work
                failed; 0 for none.

        """
        self._signals.hold(after)
        arguments = (tuple(after), work, done, self._places.era, self.records_times)
        threading.Thread(target=self._run, args=arguments, daemon=True).start()

    def release(self) -> None:
        """Record no times any more."""
        self.records_times = False

    def _run(
        self, after: Sequence[int], work: Work, done: int, era: int, records_times: bool
    ) -> None:
        native = self._signals.native
        native.signal_wait_all(after, [self._equal] * len(after), [0] * len(after))
        self._signals.let_go(after)
        failed = False
        start = timestamp()
        try:
            if era == self._places.era:
                work(era)
        except OSError:
            failed = True
        with LOCK:
            if era != self._places.era or done not in self._signals.by_handle:
                return
            if records_times:
                self._signals.set_times(done, start, timestamp())
            if failed:
                native.signal_store(done, -1, ACQ_REL)
            else:
                native.signal_subtract(done, 1, ACQ_REL)
