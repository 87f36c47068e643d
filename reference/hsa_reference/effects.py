"""The lock of the process, and the mark of the functions that do not need it."""

from __future__ import annotations

import ctypes
import errno
import os
import threading
from collections.abc import Callable

from hsa_reference.defects import report_defect
from hsa_reference.native import native
from hsa_reference.outside import finishing
from hsa_reference.requests import THREAD, ask
from hsa_reference.status import Answer

Effect = Callable[..., Answer]
"""The hand-written part of a function, after the argument check: takes the state and arguments."""

LOCK = threading.RLock()
"""Held while the state of any runtime of this process changes."""

# A thread that forks while another one holds the lock would leave the child with a lock that
# nobody gives back.
os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)

_SIGSET = 128  # bytes of C's sigset_t

_ENDED = threading.Condition(LOCK)
"""Notified when the work of a thread is over."""


class RuntimeThread(threading.Thread):
    """A thread of a runtime, for which a program that ends does not wait.

    An error of our own in it is a line on stderr.

    Args:
        name: of the thread.
        work: what it does.

    """

    def __init__(self, name: str, work: Callable[[], None]) -> None:
        super().__init__(name=name, daemon=True)
        self._work = work
        self._waits_for: RuntimeThread | None = None
        self._over = self._lost = False
        self._mask = ctypes.create_string_buffer(_SIGSET)

    def start(self) -> None:
        """Start it; no handler of a POSIX signal runs in it before it can refuse calls.

        Raises:
            OSError: the system has no thread left.

        """
        ask(THREAD)
        native().block_signals(ctypes.addressof(self._mask))
        try:
            super().start()
        except RuntimeError:
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from None
        finally:
            native().restore_signals(ctypes.addressof(self._mask))

    def run(self) -> None:
        """Do the work."""
        native().thread_begins()
        native().restore_signals(ctypes.addressof(self._mask))
        with finishing(self._finish):
            try:
                self._work()
            except Exception as error:
                report_defect(self.name, error)

    def is_alive(self) -> bool:
        """Return whether it works, or will: the application may have ended it in a callback."""
        return not self._lost and super().is_alive()

    def end(self) -> None:
        """Wait until it has ended, unless it is the one that calls, or waits for that one.

        Threads that the application has in callbacks end each other's queues so.
        """
        caller = threading.current_thread()
        with LOCK:
            last: RuntimeThread | None = self
            while last is not None and last is not caller:
                last = last._waits_for
            if last is caller:
                return
            if isinstance(caller, RuntimeThread):
                caller._waits_for = self
            # A process that was forked does not have the thread.
            _ENDED.wait_for(lambda: self._over or not self.is_alive())
            if not self._lost:
                self.join()  # which two threads of Python may not do at one time
            if isinstance(caller, RuntimeThread):
                caller._waits_for = None

    def _finish(self, lost: bool) -> None:
        with _ENDED:
            self._over, self._lost = True, lost
            _ENDED.notify_all()


_UNLOCKED: set[Effect] = set()


def unlocked(effect: Effect) -> Effect:
    """Mark an effect that reads constant data only, or calls back into the application."""
    _UNLOCKED.add(effect)
    return effect


def needs_lock(effect: Effect) -> bool:
    """Return whether the effect must run while no other one runs."""
    return effect not in _UNLOCKED
