"""Functions that end fresh processes when an example only prepares something with them."""

from __future__ import annotations

from hsa_adapters.errors import Ended


class Deadly:
    """Remembers them, since a call that hangs costs its whole budget each time.

    One death may be chance: a function is believed to be deadly after two, one after the other.
    """

    def __init__(self) -> None:
        self._suspects: set[str] = set()
        self._known: dict[str, Ended] = {}

    def died(self, function: str, end: Ended) -> None:
        """Note that a fresh process did not survive a function."""
        if function in self._suspects:
            self._known[function] = end
        self._suspects.add(function)

    def survived(self, function: str) -> None:
        """Note that a process did."""
        self._suspects.discard(function)

    def known(self, function: str) -> Ended | None:
        """Return how a function that is known to be deadly ended a process."""
        return self._known.get(function)
