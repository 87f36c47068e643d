"""Whether a process is over its budget, which a loaded machine lengthens."""

from __future__ import annotations

import time

from hsa_adapters.worker.calls.watch import Watch

#: Seconds by which a loaded machine lengthens a budget. Who asked waits for longer than that.
LOAD = 20.0


class CallBudget:
    """The seconds that a process has for the work it does; ask often.

    Args:
        watch: the record of that work.

    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._deadline = 0.0
        self._set_at = 0.0  # when the deadline was set

    def exceeded(self) -> bool:
        """Return whether it is used up, without the time in which processors were too few."""
        deadline = self._watch.deadline
        if not deadline:
            return False
        if deadline != self._deadline:
            self._deadline, self._set_at = deadline, queued()
        late = time.monotonic() - deadline
        return late > 0 and late > min(queued() - self._set_at, LOAD)


def queued() -> float:
    """Return for how many seconds something was ready to run on this machine, and had no processor.

    The machine is asked, not each thread: threads come and go by the hundred while many make calls.
    Where the kernel does not count, it is 0.
    """
    try:
        with open("/proc/pressure/cpu") as file:  # noqa: PTH123 - starts quickly
            return int(file.readline().rpartition("total=")[2]) / 1e6
    except (OSError, ValueError):
        return 0.0
