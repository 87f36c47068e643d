"""Random sequences with handlers of signals: several at a time, whatever becomes of other signals.

Each handler has to be called with values that meet its condition, as often as it asks for, and no
more. What a handler misses while a value lasts only for a moment is nobody's fault: a value stays
until every handler that it concerns was called.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.sequences import Actor, Rule, play
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.signals.objects import HANDLER
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.signals import MEETS, MOMENT, VALUES, becomes

_REGISTER: Final = "hsa_amd_signal_async_handler"


@dataclass(eq=False)
class Watched:
    """A signal, what it holds, and who watches it."""

    handle: int
    value: int
    handlers: list[Handler] = field(default_factory=list)


@dataclass(eq=False)
class Handler:
    """A registration.

    Args:
        data: what it is told apart by.
        condition: the number of the condition.
        operand: what values are compared with.
        asks: how many calls it asks for.

    Attributes:
        seen: the values that the signal has had meanwhile.
        due: how often the condition was met anew.

    """

    data: int
    condition: int
    operand: int
    asks: int
    seen: set[int] = field(default_factory=set)
    due: int = 0

    def meets(self, value: int) -> bool:
        """Return whether a value meets the condition."""
        return MEETS[self.condition](value, self.operand)

    def note(self, before: int | None, value: int) -> None:
        """Note a value that the signal has from now on, and what it had before."""
        self.seen.add(value)
        self.due += self.meets(value) and not (before is not None and self.meets(before))


class Player(Actor):
    """The process: its signals, the groups of them, and all handlers that there ever were."""

    def __init__(self, session: Session, draw: Draw, judge: Judge) -> None:
        super().__init__(session, draw, judge, wrong=False)
        self.signals: list[Watched] = []
        self.groups: list[tuple[int, Sequence[Watched]]] = []
        self.handlers: list[Handler] = []

    def calls(self, handler: Handler) -> list[int]:
        """Return the values that a handler was called with."""
        return [value for value, *_, data in self.session.heard if data == handler.data]

    def hear(self) -> None:
        """Let what other threads have called be told, with an answer to any call."""
        success = self.session.registry.constants[SUCCESS]
        with self.session.trace.paused():
            self.session.call("hsa_status_string", status=success, status_string=Out())


def create(p: Player) -> None:
    """Create a signal."""
    value = p.one_of(VALUES)
    answer = p.call(
        "hsa_signal_create", initial_value=value, num_consumers=0, consumers=0, signal=Out()
    )
    if answer.ok:
        p.signals.append(Watched(answer["signal"], value))


def register(p: Player) -> None:
    """Register a handler for a signal, which may be watched already, or meet the condition."""
    signal = p.one_of(p.signals)
    condition, operand = p.one_of(range(len(MEETS))), p.one_of(VALUES)
    handler = Handler(len(p.handlers) + 1, condition, operand, p.one_of([1, 2, 3]))
    # Equal answers would be those of one callback: each has another number of them.
    returns = (*(1,) * (handler.asks - 1), *(0,) * handler.data)
    p.call(
        _REGISTER,
        signal=signal.handle,
        cond=condition,
        value=operand,
        handler=Callback(HANDLER, returns),
        arg=handler.data,
    )
    p.handlers.append(handler)
    signal.handlers.append(handler)
    handler.note(None, signal.value)
    _await(p, signal)


def store(p: Player) -> None:
    """Store a value, and wait for the handlers whose conditions it meets."""
    _store(p, p.one_of(p.signals), p.one_of(VALUES))


def _store(p: Player, signal: Watched, value: int) -> None:
    for handler in signal.handlers:
        handler.note(signal.value, value)
    signal.value = value
    p.session.call("hsa_signal_store_screlease", signal=signal.handle, value=value)
    _await(p, signal)


def _await(p: Player, signal: Watched) -> None:
    def enough() -> bool:
        p.hear()
        return all(len(p.calls(h)) >= min(h.asks, h.due) for h in signal.handlers)

    becomes(enough)
    if any(h.due and not h.meets(signal.value) for h in signal.handlers):
        time.sleep(MOMENT)  # to meet a condition again, a value has to have been seen that does not
    for handler in signal.handlers:
        _compare(p, handler)


def group(p: Player) -> None:
    """Create a group of signals."""
    signals = p.shuffled(p.signals)[: p.one_of([1, 2, 3])]
    agents = [agent.handle for agent in known_agents(p)]
    if not signals or not p.session.offers("hsa_signal_group_create"):
        raise CannotMake("there is nothing to make a group of")
    answer = p.session.call(
        "hsa_signal_group_create",
        num_signals=len(signals),
        signals=handle_array([s.handle for s in signals]),
        num_consumers=len(agents),
        consumers=handle_array(agents),
        signal_group=Out(),
    )
    if answer.ok:
        p.groups.append((answer["signal_group"], signals))


def ungroup(p: Player) -> None:
    """Destroy a group; the signals in it are watched on."""
    handle, _ = gone = p.one_of(p.groups)
    p.groups.remove(gone)
    p.call("hsa_signal_group_destroy", signal_group=handle)


def destroy(p: Player) -> None:
    """Destroy a signal that no handler waits for any more, and that is in no group."""
    grouped = [signal for _, signals in p.groups for signal in signals]
    _destroy(p, p.one_of([s for s in p.signals if s not in grouped and not _open(p, s)]))


def _destroy(p: Player, signal: Watched) -> None:
    p.signals.remove(signal)
    p.call("hsa_signal_destroy", signal=signal.handle)


def _open(p: Player, signal: Watched) -> Sequence[Handler]:
    """Return the handlers that wait for a signal."""
    return [h for h in signal.handlers if len(p.calls(h)) < h.asks]


def look(p: Player) -> None:
    """Compare what each handler was called with, after a moment for calls that must not come."""
    time.sleep(MOMENT)
    p.hear()
    for handler in p.handlers:
        _compare(p, handler)


def _compare(p: Player, handler: Handler) -> None:
    calls, due = p.calls(handler), min(handler.asks, handler.due)
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


def _end(p: Player) -> None:
    """Let all handlers come to their end, and give everything back."""
    for signal in p.signals:
        while waiting := _open(p, signal):
            handler = waiting[0]
            met = [v for v in VALUES if handler.meets(v)]
            unmet = [v for v in VALUES if not handler.meets(v)]
            if not met:
                return  # nothing that is stored here meets it, and its signal has to live
            for value in [*unmet[:1], met[0]]:
                _store(p, signal, value)
    look(p)
    while p.groups:
        ungroup(p)
    while p.signals:
        _destroy(p, p.one_of(p.signals))
    look(p)


_RULES: Final[Sequence[Rule[Player]]] = (
    *2 * (create, destroy),
    *4 * (register, store),
    *(group, ungroup, look),
)


def machine_checks(judge: Judge, _: frozenset[str], steps: int) -> list[Check]:
    """Return the check that plays random sequences; see `hsa_conformance.engine.topic`."""

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        player = Player(session, draw, judge)
        play(draw, [player], _RULES, steps, [(create, player), (register, player)])
        _end(player)
        counts.satisfied += 1

    return [
        Check(f"{_REGISTER}/success", "sequences with handlers", body, examples=0.5, stepwise=True)
    ]
