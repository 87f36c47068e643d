"""Threads, each on a core of its own where there are enough, or all on one."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from collections.abc import Callable, Sequence

#: PR_SET_TIMERSLACK of <linux/prctl.h>, and nanoseconds. A thread that gives way sleeps for as long
#: as that, by default 50,000: where all threads share a core, it is idle meanwhile. With much less,
#: the others do not come to run before it goes on.
_SET_TIMER_SLACK = 29
_SLACK = 15_000


def on_cores(
    work: Sequence[Callable[[], None]], patience: float | None = None, *, one: bool = False
) -> None:
    """Do each piece of work in a thread, and return when all are done.

    Args:
        work: the pieces; what the first raises that fails is raised here.
        patience: seconds, where nobody else watches the time.
        one: whether all of them share the core that this thread is on.

    Raises:
        TimeoutError: one does not end.

    """
    errors: list[BaseException] = []
    library = ctypes.CDLL(None)
    usable = [library.sched_getcpu()] if one else cores()

    def run_on_core(place: int, part: Callable[[], None]) -> None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {usable[place % len(usable)]})
        if one:
            library.prctl(_SET_TIMER_SLACK, _SLACK, 0, 0, 0)
        try:
            part()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run_on_core, args=a, daemon=True) for a in enumerate(work)]
    until = None if patience is None else time.monotonic() + patience
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(None if until is None else max(0.0, until - time.monotonic()))
        if thread.is_alive():
            raise TimeoutError
    if errors:
        raise errors[0]


def cores() -> list[int]:
    """Return the numbers of the cores that a thread may use, whichever its process is kept on."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        return sorted(os.sched_getaffinity(0))
    except OSError:
        return sorted(before)
    finally:
        os.sched_setaffinity(0, before)
