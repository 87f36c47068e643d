"""How many descriptors the process may have."""

from __future__ import annotations

import errno
import resource
from collections.abc import Callable


def with_room(make: Callable[[], int]) -> int:
    """Return the descriptor that a function makes.

    Every block of memory has one, and many systems let a process have 1,024 unless it asks for
    more. So where there is none left, the process gets as many as it may have at most.

    Raises:
        OSError: the function failed for another reason, or there is none left then either.

    """
    try:
        return make()
    except OSError as error:
        if error.errno != errno.EMFILE or not _raise_limit():
            raise
    return make()


def _raise_limit() -> bool:
    """Return whether the process may have more descriptors than before."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == hard:
        return False
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):  # the system allows no process so many
        return False
    return True
