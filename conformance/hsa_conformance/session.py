"""One conversation with a process: named arguments, outputs, a trace, and the model kept up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hsa_adapters.protocol import Call, Callback, Ended, Outcome, Process, Repeat
from hsa_conformance import recording
from hsa_conformance.calls import GUARD, PATTERN, STATUS, Answer, Data, Out, Value
from hsa_conformance.findings import Blocked, Step, Unavailable
from hsa_conformance.model import FACTS, PASSING, RECORD, RELEASE, Model
from hsa_conformance.model.state import File
from hsa_conformance.symbols import Symbol, text
from hsa_conformance.tables import address_of, missing
from hsa_reports import actions
from hsa_spec import Function, Parameter, Registry
from hsa_spec.layout import pointee, size_of
from hsa_spec.releases import Release


@dataclass(frozen=True)
class _Made:
    """A call ready to be made: as the process takes it, in words, and as an event has it."""

    call: Call
    words: str
    given: tuple[actions.Value, ...]
    args: Mapping[str, int]
    outputs: tuple[str, ...]

    @property
    def address(self) -> actions.Value | None:
        """Where an event says that the function is; None for the symbol of its name."""
        return None if self.call.address is None else recording.recorded(self.call.address)


class Session:
    """Drives one process.

    Args:
        process: the process, which this session does not own.
        registry: the specification.
        name: what the trace calls the process.
        trace: where steps go; a peer's session shares its owner's.
        deadly: functions that ended a fresh process when they were only preparation, and how;
            shared by the sessions of a lab, since a hang costs its whole budget each time.
        exports: the functions that can be called; None for all of the registry's.

    """

    def __init__(
        self,
        process: Process,
        registry: Registry,
        name: str = "main",
        trace: list[Step] | None = None,
        deadly: dict[str, str] | None = None,
        exports: frozenset[str] | None = None,
    ) -> None:
        self.process = process
        self.registry = registry
        self.name = name
        self.trace: list[Step] = [] if trace is None else trace
        self.deadly: dict[str, str] = {} if deadly is None else deadly
        self.exports = frozenset(registry.functions) if exports is None else exports
        self.calls = 0
        self.heard: list[tuple[int, ...]] = []  # what callbacks were called with, late ones too
        self.allowed: Mapping[str, Sequence[str]] = {}  # of the call under test, for its obituary
        self.under_way: _Made | None = None  # the call of a thread
        self.reused = False  # whether an earlier example ran in this process
        self.release = Release()
        self.runs_kernels = True  # an imitated machine has nothing that runs them
        self.model = Model(process.page_size, self._read_own, facts=FACTS, released=RELEASE)
        self._base, self._room = process.scratch
        self._used = 0
        self._written: dict[int, bytes] = {}
        self._names: dict[str, int] = {}
        self._addresses: list[Symbol] = []  # what addresses are computed from
        self._members: dict[str, Symbol] = {}  # where functions are that have no symbol
        self._peer: Session | None = None

    # memory of the process that the suite owns

    def place(self, content: bytes, words: str = "data") -> Symbol:
        """Put bytes into the process and return their address.

        Args:
            content: the bytes.
            words: what the trace calls the address.

        """
        return self.lay_out(Data(content, words))

    def lay_out(self, data: Data) -> Symbol:
        """Put data into the process and return its address."""
        symbol = self._own(data)
        self.process.write(int(symbol), data.content)
        return symbol

    def _own(self, data: Data) -> Symbol:
        """Find room for data, and remember what will stand there."""
        address = self._room_for(len(data.content))
        self._written[address] = data.content
        origin = recording.memory(len(self._written), data.content, data.numbers)
        symbol = Symbol(address, data.words, origin=origin)
        self._addresses.append(symbol)
        return symbol

    def fresh(self) -> None:
        """Forget the trace and reuse the scratch memory: a new example begins."""
        self.trace.clear()
        self.heard.clear()
        self.allowed = {}
        self._used = 0
        self._written.clear()
        self._names.clear()
        self._addresses.clear()
        self._members.clear()
        self._peer = None
        for kind in PASSING:
            self.model.objects.pop(kind, None)

    def _room_for(self, size: int) -> int:
        start = -(-self._used // 16) * 16
        self._used = start + size + GUARD
        if self._used > self._room:
            raise MemoryError("one example needs more scratch memory than a process has")
        return self._base + start

    def _read_own(self, address: int, size: int) -> bytes | None:
        for start, content in self._written.items():
            if start <= address and address + size <= start + len(content):
                return content[address - start : address - start + size]
        return self.process.read(address, size)

    # calls

    def call(self, function: str, **values: Value) -> Answer:
        """Make one call; every parameter is named.

        Raises:
            Ended: the process did not survive it.
            Unavailable: the library has no such function.

        """
        return self.call_with(function, values)

    def call_with(self, function: str, values: Mapping[str, Value]) -> Answer:
        """Make one call with the values in a mapping; see `call`."""
        made = self._prepared(function, values)
        self.calls += 1
        try:
            outcome = self.process.call(made.call)
        except Ended as end:
            action = actions.Call(function, made.given, None, address=made.address)
            self.note(made.words, f"{end.kind}: {end.detail}", action)
            raise
        answer = self._answer(made, outcome)
        self.heard += answer.callbacks
        action = actions.Call(function, made.given, answer.status, _given(answer), made.address)
        self.note(made.words, self._result(answer), action)
        self._record(answer)
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
        made = self._prepared(function, values)
        self.calls += 1
        growth = (0, 0) if repeat is None else (repeat.most, repeat.step)
        action = actions.Start(function, made.given, *growth, made.address)
        again = "" if repeat is None else f", again and again, each {text(repeat.step)} further"
        words = f"start {made.words} in a thread{again}"
        try:
            self.process.start(made.call, repeat)
        except Ended as end:
            self.note(words, f"{end.kind}: {end.detail}", action)
            raise
        self.note(words, "under way", action)
        self.under_way = made

    def join(self, budget: float | None = None) -> Answer:
        """Wait for the end of the call that was started.

        Args:
            budget: seconds that this may take; None for as long as any call.

        Returns:
            What it answered. Where it was made again and again, the status is the number of calls.

        Raises:
            Ended: the process did not survive it.

        """
        made = self.under_way
        assert made is not None, "no call was started"
        function = made.call.function
        words = f"wait for the end of {function} in the thread"
        try:
            outcome = self.process.join(budget)
        except Ended as end:
            self.note(words, f"{end.kind}: {end.detail}", actions.Join(function, None))
            raise
        self.under_way = None
        answer = self._answer(made, outcome)
        self.heard += answer.callbacks
        action = actions.Join(function, answer.status, _given(answer))
        self.note(words, self._result(answer), action)
        self._record(answer)
        return answer

    def _record(self, answer: Answer) -> None:
        """Let the model remember what a successful call changed."""
        function = answer.function.name
        if answer.ok and function in RECORD and not answer.unwritten():
            RECORD[function](self.model, answer)

    def _prepared(self, function: str, values: Mapping[str, Value]) -> _Made:
        """Lay out what a call needs in memory."""
        subject = self.registry.functions[function]
        member = None if function in self.exports else self._member(subject)
        raw: list[int | Callback] = []
        writes: list[tuple[int, bytes]] = []
        slots: list[tuple[str, int, int]] = []
        shown: list[str] = []
        given: list[actions.Value] = []
        for parameter in subject.params:
            value = values[parameter.name]
            if isinstance(value, Out):
                size = value.size
                if size is None:
                    size = size_of(pointee(parameter.type), self.registry)
                address = self._room_for(size)
                writes.append((address, bytes([PATTERN]) * (size + GUARD)))
                slots.append((parameter.name, address, size))
                raw.append(address)
                shown.append(f"{parameter.name}=&{parameter.name}")
                given.append(actions.Output(size))
            elif isinstance(value, Data):
                symbol = self._own(value)
                writes.append((int(symbol), value.content))
                raw.append(int(symbol))
                shown.append(f"{parameter.name}={value.words}")
                given.append(recording.recorded(symbol))
            elif isinstance(value, Callback):
                raw.append(value)
                shown.append(f"{parameter.name}=callback")
                given.append(recording.callback(value))
            else:
                raw.append(int(value))
                shown.append(f"{parameter.name}={self._shown(value, parameter)}")
                pointer = parameter.type.endswith("*")
                given.append(recording.recorded(value, self._addresses if pointer else ()))
        call = Call(
            function,
            tuple(raw),
            tuple(writes),
            tuple(r for _, a, n in slots for r in ((a, n), (a + n, GUARD))),
            address=member,
        )
        # Where a value is a number already, its name in the trace is worth keeping.
        args = {
            p.name: v if isinstance(v := values[p.name], int) else int(r)
            for p, r in zip(subject.params, raw, strict=True)
            if isinstance(r, int)
        }
        words = f"{function}({', '.join(shown)})"
        return _Made(call, words, tuple(given), args, tuple(name for name, _, _ in slots))

    def _member(self, function: Function) -> Symbol:
        """Return where a function is that the library does not export; asked for once an example.

        Raises:
            Unavailable: the library has no such function.

        """
        if symbol := missing(function, self.exports):
            raise Unavailable("BLOCKED", f"{symbol}/exported: the symbol is missing")
        if function.name not in self._members:
            self._members[function.name] = address_of(self, function)
        return self._members[function.name]

    def must(self, function: str, **values: Value) -> Answer:
        """Make a call that is only preparation.

        Raises:
            Blocked: it did not answer SUCCESS, did not write an output, or is known to end the
                process.

        """
        clause = f"{function}/success"
        if function in self.deadly:
            raise Blocked(clause, self.deadly[function], deadly=True)
        try:
            answer = self.call_with(function, values)
        except Ended as end:
            how = f"{end.kind} ({end.detail})"
            if not self.reused:
                self.deadly[function] = how
            raise Blocked(clause, how, deadly=True) from None
        if not answer.ok:
            raise Blocked(clause, answer.name)
        for name in answer.unwritten():
            raise Blocked(clause, f"{answer.name} and did not write {name}")
        return answer

    def _answer(self, made: _Made, outcome: Outcome) -> Answer:
        subject = self.registry.functions[made.call.function]
        outputs = {n: outcome.reads[2 * i] for i, n in enumerate(made.outputs)}
        guards = {n: outcome.reads[2 * i + 1] for i, n in enumerate(made.outputs)}
        answer = Answer(
            subject,
            outcome.result,
            self._result_name(subject, outcome.result),
            outputs,
            guards,
            outcome.callbacks,
            made.args,
            zeros=outcome.zeros,
        )
        if answer.ok:
            for name, content in outputs.items():
                if content is not None and len(content) <= 8:
                    signed = pointee(subject.parameter[name].type) == "int"
                    number = int.from_bytes(content, "little", signed=signed)
                    answer.symbols[name] = self._named(number, name)
        return answer

    def _result_name(self, function: Function, result: int) -> str:
        if function.result == STATUS:
            return self.registry.status_name(result)
        return "done" if function.result == "void" else text(result)

    def _named(self, value: int, stem: str) -> Symbol:
        """Return a number under the next free name with this stem."""
        self._names[stem] = self._names.get(stem, 0) + 1
        name = f"{stem}{self._names[stem]}"
        symbol = Symbol(value, name, origin=actions.Named(name))
        self._addresses.append(symbol)
        return symbol

    def _shown(self, value: int, parameter: Parameter) -> str:
        if isinstance(value, Symbol):
            return str(value)
        enum = self.registry.enums.get(parameter.type)
        if enum is not None and value in enum.by_value:
            return enum.by_value[value].name
        if value == 0 and parameter.type.endswith("*"):
            return "NULL"
        return text(value)

    def _result(self, answer: Answer) -> str:
        outputs = [f"{name} = {value.name}" for name, value in answer.symbols.items()]
        return ", ".join([answer.name, *outputs])

    # plain memory, descriptors, and the second process, all of which the trace shows

    def note(self, call: str, result: str, action: actions.Action) -> None:
        """Add a step."""
        self.trace.append(Step(self.name, call, result, action))

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory as the host sees it; None where it may not."""
        content = self.process.read(int(address), size)
        self.note(
            f"read {size} bytes at {text(address)}",
            "refused" if content is None else content.hex(" ")[:47],
            actions.Read(recording.recorded(address, self._addresses), size, content),
        )
        return content

    def read_number(self, address: int, stem: str) -> Symbol:
        """Read eight bytes as a number, which gets a name with this stem; 0 where it may not."""
        content = self.process.read(int(address), 8)
        number = self._named(int.from_bytes(content or b"", "little"), stem)
        where = recording.recorded(address, self._addresses)
        self.note(
            f"read the number at {text(address)}",
            "refused" if content is None else str(number),
            actions.Read(where, 8, content, number.name),
        )
        return number

    def write(self, address: int, content: bytes) -> bool:
        """Write memory as the host does; False where it may not."""
        done = self.process.write(int(address), content)
        self.note(
            f"write {content.hex(' ')[:47]} at {text(address)}",
            "done" if done else "refused",
            actions.Write(recording.recorded(address, self._addresses), content, done),
        )
        return done

    def open_file(self, size: int, content: bytes = b"", *, readable: bool = True) -> int:
        """Open an ordinary file, for calls that want a descriptor; see the protocol."""
        number = self.process.open_file(size, content, readable=readable)
        descriptor = self._named(number, "file")
        self.model.descriptors.add(descriptor)
        self.model.keep("file", descriptor, thing=File(content.ljust(size, b"\0"), readable))
        self.note(
            f"open an ordinary file of {size} bytes" + (", to write" if not readable else ""),
            str(descriptor),
            actions.OpenFile(size, descriptor.name, content, readable),
        )
        return descriptor

    def close_descriptor(self, descriptor: int) -> None:
        """Close a descriptor."""
        self.process.close_descriptor(int(descriptor))
        self.model.descriptors.discard(descriptor)
        self.model.shareable.pop(descriptor, None)
        self.model.drop("dmabuf", descriptor)
        self.model.drop("file", descriptor)
        action = actions.Close(recording.recorded(descriptor))
        self.note(f"close({text(descriptor)})", "done", action)

    def peer(self) -> Session:
        """Return the session of a second process, started on first use, not initialised."""
        if self._peer is None:
            self._peer = Session(
                self.process.peer(), self.registry, "peer", self.trace, self.deadly, self.exports
            )
        return self._peer

    def send_descriptor(self, descriptor: int) -> int:
        """Send a descriptor to the second process and return its number there."""
        peer = self.peer()
        name = f"peer_{descriptor.name if isinstance(descriptor, Symbol) else 'descriptor'}"
        arrived = self.process.send_descriptor(int(descriptor))
        number = Symbol(arrived, name, origin=actions.Named(name))
        peer.model.descriptors.add(number)
        if descriptor in self.model.shareable:
            peer.model.shareable[number] = self.model.shareable[descriptor]
        action = actions.Send(recording.recorded(descriptor), name)
        self.note(f"send {text(descriptor)} to the peer", str(number), action)
        return number


def _given(answer: Answer) -> tuple[actions.Given, ...]:
    return tuple(
        actions.Given(parameter, name.name if name is not None else None, content)
        for parameter, content in answer.outputs.items()
        for name in (answer.symbols.get(parameter),)
    )
