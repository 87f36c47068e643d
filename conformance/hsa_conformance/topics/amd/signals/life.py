"""Handlers of signals in random sequences: several at a time, whatever becomes of other signals.

Each handler has to be called with values that meet its condition, as often as it asks for, and no
more. What a handler misses while a value lasts only for a moment is nobody's fault: a value stays
until every handler that it concerns was called.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.model import Model
from hsa_conformance.topics.amd.signals.objects import HANDLER
from hsa_conformance.topics.core.signals.life import held, hold, in_group
from hsa_conformance.topics.core.signals.state import Signal
from hsa_conformance.topics.shared.signals import MEETS, MOMENT, VALUES, becomes

_REGISTER: Final = "hsa_amd_signal_async_handler"
#: How many arguments a handler has: the value of the signal, and its own data.
_ARGUMENTS: Final = 2
_CREATE: Final = "hsa_signal_create"
_DESTROY: Final = "hsa_signal_destroy"


@dataclass(eq=False)
class Handler:
    """A registration.

    Args:
        data: what it is told apart by.
        signal: the signal that it waits for.
        condition: the number of the condition.
        operand: what values are compared with.
        asks: how many calls it asks for.

    Attributes:
        seen: the values that the signal has had meanwhile.
        due: how often the condition was met anew.
        calls: the values that it was called with.

    """

    data: int
    signal: Signal
    condition: int
    operand: int
    asks: int
    seen: set[int] = field(default_factory=set)
    due: int = 0
    calls: Sequence[int] = ()

    def meets(self, value: int) -> bool:
        """Return whether a value meets the condition."""
        return MEETS[self.condition](value, self.operand)

    def note(self, before: int | None, value: int) -> None:
        """Note a value that the signal has from now on, and what it had before."""
        self.seen.add(value)
        self.due += self.meets(value) and not (before is not None and self.meets(before))


def _handlers(model: Model, signal: Signal | None = None) -> Sequence[Handler]:
    """Return the handlers that there ever were, or those of a signal."""
    every: Sequence[Handler] = model.live("handler")
    return [handler for handler in every if signal is None or handler.signal is signal]


def _waiting(model: Model, signal: Signal) -> Sequence[Handler]:
    """Return the handlers that wait for a signal."""
    return [h for h in _handlers(model, signal) if len(h.calls) < h.asks]


def _hear(p: Player) -> None:
    """Let what other threads have called be told, with an answer to any call."""
    success = p.session.registry.constants[SUCCESS]
    with p.session.trace.paused():
        p.session.call("hsa_status_string", status=success, status_string=Out())
    for handler in _handlers(p.model):
        # Callbacks of other kinds may be told as well, of calls that came before the program.
        heard = (call for call in p.session.callback_arguments if len(call) == _ARGUMENTS)
        handler.calls = [value for value, data in heard if data == handler.data]


def register(p: Player) -> None:
    """Register a handler for a signal, which may be watched already, or meet the condition."""
    signal: Signal = p.one_of(p.model.live("signal"))
    condition, operand = p.one_of(range(len(MEETS))), p.one_of(VALUES)
    data = len(_handlers(p.model)) + 1
    handler = Handler(data, signal, condition, operand, p.one_of([1, 2, 3]))
    # Equal answers would be those of one callback: each has another number of them.
    returns = (*(1,) * (handler.asks - 1), *(0,) * handler.data)
    answer = p.call(
        _REGISTER,
        signal=signal.handle,
        cond=condition,
        value=operand,
        handler=Callback(HANDLER, returns),
        arg=handler.data,
    )
    if not answer.ok:
        return
    p.model.add("handler", data, thing=handler)
    handler.note(None, held(p.model, signal))
    _await(p, signal)


def store(p: Player) -> None:
    """Store a value, and wait for the handlers whose conditions it meets."""
    _store(p, p.one_of(p.model.live("signal")), p.one_of(VALUES))


def _store(p: Player, signal: Signal, value: int) -> None:
    for handler in _handlers(p.model, signal):
        handler.note(held(p.model, signal), value)
    hold(p.model, signal, value)
    p.session.call("hsa_signal_store_screlease", signal=signal.handle, value=value)
    _await(p, signal)


def _await(p: Player, signal: Signal) -> None:
    handlers = _handlers(p.model, signal)

    def enough() -> bool:
        _hear(p)
        return all(len(h.calls) >= min(h.asks, h.due) for h in handlers)

    becomes(enough)
    if any(h.due and not h.meets(held(p.model, signal)) for h in handlers):
        time.sleep(MOMENT)  # to meet a condition again, a value has to have been seen that does not
    for handler in handlers:
        _compare(p, handler)


def look_at_handlers(p: Player) -> None:
    """Compare what each handler was called with, after a moment for calls that must not come."""
    time.sleep(MOMENT)
    _hear(p)
    for handler in _handlers(p.model):
        _compare(p, handler)


def _compare(p: Player, handler: Handler) -> None:
    calls, due = handler.calls, min(handler.asks, handler.due)
    wrong = [v for v in calls if v not in handler.seen or not handler.meets(v)]
    words = f"a handler for condition {handler.condition} with {handler.operand:#x}"
    p.claim(f"{_REGISTER}/called-once-met").require(
        not wrong, f"{words} is called with a value that does not meet it", wrong
    )
    p.claim(f"{_REGISTER}/stops").require(
        len(calls) <= handler.asks,
        f"{words} answered false in call {handler.asks}, and is called again",
        f"{len(calls)} calls",
    )
    p.claim(f"{_REGISTER}/{'again' if due > 1 else 'called-once-met'}").require(
        len(calls) >= due, f"{words} was met {due} times", f"{len(calls)} calls"
    )


def let_end(p: Player) -> None:
    """Let all handlers come to their end, but those that no value meets that is stored here.

    A handler that is not called, where that is known to happen, stays as it is.
    """
    for signal in p.model.live("signal"):
        for handler in [h for h in _waiting(p.model, signal) if any(map(h.meets, VALUES))]:
            unmet = [v for v in VALUES if not handler.meets(v)]
            met = next(v for v in VALUES if handler.meets(v))
            calls = -1
            while calls < len(handler.calls) < handler.asks:
                calls = len(handler.calls)
                for value in [*unmet[:1], met]:
                    _store(p, signal, value)


def _idle(b: Builder) -> Sequence[int]:
    """Return the signals that may be destroyed."""
    model = b.session.model
    handles = [signal.handle for signal in model.live("signal")]
    return [handle for handle in handles if not _in_use(model, {"signal": handle})]


def _in_use(model: Model, arguments: Mapping[str, int]) -> bool:
    """Return whether a signal is in a group, or a handler waits for it."""
    signal = model.find("signal", arguments["signal"])
    return in_group(model, arguments) or bool(_waiting(model, signal))


LIFE = Life(
    clause=f"{_REGISTER}/success",
    name="sequences with handlers",
    functions=(_CREATE, _DESTROY, "hsa_signal_group_create", "hsa_signal_group_destroy"),
    openings=((_CREATE, register),),
    acts=(register, register, store, store),
    closing=(let_end,),
    looks=(look_at_handlers,),
    # The runtime waits for the signals itself, as no agent does that is named as a consumer.
    values={
        f"{_CREATE}.initial_value": lambda _: VALUES,
        f"{_CREATE}.num_consumers": lambda _: [0],
        f"{_DESTROY}.signal": _idle,
    },
    exclusions={_DESTROY: _in_use},
    examples=0.5,
)
