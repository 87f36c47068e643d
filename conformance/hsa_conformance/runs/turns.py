"""Turns of the processes of a run, where threads make calls at one time.

Clauses about threads come last, but for threads of Python, which take turns by themselves. While
their threads make calls at one time in one process, they do in no other one; what leads up to that,
and is most of the work, goes on in all of them.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from hsa_adapters.temporary import TemporaryFolder
from hsa_conformance.engine.running.choice.checks import takes_threads
from hsa_conformance.engine.topic import Topics
from hsa_conformance.selection.durations import REFERENCE, Duration, durations
from hsa_spec import Clause

#: How many clauses are judged first, whatever they take.
FIRST_CLAUSES: Final = 20
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

    def in_order(self, clauses: Sequence[Clause], subject: str) -> list[Clause]:
        """Return clauses in the order in which they are judged.

        A few are at the front as they come, so that there are verdicts soon. The others follow by
        how long they take, so that no process is left with a long one at the end.

        Args:
            clauses: the clauses.
            subject: the kind of what is under test; see `selection.durations`.

        """
        known, unknown = durations(subject), Duration(0, 0.0)
        waits = subject != REFERENCE
        late = {c.id for c in clauses if waits and takes_threads(c, self._topics)}
        soon = [c.id for c in clauses if c.id not in late][:FIRST_CLAUSES]

        def rank(clause: Clause) -> tuple[bool, bool, int]:
            if clause.id in soon:
                return False, False, soon.index(clause.id)
            return clause.id in late, True, -known.get(clause.id, unknown).whole

        return sorted(clauses, key=rank)

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
