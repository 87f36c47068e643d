"""Functions that did the same harm twice, which costs too much time for a third try."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class RepeatOffenders(Generic[T]):
    """Remembers functions that a process did not survive, or that it was waited for in vain.

    A call that hangs costs its whole budget each time. The first time may be chance: a function is
    guilty after two, with no success in between.
    """

    def __init__(self) -> None:
        self._accused: set[str] = set()
        self._guilty: dict[str, T] = {}
        self._heard: set[str] = set()

    def accuse(self, function: str, evidence: T) -> None:
        """Note what a function did to a process."""
        if function in self._accused:
            self._guilty[function] = evidence
        self._accused.add(function)

    def clear(self, function: str) -> None:
        """Note that a function has done no harm to a process."""
        self._accused.discard(function)

    def hear(self, function: str) -> None:
        """Let a function do it once more, in a process whose check shows it; but only once.

        What was optional may have met it before, and shows nothing.
        """
        if function not in self._heard:
            self._guilty.pop(function, None)
        self._heard.add(function)

    def evidence(self, function: str) -> T | None:
        """Return what a function did that is guilty, None for any other."""
        return self._guilty.get(function)
