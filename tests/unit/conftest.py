"""Holds the tests of this tier to what it is: none starts a process."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

#: What Python tells an audit hook before a process is started.
STARTS = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen")

_running = False


def _refuse(event: str, _: object) -> None:
    if _running and event in STARTS:
        raise RuntimeError(f"{event}: what starts a process belongs to another tier of tests")


sys.addaudithook(_refuse)


@pytest.fixture(autouse=True)
def no_process() -> Iterator[None]:
    """Refuse to start a process while a test runs; a hook cannot be taken away."""
    global _running  # noqa: PLW0603
    _running = True
    yield
    _running = False
