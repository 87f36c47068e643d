"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class CommandResult(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str


#: Runs a command with some words.
Command = Callable[..., CommandResult]
