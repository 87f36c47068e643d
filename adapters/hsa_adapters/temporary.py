"""Temporary folders of which nothing is left, even where a run is killed.

A folder is locked by the process that made it. The kernel drops the lock of a process that dies, so
whoever can lock a folder later may remove it; each new folder begins with that.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

PREFIX = ".hsa-conformance-owned-"

# What the standard library appends to a prefix.
_NAME = re.compile(re.escape(PREFIX) + r"[a-z0-9_]{8}")


class TemporaryFolder:
    """A folder for temporary files that is removed when it is closed.

    Args:
        parent: where to make it; by default where temporary files go.

    Attributes:
        path: the folder.

    Raises:
        OSError: it cannot be made.

    """

    def __init__(self, parent: Path | None = None) -> None:
        place = Path(tempfile.gettempdir()) if parent is None else parent
        remove_abandoned(place)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
            lock = _locked(self.path)
            if lock is not None:
                self._lock: int = lock
                return
            # Somebody took it for abandoned before it was locked, and removes it.

    def close(self) -> None:
        """Remove the folder and all that is in it."""
        if self._lock >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def remove_abandoned(parent: Path) -> None:
    """Remove the folders in a folder whose owners have died."""
    for path in _folders(parent):
        lock = _locked(path)
        if lock is not None:
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)


def _folders(parent: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)


def _locked(path: Path) -> int | None:
    """Return a descriptor that locks a folder; None where another has it, or it is gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), path.stat()):
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None
