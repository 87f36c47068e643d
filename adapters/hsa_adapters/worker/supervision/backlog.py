"""Requests that a process does not read: it hangs, though it is in no call."""

from __future__ import annotations

import array
import fcntl
import termios
import time


class Backlog:
    """How long something has been waiting to be read.

    Args:
        source: descriptor of a pipe.
        patience: seconds that it may wait.

    """

    def __init__(self, source: int, patience: float) -> None:
        self._source = source
        self._patience = patience
        self._since: float | None = None

    def too_long(self) -> bool:
        """Return whether something was there each time for longer than that; ask often."""
        size = array.array("i", [0])
        fcntl.ioctl(self._source, termios.FIONREAD, size)
        if not size[0]:
            self._since = None
            return False
        now = time.monotonic()
        if self._since is None:
            self._since = now
        return now - self._since > self._patience
