"""One processor core for parent and workers, which take turns: that makes each turn cheaper."""

from __future__ import annotations

import os


class SharedCore:
    """Confines the calling thread, and what it starts from now on, to one core until released.

    Processes beside each other get different cores as far as there are enough: those of
    pytest-xdist by their number, others by their process id.
    """

    def __init__(self) -> None:
        self._before = os.sched_getaffinity(0)
        cores = sorted(self._before)
        os.sched_setaffinity(0, {cores[_turn() % len(cores)]})

    def release(self) -> None:
        """Give the thread its cores back."""
        os.sched_setaffinity(0, self._before)


def _turn() -> int:
    number = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    return int(number) if number.isdigit() else os.getpid()
