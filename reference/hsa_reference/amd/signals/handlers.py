"""The thread of a runtime that calls handlers of signals, and functions, of the application."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from functools import partial

from hsa_reference.callbacks import call_function, call_handler
from hsa_reference.core.signals.conditions import NE, meets
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import LOCK, RuntimeThread
from hsa_reference.native import SEQ_CST
from hsa_reference.objects import Listed
from hsa_reference.requests import OBJECT, ask
from hsa_reference.state import Part, State


@dataclass(frozen=True, eq=False)
class Registration:
    """A handler, and the condition of a signal that it is called for."""

    signal: int
    condition: int
    compare: int
    handler: int
    argument: int


class Handlers(Part):
    """The registered handlers, and the thread that calls them, one at a time.

    The thread starts when it is first needed and ends before the last hsa_shut_down takes anything.
    A process that was forked has none until it needs one. Meanwhile the lock of the process is not
    held, so handlers may call whatever they like.
    """

    def __init__(self, state: State) -> None:
        self._signals = state.part(Signals)
        self._registered: Listed[Registration] = Listed()
        self._functions: deque[tuple[int, int]] = deque()
        self._thread: RuntimeThread | None = None
        self._stop = threading.Event()
        self._bell = 0  # a signal of our own, which is not 0 when there is news for the thread
        self._signals.ending.append(self._forget)
        state.before_end.append(self._end)

    def register(self, registration: Registration) -> None:
        """Call a handler whenever its condition is met, until it answers false.

        Raises:
            OSError: there is no memory, or no thread.

        """
        self._start()
        self._registered.append(registration)
        self._ring()

    def call_later(self, function: int, argument: int) -> None:
        """Call a function once.

        Raises:
            OSError: there is no memory, or no thread.

        """
        self._start()
        ask(OBJECT)
        self._functions.append((function, argument))
        self._ring()

    def release(self) -> None:
        """Forget all handlers; the signals are gone."""
        self._stop.set()
        self._registered.clear()
        self._functions.clear()
        self._bell = 0

    def _start(self) -> None:
        if self._bell == 0:
            self._bell = self._signals.create(0).handle
        if self._thread is None or not self._thread.is_alive():
            self._stop = threading.Event()
            thread = RuntimeThread("HSA handlers", partial(self._work, self._stop, self._bell))
            thread.start()
            self._thread = thread

    def _ring(self) -> None:
        if self._bell:
            self._signals.native.signal_store(self._bell, 1, SEQ_CST)

    def _forget(self, signal: int) -> None:
        """Drop the handlers of a signal that ends."""
        left = [r for r in self._registered if r.signal != signal]
        if len(left) < len(self._registered):
            self._registered[:] = left
            self._ring()

    def _end(self) -> None:
        with LOCK:
            thread, self._thread = self._thread, None
            self._stop.set()
            self._ring()
        if thread is not None:
            thread.end()

    def _work(self, stop: threading.Event, bell: int) -> None:
        native = self._signals.native
        while not stop.is_set():
            native.signal_store(bell, 0, SEQ_CST)
            while self._functions and not stop.is_set():
                call_function(*self._functions.popleft())
            if stop.is_set():
                break
            with LOCK:
                registered = tuple(self._registered)
                waiting = [r.signal for r in registered]
                self._signals.hold(waiting)
            native.signal_wait_any(
                [bell, *waiting],
                [NE, *(r.condition for r in registered)],
                [0, *(r.compare for r in registered)],
            )
            self._signals.let_go(waiting)
            for registration in registered:
                if stop.is_set():
                    break
                self._look_at(registration)

    def _look_at(self, registration: Registration) -> None:
        """Call a handler if its condition is met."""
        with LOCK:
            if registration not in self._registered:
                return
            value = self._signals.native.signal_load(registration.signal, SEQ_CST)
        if not meets(value, registration.condition, registration.compare):
            return
        if not call_handler(registration.handler, value, registration.argument):
            with LOCK:
                if registration in self._registered:
                    self._registered.remove(registration)
