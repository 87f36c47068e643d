"""Ctrl-C, kept until a place where raising it loses nothing."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_received: list[int] = []


def _note(number: int, _: object) -> None:
    _received.append(number)
    if len(_received) > 1:
        raise KeyboardInterrupt


@contextmanager
def deferred() -> Iterator[None]:
    """Note an interrupt, and raise it at the next `checkpoint` or at the end; the second at once.

    Raised anywhere, it could land in a callback of the garbage collector, where Python swallows it,
    or where Hypothesis or Python's compiler answers it with an error of their own.

    Raises:
        KeyboardInterrupt: there was an interrupt.

    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    _received.clear()
    signal.signal(signal.SIGINT, _note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    checkpoint()


def checkpoint() -> None:
    """Raise the interrupt that was noted, if there was one."""
    if _received:
        _received.clear()
        raise KeyboardInterrupt
