"""The one way in which a command says that it cannot go on."""

from __future__ import annotations


class CommandError(Exception):
    """A command cannot be carried out; the message is one line that says what to do.

    Args:
        message: the line.
        status: the exit status, 2 for wrong use and 3 for anything else.

    """

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status
