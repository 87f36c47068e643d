"""Standard output and standard error, of which a part may not arrive without ending a command.

A run that was judged has its verdict, whether or not somebody reads what it prints: the output may
be closed, its reader gone, or the disk full.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Final, TextIO

#: Commands whose result is their status, and the files that they have written.
_JUDGING: Final = ("run", "check")


class _Descriptor(io.RawIOBase):
    """A file descriptor that accepts everything, and remembers why something did not arrive."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.write_error: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.number

    def isatty(self) -> bool:
        return os.isatty(self.number)

    def write(self, data: object) -> int:
        view = memoryview(data)  # type: ignore[arg-type]
        if self.write_error is None:
            try:
                return os.write(self.number, view)
            except OSError as error:
                self.write_error = error
        return view.nbytes


class StandardStreams:
    """Takes the place of `sys.stdout` and `sys.stderr`; a closed one becomes /dev/null."""

    def __init__(self) -> None:
        for number in (0, 1, 2):
            try:
                os.fstat(number)
            except OSError:
                # The lowest free number: nothing that is opened later gets it by mistake.
                os.open(os.devnull, os.O_RDWR)
        self._output, self._errors = _Descriptor(1), _Descriptor(2)
        sys.stdout = _text(self._output, sys.stdout, errors="strict")
        sys.stderr = _text(self._errors, sys.stderr, errors="backslashreplace")
        if sys.__stderr__ is None:
            sys.__stderr__ = sys.stderr  # type: ignore[misc]  # pytest asks it for its number

    def status(self, command: str, status: int) -> int:
        """Write what is left, and return the exit status of a command.

        Args:
            command: its name.
            status: what it answered.

        Returns:
            The same; 3 for one whose result is its output, if that could not be written.

        """
        for stream in (sys.stdout, sys.stderr):
            with suppress(ValueError):  # closed by whoever had it
                stream.flush()
        lost = self._output.write_error
        if lost is None or lost.errno == errno.EPIPE:
            return status  # whoever read our output has seen enough
        print(f"hsa-conformance: the output is incomplete: {lost.strerror}", file=sys.stderr)
        return status if status or command in _JUDGING else 3


def _text(raw: _Descriptor, before: TextIO | None, errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=before.encoding if before else "utf-8",
        errors=before.errors if before else errors,
        line_buffering=raw.isatty() or raw.number == 2,
        write_through=raw.number == 2,
    )
