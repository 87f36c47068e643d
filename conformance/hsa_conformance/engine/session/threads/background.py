"""A call in a thread of its own, while others are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hsa_adapters.calls import Callback, Repeat
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.answers import given, result_of
from hsa_conformance.engine.calls.callback_handles import listed
from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.symbols import text
from hsa_conformance.engine.calls.values import Answer, Value
from hsa_conformance.engine.session.conversation import Conversation
from hsa_reports import actions


class Background(Conversation):
    """Makes calls in one process, of which one at a time may be under way in a thread."""

    #: Whether a thread of its own makes a call of a function; None: the first thread makes all.
    in_threads: Callable[[str], bool] | None = None
    calls_in_threads = 0  #: how many calls of the example such threads have made
    stack = 0  #: bytes of the stack of such threads; 0: as by default
    while_started: Callable[[], None] | None = None  #: what is done during such a call

    def begin(self) -> None:
        """Forget what belongs to one example; see `Host.begin`."""
        super().begin()
        self.in_threads, self.calls_in_threads = None, 0
        self.stack, self.while_started = 0, None

    def call_with(self, function: str, values: Mapping[str, Value]) -> Answer:
        """Make one call with the values in a mapping; see `call`, and `in_threads`."""
        if not self._has_thread(self.offered_api.newest(function), values):
            return super().call_with(function, values)
        self.calls_in_threads += 1
        self.start(function, values)
        if self.while_started is not None:
            self.while_started()
        return self.join()

    def _has_thread(self, function: str, values: Mapping[str, Value]) -> bool:
        """Return whether a thread of its own makes a call, which can then have no callback."""
        if self.in_threads is None or self.under_way is not None or self.meanwhile is not None:
            return False
        heard = any(isinstance(value, Callback) for value in values.values())
        return not heard and self.in_threads(function)

    def start(
        self, function: str, values: Mapping[str, Value], repeat: Repeat | None = None
    ) -> None:
        """Start a call in a thread of its own; others can be made while it is under way.

        Args:
            function: its name; it takes no callback.
            values: its arguments.
            repeat: how it is made again and again, if it is.

        Raises:
            Ended: the process did not survive it.
            Unavailable: the library has no such function.
            ProvesNothing: another one is under way.

        """
        if self.under_way is not None:
            raise ProvesNothing("a call is under way in a thread already")
        function = self.offered_api.newest(function)
        prepared = self._prepared(function, values)
        prepared.stack = self.stack
        self.count(function)
        growth = (0, 0) if repeat is None else (repeat.most, repeat.step)
        again = "" if repeat is None else f", again and again, each {text(repeat.step)} further"
        room = f" with a stack of {self.stack >> 10} KiB" if self.stack else ""
        action = actions.Start(
            function, prepared.events, *growth, prepared.event_address, self.stack
        )
        words = f"start {prepared.words} in a thread{room}{again}"
        try:
            self.process.start(prepared.call, repeat)
        except Ended as end:
            self.ended = end
            self.trace.note(words, f"{end.kind}: {end.detail}", action)
            raise
        self.trace.note(words, "under way", action)
        self.under_way = prepared

    def join(self, budget: float | None = None) -> Answer:
        """Wait for the end of the call that was started.

        Args:
            budget: seconds that this may take; None for as long as any call.

        Returns:
            What it answered. Where it was made again and again, the status is the number of calls.

        Raises:
            Ended: the process did not survive it.

        """
        prepared = self.under_way
        assert prepared is not None, "no call was started"
        function = prepared.function.name
        words = f"wait for the end of {function} in the thread"
        try:
            outcome = self.process.join(budget)
        except Ended as end:
            self.ended = end
            self.trace.note(words, f"{end.kind}: {end.detail}", actions.Join(function, None))
            raise
        self.under_way = None
        answer = self._answer(
            prepared.function,
            prepared.outputs,
            outcome,
            prepared.numbers,
            listed(prepared, outcome.callbacks, self.registry),
        )
        action = actions.Join(function, answer.status, given(answer))
        self.trace.note(words, result_of(answer), action)
        answer.step_count = self.trace.step_count
        self._remember(answer)
        return answer
