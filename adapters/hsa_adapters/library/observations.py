"""What a library was seen to do to its processes that hinders nobody, as lines of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: What differs from process to process.
_NUMBER = re.compile(r"\d+")


class Observations:
    """Collects what is seen of the processes of a library, each kind of it once."""

    def __init__(self) -> None:
        self._called: set[str] = set()
        self._told: set[tuple[str, str]] = set()  # functions, with what they did
        self._new: list[str] = []

    def is_first(self, function: str) -> bool:
        """Return whether a function is called for the first time, and note that it is called."""
        if function in self._called:
            return False
        self._called.add(function)
        return True

    def changed(self, by: str, words: Iterable[str]) -> None:
        """Note changes of a process.

        Args:
            by: the function that made them; nothing where it may be any that was called.
            words: what it does, in the third person.

        """
        for what in words:
            line = f"The library changes its process: {by or 'one of its functions'} {what}."
            if ("", what) not in self._told:
                self._tell(by, what, line)
                self._told.add(("", what))

    def left(self, things: Iterable[tuple[str, str]]) -> None:
        """Note what processes that have ended left behind, each with what made it, if known."""
        for what, by in things:
            made = f", made by {by}" if by else ""
            self._tell("", what, f"The library leaves behind: {what}{made}.")

    def take(self) -> list[str]:
        """Return what is new since the last time."""
        new, self._new = self._new, []
        return new

    def _tell(self, by: str, what: str, line: str) -> None:
        kind = _NUMBER.sub("", what)
        if (by, kind) not in self._told:
            self._told |= {(by, kind), ("", kind)}
            self._new.append(line)
