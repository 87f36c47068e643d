"""One call that is under way in a thread of its own while others are made."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

from hsa_adapters.worker.calls.executor import Executor, PlainCall, RequestError
from hsa_adapters.worker.calls.memory import Memory
from hsa_adapters.worker.threads.repetition import Repetition


class Background:
    """Starts a call in a thread, and waits for its end.

    Args:
        executor: makes the calls of this process.
        memory: the memory of this process.

    """

    def __init__(self, executor: Executor, memory: Memory) -> None:
        self._executor = executor
        self._memory = memory
        self._thread: threading.Thread | None = None
        self._reads: Sequence[tuple[int, int]] = ()
        self._repetition: Repetition | None = None
        self._result = 0
        self._error: BaseException | None = None

    def start(self, call: PlainCall, repeat: Sequence[int] | None) -> None:
        """Start a call, and return when its thread is about to make it.

        Args:
            call: as the executor takes it; callbacks are not possible where it is repeated.
            repeat: None for one call; else how many are made at most, and by how much the last
                argument grows from call to call. They end before that when they are waited for.

        Raises:
            RequestError: the call cannot be made, or another one is under way.

        """
        if self._thread is not None:
            raise RequestError("a call is under way in a thread already")
        if repeat and any(argument.__class__ is list for argument in call[1]):
            raise RequestError("a call that is repeated cannot have a callback")
        function, prepared = self._executor.prepare(call)
        arguments = self._executor.with_callbacks(prepared)
        self._reads, self._error = call[3], None
        if repeat is None:
            self._repetition = None
            work: Callable[[], Any] = lambda: function(*arguments)  # noqa: E731
        else:
            self._repetition = _repetition(function, arguments, *repeat)
            work = self._repetition.run
        begun = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(work, begun), daemon=True)
        threading.stack_size(call[7])
        self._thread.start()
        threading.stack_size(0)
        begun.wait()

    def join(
        self, patience: float | None = None
    ) -> tuple[int, int, list[bytes | None], list[list[int]]]:
        """Wait until the call has ended.

        Args:
            patience: seconds, where nobody else watches the time.

        Returns:
            Its result, 0, what was read after it, and what callbacks were called with until then;
            for repeated calls their number, and as the second member how many of them answered 0 in
            the lower 32 bits.

        Raises:
            RequestError: no call is under way.
            TimeoutError: it does not end.

        """
        thread, repetition = self._thread, self._repetition
        if thread is None:
            raise RequestError("no call is under way in a thread")
        if repetition is not None:
            repetition.stop()
        thread.join(patience)
        if thread.is_alive():
            raise TimeoutError
        self._thread = None
        if self._error is not None:
            raise self._error
        reads = [self._memory.read(*place) for place in self._reads]
        if repetition is not None:
            return repetition.made, repetition.zeros, reads, self._executor.heard()
        return self._result, 0, reads, self._executor.heard()

    def _work(self, work: Callable[[], Any], begun: threading.Event) -> None:
        # Parent and worker share a core; what is to overlap with other calls needs another one.
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, range(os.cpu_count() or 1))
        begun.set()
        try:
            self._result = work() or 0
        except BaseException as error:
            self._error = error


def _repetition(
    function: Callable[..., Any], arguments: Sequence[int], most: int, step: int
) -> Repetition:
    if len(arguments) > 2:
        raise RequestError("only a function of at most two arguments can be repeated")
    return Repetition(function, arguments, step, most)
