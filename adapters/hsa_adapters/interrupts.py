"""What stops a run, kept until a place where it loses nothing: Ctrl-C, or the end of its time."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_received: list[int] = []
_deferring: list[bool] = []
_limits: Final[list[Callable[[], bool]]] = []  # the innermost comes last


class TimeIsUp(BaseException):
    """What is done takes longer than it may; not an Exception, as KeyboardInterrupt is none."""


def stop(number: int, _: object) -> None:
    """Handle a signal that asks for what Ctrl-C asks for.

    Raises:
        KeyboardInterrupt: nobody has put it off, or this is the second.

    """
    if not _deferring:
        raise KeyboardInterrupt
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
    if not main or _deferring:
        yield
        return
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    _received.clear()
    _deferring.append(True)
    if usual:
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        _deferring.clear()
    _raise_noted()


@contextmanager
def limited(over: Callable[[], bool]) -> Iterator[None]:
    """Let each `checkpoint` raise TimeIsUp once a time is over.

    Args:
        over: whether it is.

    """
    _limits.append(over)
    try:
        yield
    finally:
        _limits.pop()


def checkpoint() -> None:
    """Raise the interrupt that was noted, if there was one, or TimeIsUp once the time is over."""
    _raise_noted()
    if _limits and _limits[-1]():
        raise TimeIsUp


def _raise_noted() -> None:
    if _received:
        _received.clear()
        raise KeyboardInterrupt
