"""What a check holds of one process: its calls, its example, and the second process beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hsa_adapters.calls import Outcome
from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Process
from hsa_conformance.engine.calls import recording
from hsa_conformance.engine.calls.memory_budget import MemoryBudget
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.symbols import Symbol, text
from hsa_conformance.engine.calls.trace import MAIN, Notes
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.judging.judge import Expectation
from hsa_conformance.engine.library.census import Quota
from hsa_conformance.engine.library.offered_api import OfferedApi
from hsa_conformance.engine.library.stable_answers import StableAnswers, question
from hsa_conformance.engine.library.topology import Topology
from hsa_conformance.engine.session.axes import Axes
from hsa_conformance.engine.session.repeat_offenders import RepeatOffenders
from hsa_conformance.engine.session.state_rules import StateRules
from hsa_conformance.engine.session.threads.litmus import Litmus
from hsa_reports import actions, operands
from hsa_spec import DecidedBy, Registry

T = TypeVar("T")

#: Asks an initialised process what every topic needs to know of its machine.
Discover = Callable[["Session"], None]


@dataclass(frozen=True)
class Interlude:
    """What is done before or after the next calls of a function.

    Args:
        function: the function; None for any.
        act: does it; gets the arguments of the call.
        times: with how many calls, as far as there are as many.
        after: whether it comes after the calls, those that succeed.

    """

    function: str | None
    act: Callable[[Mapping[str, Value]], None]
    times: int = 1
    after: bool = False


class Session(Litmus):
    """Drives one process, through one example after another.

    Args:
        process: the process, which this session does not own.
        registry: the specification.
        rules: what calls change, and how conditions are answered.
        discover: asks the machine, once the runtime is initialised.
        name: what the trace calls the process.
        notes: where the steps of the trace are noted; a peer's session shares its owner's.
        fatal: functions that end fresh processes when they are only set-up; shared by the sessions
            of a pool.
        exports: the functions that the library exports; None for all of the registry's.
        offered_api: what may be called; None for everything.
        stable_answers: what other processes were asked; shared by the sessions of a pool.

    """

    def __init__(
        self,
        process: Process,
        registry: Registry,
        rules: StateRules,
        discover: Discover,
        name: str = MAIN,
        notes: Notes | None = None,
        fatal: RepeatOffenders[Ended] | None = None,
        exports: frozenset[str] | None = None,
        stable_answers: StableAnswers | None = None,
        offered_api: OfferedApi | None = None,
    ) -> None:
        notes = Notes() if notes is None else notes
        super().__init__(process, registry, rules, name, notes, fatal, exports, offered_api)
        self.discover = discover
        self.stable_answers = StableAnswers() if stable_answers is None else stable_answers
        self.expected: Expectation | None = None  # of the call under test, should it end here
        self.axes = Axes()  # what the example was made with, value by value
        self.made: list[Any] = []  # the examples that ran here, for whom makes them again
        self.deciders: set[DecidedBy | None] = set()  # of what it looked at; None: by the clause
        self.turn = 0  # how many places further on one of several options is chosen
        self.least = 0  # bytes that blocks of memory have at least, in the second process, too
        self.skipped_clauses: Collection[
            str
        ] = ()  # clauses that a sequence need not break once more
        self.topology = Topology(())  # what the driver tells of the machine
        self.listed: Counter[str] = Counter()  # the agents that the library lists, by their kind
        self.expected_agents: Mapping[str, Quota] = {}  # those that it has to list
        self.memory = MemoryBudget(None)  # what calls may take
        self.length = 0.0  # seconds that what takes long may take
        self.runs_kernels = True  # an imitated machine may have nothing that runs them
        # Kinds of objects that are unknown, and why.
        self.missing_kinds: dict[str, Blocked | Unavailable] = {}
        self._learning = False
        self._interlude: Interlude | None = None
        self._had_interlude = False
        self._peer: Session | None = None

    def begin(self) -> None:
        """Forget what belongs to one example; see `Host.begin`."""
        super().begin()
        self.expected = None
        self.axes = Axes()
        self.deciders = set()
        self.turn = 0
        self.least = 0
        self._interlude = None
        self._peer = None

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Do once more what the example has done: the trace and the choices have it already.

        Where the process ends, or the work is not done, the trace has what led there.
        """
        axes, symbols, used = self.axes, len(self.symbols), self.scratch.used
        self.axes = Axes(axes.pins)
        try:
            with self.trace.paused():
                yield
        finally:
            self.axes = axes
        del self.symbols[symbols:]
        self.scratch.take_back(used)

    @contextmanager
    def turned(self, places: int) -> Iterator[None]:
        """Choose other options for equal choices: those so many places further on."""
        before, self.turn = self.turn, places
        try:
            yield
        finally:
            self.turn = before

    # what every process answers alike

    def call_with(self, function: str, values: Mapping[str, Value]) -> Answer:
        """Make one call with the values in a mapping; see `call` and `learning`."""
        if self._learning:
            return self._learnt(self.offered_api.newest(function), values)
        interlude = self._due(function)
        if interlude is not None and not interlude.after:
            self._act(interlude, values)
        answer = super().call_with(function, values)
        if interlude is not None and interlude.after and answer.ok and not answer.unwritten():
            self._act(interlude, values)
        return answer

    def _due(self, function: str) -> Interlude | None:
        """Return what is to be done before or after a call of a function, if anything is."""
        due = self._interlude is not None and self._interlude.function in (None, function)
        # What the trace leaves out is none of the example's own calls.
        return self._interlude if due and self.trace.step_count is not None else None

    def _act(self, interlude: Interlude, values: Mapping[str, Value]) -> None:
        self._interlude, self._had_interlude = None, True
        before = self.expected
        interlude.act(values)
        self.expected = before
        if interlude.times > 1:
            self._interlude = replace(interlude, times=interlude.times - 1)

    def interpose(self, interlude: Interlude) -> None:
        """Do something before or after the next calls of a function."""
        self._interlude, self._had_interlude = interlude, False

    def forestalled(self) -> bool:
        """Return whether no call has come with which something was to be done."""
        pending, self._interlude = self._interlude, None
        return pending is not None and not self._had_interlude

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Ask what no process of this library on this machine answers differently.

        A call that two processes answered with the same success, before any example ran in them, is
        not made again: their answer stands for all processes. What differs between them, such as a
        handle, is passed as a Symbol whose name means the same in each. The trace leaves all of it
        out: the names of the machine's parts say it all.
        """
        before, self._learning = self._learning, True
        try:
            with self.trace.paused():
                yield
        finally:
            self._learning = before

    def learn(self, what: str, ask: Callable[[], T]) -> T:
        """Return what stands for all processes, asked only until one has found it out.

        What a process says that examples ran in does not stand for the others.

        Args:
            what: names it.
            ask: finds it out; see `learning`.

        """
        with self.learning():
            if self.ends:
                return ask()
            return self.stable_answers.once(what, ask, keep=self._is_unused())

    def _is_unused(self) -> bool:
        """Return whether no example ran in this process, and the runtime did not end."""
        return not (self.used_before or self.ends)

    def _learnt(self, function: str, values: Mapping[str, Value]) -> Answer:
        """Return the answer that stands for all processes, or that of a call made now."""
        subject = self.registry.functions[function]
        asked = question(subject, values)
        # A runtime that was started again may have changed its mind.
        outcome = None if asked is None or self.ends else self.stable_answers.outcome(asked)
        if outcome is None:
            answer, outcome = self._made(function, values)
            if asked is not None and self._is_unused():
                self.stable_answers.keep(asked, answer, outcome, self.process)
            elif asked is None:
                self._require_order(function, values, outcome)
            return answer
        outputs = [p.name for p in subject.params if isinstance(values[p.name], Out)]
        numbers = {name: value for name, value in values.items() if isinstance(value, int)}
        answer = self._answer(subject, outputs, outcome, numbers)
        self._remember(answer)
        return answer

    def _require_order(self, function: str, values: Mapping[str, Value], listed: Outcome) -> None:
        """Ask for a list once more, if that is new, and trust no answers if its order is another.

        Args:
            function: lists something.
            values: its arguments.
            listed: what it answered.

        """
        of = [str(v) for v in values.values() if isinstance(v, Symbol)]
        if self.stable_answers.is_new((function, *of)):
            _, again = self._made(function, values)
            if again.callbacks != listed.callbacks:
                self.stable_answers.distrust()

    # the second process

    def send_descriptor(self, descriptor: int) -> int:
        """Send a descriptor to the second process and return its number there."""
        return self.send(descriptor, self.peer())

    def send_back(self, descriptor: int) -> int:
        """Send a descriptor of the second process to this one and return its number here."""
        return self.peer().send(descriptor, self)

    def send(self, descriptor: int, to: Session) -> int:
        """Send a descriptor to one of the two processes, and return its number there."""
        words = MAIN if to.trace.process == MAIN else "the peer"
        name = f"{to.trace.process}_{_name(descriptor)}"
        arrived = self.process.send_descriptor(int(descriptor))
        number = Symbol(arrived, name, origin=operands.Named(name))
        to.model.descriptors.add(number)
        for kind in self.rules.descriptors:
            if (descriptor,) in self.model.objects.get(kind, {}):
                to.model.add(kind, number, thing=self.model.find(kind, descriptor))
        action = actions.Send(recording.recorded(descriptor), name)
        self.trace.note(f"send {text(descriptor)} to {words}", str(number), action)
        return number

    def whose(self, end: Ended) -> Session:
        """Return the session of the process that ended: this one, or the second one's."""
        peer = self._peer
        return peer if peer is not None and peer.ended is end else self

    def met(self, end: Ended) -> bool:
        """Return whether a process of this example ended so, and not one of an earlier example."""
        return self.whose(end).ended is end

    def demanded(self) -> frozenset[DecidedBy | None]:
        """Return who decides what the example looked at; nobody, if it looked at nothing."""
        peers = self._peer.deciders if self._peer is not None else set[DecidedBy | None]()
        return frozenset(self.deciders | peers)

    @property
    def second(self) -> Session | None:
        """The session of the second process; None where none was started."""
        return self._peer

    def peer(self) -> Session:
        """Return the session of a second process, started on first use, not initialised."""
        if self._peer is None:
            self._peer = Session(
                self.process.peer(),
                self.registry,
                self.rules,
                self.discover,
                "peer",
                self.trace.notes,
                self.fatal,
                self.exports,
                self.stable_answers,
                self.offered_api,
            )
            self._peer.race = self.race
        self._peer.least, self._peer.skipped_clauses = self.least, self.skipped_clauses
        return self._peer

    def initialised_peer(self) -> Session:
        """Return the second process; initialise its runtime and learn about its machine, once."""
        peer = self.peer()
        if not peer.model.references:
            peer.set_up("hsa_init")
            try:
                with peer.trace.paused():
                    self.discover(peer)
            except Ended as end:
                # The clause under test speaks of none of these questions.
                last = end.call.function if end.call else "hsa_init"
                clause, steps = f"{last}/success", self.trace.steps
                raise Blocked(clause, end.how, end=end, steps=steps) from None
        return peer


def _name(descriptor: int) -> str:
    return descriptor.name if isinstance(descriptor, Symbol) else "descriptor"
