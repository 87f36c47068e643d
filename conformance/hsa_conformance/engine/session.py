"""One conversation with a process: calls by name, a trace, and the model kept up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from hsa_adapters.protocol import Ended, LimitError, Outcome, Process, Repeat
from hsa_conformance.engine import recording
from hsa_conformance.engine.arguments import PreparedCall, prepare
from hsa_conformance.engine.axes import Axes
from hsa_conformance.engine.calls import STATUS, Answer, Out, Value
from hsa_conformance.engine.deadly import Deadly
from hsa_conformance.engine.handed import listed
from hsa_conformance.engine.host import Host
from hsa_conformance.engine.judge import Expectation
from hsa_conformance.engine.known import Known, question
from hsa_conformance.engine.memory_budget import MemoryBudget
from hsa_conformance.engine.offer import Offer
from hsa_conformance.engine.outcomes import Blocked, Unavailable
from hsa_conformance.engine.state_rules import StateRules
from hsa_conformance.engine.symbols import Symbol, text
from hsa_conformance.engine.tables import address_of, missing
from hsa_conformance.engine.topology import Topology
from hsa_conformance.engine.trace import MAIN, Notes
from hsa_reports import Verdict, actions, operands
from hsa_spec import DecidedBy, Function, Registry
from hsa_spec.layout import pointee
from hsa_spec.releases import Release

#: Asks an initialised process what every topic needs to know of its machine.
Discover = Callable[["Session"], None]


def alone() -> bool:
    """Return False: an object that is made is the only one of its kind."""
    return False


class Session(Host):
    """Drives one process.

    Args:
        process: the process, which this session does not own.
        registry: the specification.
        rules: what calls change, and how conditions are answered.
        discover: asks the machine, once the runtime is initialised.
        name: what the trace calls the process.
        notes: where the steps of the trace are noted; a peer's session shares its owner's.
        deadly: functions that end fresh processes when they are only set-up; shared by the sessions
            of a pool.
        exports: the functions that the library exports; None for all of the registry's.
        offer: what may be called; None for everything.
        known: what other processes were asked; shared by the sessions of a pool.

    """

    def __init__(
        self,
        process: Process,
        registry: Registry,
        rules: StateRules,
        discover: Discover,
        name: str = MAIN,
        notes: Notes | None = None,
        deadly: Deadly | None = None,
        exports: frozenset[str] | None = None,
        known: Known | None = None,
        offer: Offer | None = None,
    ) -> None:
        super().__init__(process, rules, name, Notes() if notes is None else notes)
        self.registry = registry
        self.discover = discover
        self.deadly = Deadly() if deadly is None else deadly
        every = frozenset(registry.functions)
        self.exports = every if exports is None else exports
        self.offer = Offer(every, Release(), registry) if offer is None else offer
        self.known = Known() if known is None else known
        self.calls = 0
        self.heard: list[tuple[int, ...]] = []  # what callbacks were called with, late ones too
        self.expected: Expectation | None = None  # of the call under test, should it end here
        self.ended: Ended | None = None  # what a call of this process met
        self.under_way: PreparedCall | None = None  # the call of a thread
        self.axes = Axes()  # what the example was made with, value by value
        self.deciders: set[DecidedBy | None] = set()  # of what it looked at; None: by the clause
        self.crowded = alone  # whether set-up makes further objects beside those it is asked for
        self.least = 0  # bytes that blocks of memory have at least, in the second process, too
        self.muted: Collection[str] = ()  # clauses that a sequence need not break once more
        self.reused = False  # whether an earlier example ran in this process
        self.release = Release()
        self.topology = Topology(())  # what the driver tells of the machine
        self.memory = MemoryBudget(None)  # what calls may take
        self.runs_kernels = True  # an imitated machine has nothing that runs them
        self.observer: Callable[[str], None] | None = None  # is told of each call, once it is made
        self.most_threads: int | None = None  # that a call of hsa_shut_down may leave behind
        self.ends = 0  # how often hsa_shut_down was called
        # Kinds of objects that are unknown, and why.
        self.undiscovered: dict[str, Blocked | Unavailable] = {}
        self._members: dict[str, Symbol] = {}  # where functions are that have no symbol
        self._reached: dict[str, Symbol] = {}  # where functions are called, whatever their symbol
        self._learning = False
        self._peer: Session | None = None

    def fresh(self) -> None:
        """Forget what belongs to one example: a new one begins."""
        super().fresh()
        self.heard.clear()
        self._members.clear()
        self.expected = None
        self.axes = Axes()
        self.deciders = set()
        self.crowded = alone
        self.least = 0
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

    # calls

    def offers(self, function: str) -> bool:
        """Return whether a function may be called, and can be."""
        described = self.registry.functions[function]
        return function in self.offer.functions and missing(described, self.exports) is None

    def call(self, function: str, **values: Value) -> Answer:
        """Make one call; every parameter is named.

        A function that HSA 1.1 renamed is called by its older name where only that one is offered.

        Raises:
            Ended: the process did not survive it.
            Unavailable: the library has no such function, or it is not to be called.

        """
        return self.call_with(function, values)

    def call_with(self, function: str, values: Mapping[str, Value]) -> Answer:
        """Make one call with the values in a mapping; see `call`."""
        function = self.offer.newest(function)
        if self._learning:
            return self._learnt(function, values)
        return self._made(function, values)[0]

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Ask what no process of this library on this machine answers differently.

        A call that a process answered with success, before any example ran in it, is not made
        again: its answer stands for all processes. What differs between them, such as a handle, is
        passed as a Symbol whose name means the same in each. The trace leaves all of it out: the
        names of the machine's parts say it all.
        """
        before, self._learning = self._learning, True
        try:
            with self.trace.paused():
                yield
        finally:
            self._learning = before

    def _learnt(self, function: str, values: Mapping[str, Value]) -> Answer:
        """Return the answer that stands for all processes, or that of a call made now."""
        subject = self.registry.functions[function]
        asked = question(subject, values)
        outcome = None if asked is None else self.known.outcome(asked)
        if outcome is None:
            answer, outcome = self._made(function, values)
            if asked is not None and not (self.reused or self.ends):
                self.known.keep(asked, answer, outcome)
            return answer
        outputs = [p.name for p in subject.params if isinstance(values[p.name], Out)]
        numbers = {name: value for name, value in values.items() if isinstance(value, int)}
        answer = self._answer(subject, outputs, outcome, numbers)
        self._remember(answer)
        return answer

    def _made(self, function: str, values: Mapping[str, Value]) -> tuple[Answer, Outcome]:
        """Make a call; return its answer, and what the process said."""
        prepared = self._prepared(function, values)
        self.calls += 1
        try:
            outcome = self.process.call(prepared.call)
        except Ended as end:
            self.ended = end
            action = actions.Call(function, prepared.events, None, address=prepared.event_address)
            self.trace.note(prepared.words, f"{end.kind}: {end.detail}", action)
            raise
        handed = listed(prepared, outcome.callbacks, self.registry)
        answer = self._answer(
            prepared.function, prepared.outputs, outcome, prepared.numbers, handed
        )
        self.trace.note_later(lambda: _told(prepared, answer))
        answer.place = self.trace.place
        self._remember(answer)
        if self.observer is not None:
            self.observer(function)
        if function == "hsa_shut_down":
            self._count_threads()
        return answer, outcome

    def _count_threads(self) -> None:
        """Stop where a runtime that is shut down has left more threads behind than it may."""
        most = self.most_threads
        self.ends += 1
        if most is None or self.model.references:
            return
        # Each call may leave so many, and an example may start and end the runtime again and again.
        left = self.process.threads(most * self.ends)
        if left > most * self.ends:
            threads = "1 thread" if left == 1 else f"{left} threads"
            raise LimitError(
                f"hsa_shut_down leaves {threads} behind, more than the {most} that --threads allows"
            )

    def set_up(self, function: str, **values: Value) -> Answer:
        """Make a call that only prepares what an example is about.

        Where it makes an object, the example may want another one to be there before.

        Raises:
            Blocked: it did not answer SUCCESS, did not write an output, or ends the process.

        """
        function = self.offer.newest(function)
        if function in self.rules.plural and self.crowded():
            self._set_up(function, {**values, **self.rules.plural[function]})
        return self._set_up(function, values)

    def _set_up(self, function: str, values: Mapping[str, Value]) -> Answer:
        clause = f"{function}/success"
        if known := self.deadly.known(function):
            raise Blocked(clause, known.how, end=known, steps=self.trace.steps)
        try:
            answer = self.call_with(function, values)
        except Ended as end:
            if not self.reused:
                self.deadly.died(function, end)
            raise Blocked(clause, end.how, end=end, steps=self.trace.steps) from None
        self.deadly.survived(function)
        if not answer.ok:
            # A callback is an argument that is not NULL.
            args = [answer.args.get(p.name, 1) for p in answer.function.params]
            raise Blocked(
                clause,
                answer.name,
                refused=True,
                arguments=args,
                world=self.model,
                steps=self.trace.steps,
            )
        for name in answer.unwritten():
            raise Blocked(clause, f"{answer.name} and did not write {name}")
        return answer

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

        """
        function = self.offer.newest(function)
        prepared = self._prepared(function, values)
        self.calls += 1
        growth = (0, 0) if repeat is None else (repeat.most, repeat.step)
        action = actions.Start(function, prepared.events, *growth, prepared.event_address)
        again = "" if repeat is None else f", again and again, each {text(repeat.step)} further"
        words = f"start {prepared.words} in a thread{again}"
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
        answer = self._answer(prepared.function, prepared.outputs, outcome, prepared.numbers)
        action = actions.Join(function, answer.status, _given(answer))
        self.trace.note(words, _result(answer), action)
        answer.place = self.trace.place
        self._remember(answer)
        return answer

    def _prepared(self, function: str, values: Mapping[str, Value]) -> PreparedCall:
        subject = self.registry.functions[function]
        if lack := self.offer.lack(subject, values):
            reason = f"needs {lack}, which the implementation is not said to have"
            raise Unavailable(Verdict.UNTESTED, reason)
        member = self._reached.get(function)
        if member is None and function not in self.exports:
            member = self._member(subject)
        return prepare(subject, values, self.registry, self.scratch, self.symbols, member)

    def _member(self, function: Function) -> Symbol:
        """Return where a function is that the library does not export; asked for once an example.

        Raises:
            Unavailable: the library has no such function.

        """
        if symbol := missing(function, self.exports):
            raise Unavailable(Verdict.BLOCKED, f"{symbol}/exported: the symbol is missing")
        if function.name not in self._members:
            self._members[function.name] = address_of(self, function)
        return self._members[function.name]

    def _answer(
        self,
        subject: Function,
        names: Sequence[str],
        outcome: Outcome,
        numbers: Mapping[str, int],
        callbacks: tuple[tuple[int, ...], ...] = (),
    ) -> Answer:
        answer = Answer(
            subject,
            outcome.result,
            self._result_name(subject, outcome.result),
            dict(zip(names, outcome.reads[0::2], strict=False)),
            dict(zip(names, outcome.reads[1::2], strict=False)),
            callbacks or outcome.callbacks,
            numbers,
            zeros=outcome.zeros,
        )
        if answer.ok:
            for name, content in answer.outputs.items():
                if content is None:
                    continue
                if len(content) <= 8:
                    signed = pointee(subject.parameter[name].type) == "int"
                    number = int.from_bytes(content, "little", signed=signed)
                    answer.symbols[name] = self.trace.named(number, name)
                else:
                    answer.held[name] = self.trace.held(content, name)
        self.heard += answer.callbacks
        return answer

    def _result_name(self, function: Function, result: int) -> str:
        if function.result == STATUS:
            return self.registry.status_name(result)
        return "done" if function.result == "void" else text(result)

    def _remember(self, answer: Answer) -> None:
        """Let the model remember what a successful call changed."""
        change = self.rules.transitions.get(answer.function.name)
        if change is not None and answer.ok and not answer.unwritten():
            change(self.model, answer)

    @contextmanager
    def reached(self, function: str, address: Symbol) -> Iterator[None]:
        """Call a function at an address meanwhile, and not by its symbol.

        Args:
            function: its name.
            address: where its code is, as the library says.

        """
        self._reached[function] = address
        try:
            yield
        finally:
            del self._reached[function]

    # the second process

    def send_descriptor(self, descriptor: int) -> int:
        """Send a descriptor to the second process and return its number there."""
        peer = self.peer()
        name = f"peer_{descriptor.name if isinstance(descriptor, Symbol) else 'descriptor'}"
        arrived = self.process.send_descriptor(int(descriptor))
        number = Symbol(arrived, name, origin=operands.Named(name))
        peer.model.descriptors.add(number)
        for kind in self.rules.descriptors:
            if (descriptor,) in self.model.objects.get(kind, {}):
                peer.model.add(kind, number, thing=self.model.find(kind, descriptor))
        action = actions.Send(recording.recorded(descriptor), name)
        self.trace.note(f"send {text(descriptor)} to the peer", str(number), action)
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
                self.deadly,
                self.exports,
                self.known,
                self.offer,
            )
        self._peer.least, self._peer.muted = self.least, self.muted
        return self._peer

    def initialised_peer(self) -> Session:
        """Return the second process; initialise its runtime and learn about its machine, once."""
        peer = self.peer()
        if not peer.model.references:
            peer.set_up("hsa_init")
            with peer.trace.paused():
                self.discover(peer)
        return peer


def _told(prepared: PreparedCall, answer: Answer) -> tuple[str, str, actions.Call]:
    """Return a call in words, what it answered, and the same as programs are made of it."""
    action = actions.Call(
        prepared.function.name,
        prepared.events,
        answer.status,
        _given(answer),
        prepared.event_address,
    )
    return prepared.words, _result(answer), action


def _result(answer: Answer) -> str:
    outputs = [f"{name} = {value.name}" for name, value in answer.symbols.items()]
    return ", ".join([answer.name, *outputs])


def _given(answer: Answer) -> tuple[actions.Given, ...]:
    return tuple(
        actions.Given(
            parameter, name.name if name is not None else answer.held.get(parameter), content
        )
        for parameter, content in answer.outputs.items()
        for name in (answer.symbols.get(parameter),)
    )
