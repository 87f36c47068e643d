"""How much memory one call may take, and one process at a time where it is much."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from hsa_conformance.engine.calls.outcomes import OverBudget

#: Which part of the free memory a call may take where nobody says how much.
SHARE: Final = 4
#: What part of that is so much that other processes wait for it to be given back.
MUCH: Final = 16


class MemoryBudget:
    """What calls may take that could succeed.

    Args:
        limit: the most that one call may take, in bytes; None for as much as there is, where an
            imitation only counts it.

    """

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self._lock: int | None = None

    def claim(self, size: int) -> None:
        """Ask for the memory of a call, and wait for others that take much.

        Args:
            size: how much it may take, in bytes.

        Raises:
            OverBudget: it is too much.

        """
        if self.limit is None:
            return
        if size > self.limit:
            given = f"the {self.limit >> 20} MiB of the memory budget"
            raise OverBudget(f"{size} bytes are more than {given}")
        if size * MUCH > self.limit and self._lock is None:
            # Any file that all processes see would do; the kernel drops the lock of a dead one.
            self._lock = os.open(__file__, os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def release(self) -> None:
        """Say that the memory of an example was given back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def free_share() -> int:
    """Return the bytes that a call may take where nobody says how many."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        name, _, size = line.partition(":")
        if name == "MemAvailable":
            return int(size.split()[0]) * 1024 // SHARE
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // SHARE
