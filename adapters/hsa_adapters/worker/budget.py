"""Whether a process is over its budget: time in which it had no processor is no part of it."""

from __future__ import annotations

import contextlib
import os
import time

from hsa_adapters.worker.watch import Watch

# Seconds by which a loaded machine lengthens a budget. Who asked waits for longer than that.
_LOAD = 20.0


class Budget:
    """What a process has left for what it does; ask often.

    Args:
        watch: what the process does.

    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._deadline = 0.0
        self._queued: dict[str, float] = {}  # of each thread, when somebody asked last
        self._waited = 0.0  # seconds since the deadline was set

    def exceeded(self, pid: int) -> bool:
        """Return whether it is used up.

        Args:
            pid: the process.

        """
        deadline = self._watch.deadline
        if not deadline:
            return False
        # Threads come and go, and take their numbers with them: so they are added up each time.
        before, self._queued = self._queued, queued(pid)
        if deadline == self._deadline:
            grown = (seconds - before.get(t, 0.0) for t, seconds in self._queued.items())
            self._waited += max(grown, default=0.0)
        else:
            self._deadline, self._waited = deadline, 0.0
        return time.monotonic() - deadline > min(self._waited, _LOAD)


def queued(pid: int) -> dict[str, float]:
    """Return for how many seconds each thread of a process was ready to run, and had no processor.

    Args:
        pid: the process; nothing is known of one that is gone, or where the kernel does not count.

    """
    found = {}
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - starts quickly
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:  # noqa: PTH123
                found[thread] = int(file.read().split()[1]) / 1e9
    return found
