"""Framing of the messages between parent, worker and peer: one JSON value on a line.

A request is `[serial, target, operation, [arguments]]`; target 0 is the process, 1 its peer. A
reply is a line that starts with `=` (answer) or `?` (error) and the request's serial, or with `!`
and the target when that process is gone. Replies start with a newline, so that anything a library
writes into the pipe stays a line of its own.
"""

from __future__ import annotations

import json
import os
import select
from typing import Any


def _plain(value: Any) -> object:  # noqa: ANN401 - bytes or a callback
    """Return what JSON lacks as JSON: bytes in hexadecimal, a callback as its members."""
    return value.hex() if isinstance(value, bytes) else value.described


encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=_plain).encode
_decode = json.JSONDecoder().decode


def decode(text: bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the value of a line.

    Raises:
        ValueError: it is not JSON.

    """
    return _decode(text.decode("ascii"))


class Lines:
    """Lines from a descriptor.

    Args:
        descriptor: an open descriptor for reading.

    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = b""
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def wait(self) -> None:
        """Wait until there is something to read, or the end of the input."""
        if b"\n" not in self._buffer:
            self._poll.poll()

    def next(self, timeout: float | None = None) -> bytes | None:
        """Return the next line without its newline, or None at the end of the input.

        Args:
            timeout: seconds to wait for each piece of the line; None for no limit.

        Raises:
            TimeoutError: nothing came in time.
            OSError: the descriptor is not open any more.

        """
        while True:
            line, newline, rest = self._buffer.partition(b"\n")
            if newline:
                self._buffer = rest
                return line
            # What is read may not block any more: others have the same end of the pipe.
            if not self._poll.poll(None if timeout is None else timeout * 1000):
                raise TimeoutError
            chunk = os.read(self._descriptor, 1 << 16)
            if not chunk:
                return None
            self._buffer += chunk


def wait_for(descriptor: int, event: int) -> None:
    """Wait until a descriptor can be read or written, whatever its number.

    Args:
        descriptor: the descriptor.
        event: POLLIN or POLLOUT.

    """
    poll = select.poll()
    poll.register(descriptor, event)
    poll.poll()


def send(descriptor: int, data: bytes) -> None:
    """Write all of `data`, also where others who have the same end of a pipe made it non-blocking.

    Raises:
        OSError: the descriptor is closed, here or on the other side.

    """
    written = 0
    while written < len(data):
        try:
            written += os.write(descriptor, data[written:])
        except BlockingIOError:
            wait_for(descriptor, select.POLLOUT)
