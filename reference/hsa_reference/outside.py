"""Threads outside: they sleep in a wait, or run code of the application, which may end them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hsa_reference.native import native

Finish = Callable[[bool], None]
"""Called with whether the thread ends."""


class _Here(threading.local):
    def __init__(self) -> None:
        self.unfinished: list[Finish] = []


_HERE = _Here()


def attach(border: int) -> None:
    """Let the C library know of threads that go outside.

    Args:
        border: the address of its `struct border`; see the C file.

    """
    native().guard(border)


@contextmanager
def finishing(finish: Finish) -> Iterator[None]:
    """Call something when a block is left, be it because the thread ends outside.

    The C library cannot raise an exception then: Python's frames do not go on.
    """
    _HERE.unfinished.append(finish)
    try:
        yield
    finally:
        _HERE.unfinished.pop()
        finish(False)


def abandon() -> None:
    """Finish the blocks of this thread, which ends outside."""
    while _HERE.unfinished:
        _HERE.unfinished.pop()(True)
