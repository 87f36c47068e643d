"""Which queues of an agent have a dispatch under way that uses scratch, and how much of it."""

from __future__ import annotations

from threading import Condition

from hsa_reference.effects import LOCK


class Scratch:
    """The scratch of an agent, which its executor gives to dispatches."""

    def __init__(self) -> None:
        self._used: dict[int, int] = {}
        self._changed = Condition(LOCK)

    def use(self, queue: int, size: int) -> None:
        """Note that the dispatch of a queue that is under way uses so many bytes."""
        with self._changed:
            self._used[queue] = size

    def leave(self, queue: int) -> None:
        """Note that no dispatch of a queue is under way."""
        with self._changed:
            if self._used.pop(queue, None) is not None:
                self._changed.notify_all()

    def wait(self, limit: int) -> None:
        """Wait until no dispatch under way uses more than some bytes."""
        with self._changed:
            self._changed.wait_for(lambda: all(size <= limit for size in self._used.values()))
