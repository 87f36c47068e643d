"""A run that is told to end, by whatever signal, ends in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from hsa_adapters import interrupts

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stoppable() -> Iterator[None]:
    """Take SIGTERM and SIGHUP for Ctrl-C, unless whoever started this process ignores them."""
    main = threading.current_thread() is threading.main_thread()
    before = {n: signal.getsignal(n) for n in _SIGNALS if main}
    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, interrupts.stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
