"""The outputs of several words that processes leave, and where those are that they share."""

from __future__ import annotations


class Outputs:
    """The outputs of more than eight bytes that the processes left, and those that are shared.

    Attributes:
        givers: the process that left each, and its size, by name.
        shared: the places of those that another process uses.

    """

    def __init__(self) -> None:
        self.givers: dict[str, tuple[str, int]] = {}
        self.shared: dict[str, int] = {}
        self._end = 0

    def share(self, name: str) -> None:
        """Give an output a place in memory that processes share."""
        if name not in self.shared:
            self.shared[name] = self._end
            self._end += -(-self.givers[name][1] // 16) * 16
