"""Ends what a program has started and left behind, such as a daemon of the library in it."""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

#: A variable that all processes of a program inherit, whatever session or parent they have.
_MARK: Final = "HSA_CONFORMANCE_PROGRAM"
_SECONDS: Final = 5.0
#: How often nothing may be found before it is believed, and seconds between two looks.
_LOOKS: Final = 2
_MOMENT: Final = 0.01


@contextmanager
def ending_all(variables: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Give the environment for a program, and end every process that still has it afterwards.

    Args:
        variables: the program's own.

    """
    mark = secrets.token_hex(16)
    try:
        yield {**variables, _MARK: mark}
    finally:
        until, looks = time.monotonic() + _SECONDS, 0
        # Some may start others meanwhile, and the kernel may be unable to end one. One that is
        # executing another program has no environment for a moment, so the last look is repeated.
        while looks < _LOOKS and time.monotonic() < until:
            looks += 1
            for process in _having(f"{_MARK}={mark}".encode()):
                looks = 0
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            if looks:
                time.sleep(_MOMENT)


def _having(variable: bytes) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        # Those of other users cannot be read; one that is ending has nothing to read.
        with suppress(OSError):
            if variable in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
