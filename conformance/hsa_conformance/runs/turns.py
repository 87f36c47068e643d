"""Turns of the processes of a run, where threads make calls at one time.

Clauses about threads come last. While their threads make calls at one time in one process, they do
in no other one; what leads up to that, and is most of the work, goes on in all of them.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from hsa_adapters.temporary import TemporaryFolder
from hsa_conformance.engine.choice import takes_threads
from hsa_conformance.engine.topic import Topics
from hsa_spec import Clause

_FILE: Final = "hsa_turns"


class Turns:
    """Whose turn it is, among the processes of a run.

    Args:
        topics: what the suite knows of the API.
        told: what this process of pytest-xdist was told; None where it is none.

    """

    def __init__(self, topics: Topics, told: Mapping[str, str] | None) -> None:
        self._topics = topics
        self._folder: TemporaryFolder | None = None
        self._lock = None if told is None else os.open(told[_FILE], os.O_CREAT | os.O_CLOEXEC)

    def tell(self, node: object) -> None:
        """Tell a process of pytest-xdist what it has to lock."""
        self._folder = self._folder or TemporaryFolder()
        node.workerinput[_FILE] = str(self._folder.path / "turn")  # type: ignore[attr-defined]

    def close(self) -> None:
        """Leave no file behind."""
        if self._lock is not None:
            os.close(self._lock)
        if self._folder is not None:
            self._folder.close()

    def in_order(self, clauses: Sequence[Clause]) -> list[Clause]:
        """Return clauses in the order in which they are judged."""
        return sorted(clauses, key=lambda clause: takes_threads(clause, self._topics))

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other process has its turn, and have it."""
        if self._lock is None:
            yield
            return
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
