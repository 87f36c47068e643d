"""Wrappers of an adapter and its processes, in which one function is wrong for one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from hsa_adapters.calls import Call, Outcome, Repeat, TimedOutcome
from hsa_adapters.ends import End, Holdings
from hsa_adapters.faults import Faults
from hsa_adapters.moves import Move
from hsa_adapters.protocol import Adapter, Process, Subject
from hsa_spec import Function, Parameter, Registry
from hsa_spec.layout import pointee, size_of
from tests.campaign.mutants.history import History, filled, kind_of, outputs
from tests.campaign.mutants.mutant import Fault, Kind, Mutant

STATUS = "hsa_status_t"
#: No function of the API is about any of them but a few, which answer another of them.
_STRANGE = (
    "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT",
    "HSA_STATUS_ERROR_VARIABLE_UNDEFINED",
    "HSA_STATUS_ERROR_INVALID_FILE",
)


def strange(function: Function) -> str:
    """Return a status that no clause of a function allows, and its text does not list."""
    known = {s for clause in function.clauses for s in clause.status} | {*function.documented}
    return next(status for status in _STRANGE if status not in known)


class BrokenAdapter:
    """An adapter that is right but for a mutation; see `hsa_adapters.protocol.Adapter`.

    Args:
        adapter: the real one, which is started and stays so.
        subject: what it said of itself.
        registry: knows what parameters are.
        mutant: what is wrong; None: nothing.

    Attributes:
        hits: how many calls were answered otherwise than the library would have.
        called: the functions that were called since somebody cleared it.
        most: how many objects of a kind lived at once in a process, at most.
        longest: how many bytes a function wrote where the caller says how much room there is.

    """

    def __init__(
        self, adapter: Adapter, subject: Subject, registry: Registry, mutant: Mutant | None
    ) -> None:
        self._adapter = adapter
        self._subject = subject
        self.registry = registry
        self.mutant = mutant
        self.hits = 0
        self.called: set[str] = set()
        self.most: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()
        self._processes: list[BrokenProcess] = []

    @property
    def name(self) -> str:
        """The name of the real one."""
        return self._adapter.name

    def start(self) -> Subject:
        """Return what the real one said of itself."""
        return self._subject

    def process(self) -> BrokenProcess:
        """Return a fresh process."""
        process = BrokenProcess(self._adapter.process(), self)
        self._processes.append(process)
        return process

    def faults(self) -> Faults | None:
        """Return the failures that the machine can be made to have."""
        return self._adapter.faults()

    def memory(self) -> Faults | str:
        """Return what refuses memory to the processes, or why nothing can."""
        return self._adapter.memory()

    def complaints(self) -> Sequence[str]:
        """Return what the machine was asked for and does not have."""
        return self._adapter.complaints()

    def observations(self) -> Sequence[str]:
        """Return what was seen of the processes."""
        return self._adapter.observations()

    def close(self) -> None:
        """End the processes; the real adapter serves the next mutant."""
        while self._processes:
            self._processes.pop().close()


class BrokenProcess:
    """A process that is right but for a mutation; see `hsa_adapters.protocol.Process`.

    Args:
        process: the real one.
        owner: the adapter, which counts how often the mutation shows.

    """

    def __init__(self, process: Process, owner: BrokenAdapter) -> None:
        self._process = process
        self._owner = owner
        self._registry = owner.registry
        self._history = History(owner.registry, process.scratch)
        self._answered: Outcome | None = None  # what was not started, and is waited for
        self._started: Call | None = None

    @property
    def scratch(self) -> tuple[int, int]:
        """Address and size of memory that the suite may use as it likes."""
        return self._process.scratch

    @property
    def page_size(self) -> int:
        """Size of a page in bytes."""
        return self._process.page_size

    def call(self, call: Call) -> Outcome:
        """Make one call, perhaps wrongly."""
        wrong = self._is_wrong(call)
        outcome = self._wrong(call) if wrong else self._process.call(call)
        self._note(call, outcome)
        return outcome

    def batch(self, calls: Sequence[Call]) -> list[Outcome]:
        """Make several calls, one after the other."""
        return [self.call(call) for call in calls]

    def start(self, call: Call, repeat: Repeat | None = None) -> None:
        """Start a call in a thread, or not if it is not made at all."""
        unmade = (Fault.REFUSED, Fault.UNDONE)
        if repeat is None and self._is_wrong(call) and self._mutant.fault in unmade:
            self._answered = self._wrong(call)
            return
        self._started = call if repeat is None else None
        self._process.start(call, repeat)

    def join(self, budget: float | None = None) -> Outcome:
        """Wait for the end of the call that was started."""
        if self._answered is not None:
            answered, self._answered = self._answered, None
            return answered
        outcome = self._process.join(budget)
        if self._started is not None:
            self._note(self._started, outcome)
        return outcome

    @property
    def no_barrier(self) -> str | None:
        """Why `together` cannot be used here."""
        return self._process.no_barrier

    def together(
        self, lanes: Sequence[Sequence[Call]], budget: float | None = None
    ) -> list[list[TimedOutcome]]:
        """Make calls one by one: what is wrong for one value is so in any thread."""
        del budget
        return [[TimedOutcome(self.call(call), 0, 1) for call in lane] for lane in lanes]

    def litmus(
        self, threads: Sequence[Sequence[Move]], times: int, budget: float | None = None
    ) -> Sequence[float]:
        """Let the real functions make it: what is wrong for one value is no matter of order."""
        return self._process.litmus(threads, times, budget)

    def _note(self, call: Call, outcome: Outcome) -> None:
        self._history.note(call, outcome)
        self._owner.called.add(call.function)
        for kind, handles in self._history.living.items():
            self._owner.most[kind] = max(self._owner.most[kind], len(handles))
        longest, function = self._owner.longest, self._registry.functions[call.function]
        longest[function.name] = max(longest[function.name], filled(function, call, outcome))

    # when it is wrong

    def _is_wrong(self, call: Call) -> bool:
        mutant = self._owner.mutant
        return mutant is not None and mutant.function == call.function and self._is_met(call)

    def _is_met(self, call: Call) -> bool:
        """Return whether a call of the function is one that it is wrong for."""
        mutant, history = self._mutant, self._history
        if mutant.kind is Kind.AGAIN:
            return history.again(call)
        argument = call.args[self._index(mutant.parameter)]
        if not isinstance(argument, int):
            return False
        match mutant.kind:
            case Kind.VALUE:
                return self._has_value(call, argument)
            case Kind.OBJECT | Kind.AGENT:
                return history.is_second(self._kind, argument)
            case Kind.ELEMENT:
                return argument >= 2
            case Kind.SIZE:
                return argument > mutant.value
            case Kind.POINTER:
                return history.pointer(argument) == mutant.name

    def _has_value(self, call: Call, argument: int) -> bool:
        mutant = self._mutant
        if mutant.member is None:
            size = size_of(self._function.parameter[mutant.parameter].type, self._registry)
            return argument & ((1 << 8 * size) - 1) == mutant.value
        offset, size = mutant.member
        parameter = self._function.parameter[mutant.parameter]
        stride = size_of(pointee(parameter.type), self._registry)
        count = call.args[self._index(parameter.length)] if parameter.length else 1
        content = self._content(call, argument, stride * min(int(str(count)), 64))
        places = range(offset, len(content) - size + 1, stride)
        return any(int.from_bytes(content[p : p + size], "little") == mutant.value for p in places)

    def _content(self, call: Call, address: int, size: int) -> bytes:
        """Return what a call will find in memory."""
        self._write_inputs(call)
        return (self._process.read(address, size) if address and size else None) or b""

    # what it does then

    def _wrong(self, call: Call) -> Outcome:
        match self._mutant.fault:
            case Fault.REFUSED:
                status = self._registry.status(strange(self._function))
                return self._hit(self._unmade(call, status))
            case Fault.UNDONE:
                return self._hit(self._unmade(call, 0))
            case Fault.ACCEPTED:
                outcome = self._process.call(call)
                return self._hit(replace(outcome, result=0)) if outcome.result else outcome
            case Fault.CHANGED:
                return self._changed(call, self._process.call(call))
            case Fault.FIRST:
                name = self._mutant.parameter
                return self._hit(self._with(call, {name: self._history.first(self._kind)}))
            case Fault.CUT:
                return self._hit(self._with(call, {self._mutant.parameter: self._mutant.value}))
            case Fault.DROPPED:
                count = call.args[self._index(self._mutant.parameter)]
                assert isinstance(count, int)
                return self._hit(self._with(call, {self._mutant.parameter: count - 1}))
            case Fault.REPLACED:
                return self._replaced(call)

    def _hit(self, outcome: Outcome) -> Outcome:
        self._owner.hits += 1
        return outcome

    def _unmade(self, call: Call, result: int) -> Outcome:
        """Answer a call without making it."""
        self._write_inputs(call)
        return Outcome(result, tuple(self._process.read(a, size) for a, size in call.reads))

    def _with(self, call: Call, numbers: Mapping[str, int]) -> Outcome:
        """Make a call with other numbers."""
        names = [p.name for p in self._function.params]
        args = tuple(numbers.get(n, a) for n, a in zip(names, call.args, strict=True))
        return self._process.call(replace(call, args=args))

    def _changed(self, call: Call, outcome: Outcome) -> Outcome:
        """Change a bit of the value that a call returns, or a byte of each eight of an output.

        Of a time it is every byte: nobody misses a few ticks, since no two clocks are read at once.
        """
        if self._function.result != STATUS:
            return self._hit(replace(outcome, result=outcome.result ^ 1))
        found = outputs(self._function, call)
        places = {found[p.name][0] for p in self._function.params if self._is_plain(call, p, found)}
        times = {
            found[p.name][0] for p in self._function.params if p.name in found and p.unit == "ticks"
        }
        before = dict(call.writes)
        reads = list(outcome.reads)
        for index, (address, size) in enumerate(call.reads):
            content = reads[index]
            untouched = content is None or content == before.get(address, b"")[:size]
            if address not in places or untouched or outcome.result or not content:
                continue
            step = 1 if address in times else 8
            wrong = bytes(b if i % step else b ^ 0xFF for i, b in enumerate(content))
            self._process.write(address, wrong)
            reads[index] = wrong
            return self._hit(replace(outcome, reads=tuple(reads)))
        return outcome

    def _is_plain(self, call: Call, parameter: Parameter, found: Collection[str]) -> bool:
        """Return whether an output holds a number or text, and nothing that others would die of."""
        if parameter.name not in found or parameter.direction != "out":
            return False
        ctype = pointee(parameter.type)
        if ctype == "void":
            asked = next((p.name for p in self._function.params if p.role == "attribute"), None)
            value = call.args[self._index(asked)] if asked else 0
            attribute = self._registry.reported(self._function.name, int(str(value)))
            ctype = attribute.type if attribute else "void*"
        struct = self._registry.structs.get(ctype)
        return not ctype.endswith("*") and not (struct and struct.handle)

    def _replaced(self, call: Call) -> Outcome:
        """Make a call whose list ends with its first element."""
        count = call.args[self._index(self._mutant.parameter)]
        array = next(p for p in self._function.params if p.name == self._mutant.name)
        address = call.args[self._index(array.name)]
        assert isinstance(count, int)
        size = size_of(pointee(array.type), self._registry)
        if not isinstance(address, int) or not 2 <= count <= 1024:
            return self._process.call(call)
        content = self._content(call, address, size * count)
        if len(content) < size * count or content[:size] == content[-size:]:
            return self._process.call(call)
        last = address + size * (count - 1)
        outcome = self._process.call(replace(call, writes=(*call.writes, (last, content[:size]))))
        if array.direction == "in":
            self._process.write(last, content[-size:])
        return self._hit(outcome)

    def _write_inputs(self, call: Call) -> None:
        for address, content in call.writes:
            self._process.write(address, content)

    @property
    def _mutant(self) -> Mutant:
        assert self._owner.mutant is not None
        return self._owner.mutant

    @property
    def _function(self) -> Function:
        return self._registry.functions[self._mutant.function]

    @property
    def _kind(self) -> str:
        kind = kind_of(self._function.parameter[self._mutant.parameter], self._registry)
        assert kind is not None
        return kind

    def _index(self, name: str) -> int:
        return [p.name for p in self._function.params].index(name)

    # what is passed through

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory."""
        return self._process.read(address, size)

    def write(self, address: int, data: bytes) -> bool:
        """Write memory."""
        return self._process.write(address, data)

    def exported_beside(self, address: int) -> Mapping[str, int] | None:
        """Return where the file with the code at an address exports functions of HSA."""
        return self._process.exported_beside(address)

    def descriptors(self) -> Mapping[int, str]:
        """Return the open file descriptors."""
        return self._process.descriptors()

    def close_descriptor(self, descriptor: int) -> bool:
        """Close a file descriptor."""
        return self._process.close_descriptor(descriptor)

    def open_file(self, size: int, content: bytes = b"", *, readable: bool = True) -> int:
        """Open an anonymous file."""
        return self._process.open_file(size, content, readable=readable)

    def set_variable(self, name: str, value: str) -> bool:
        """Set a variable of the environment."""
        return self._process.set_variable(name, value)

    def mappings(self) -> int:
        """Return how many memory mappings there are."""
        return self._process.mappings()

    def ledger(self) -> Mapping[str, int]:
        """Return how many things of each kind the process holds."""
        return self._process.ledger()

    def spent(self) -> float:
        """Return the seconds of processor time that the process has taken."""
        return self._process.spent()

    def threads(self, most: int) -> int:
        """Return how many threads the library has."""
        return self._process.threads(most)

    def peer(self) -> BrokenProcess:
        """Start a second process, which is wrong in the same way."""
        return BrokenProcess(self._process.peer(), self._owner)

    def send_descriptor(self, descriptor: int) -> int:
        """Send a descriptor to the peer."""
        return self._process.send_descriptor(descriptor)

    def interrupt(self, times: int, pause: float, *, restart: bool) -> None:
        """Send a signal to every thread, again and again."""
        self._process.interrupt(times, pause, restart=restart)

    def inherited(self) -> Mapping[int, str] | None:
        """Return the descriptors that a program would have that the process executes."""
        return self._process.inherited()

    def fork(self, calls: Sequence[str], how: str, patience: float) -> End | None:
        """Fork a copy of the process, which makes calls and ends."""
        return self._process.fork(calls, how, patience)

    def holdings(self) -> Holdings:
        """Return what the process has that could stay when it ends."""
        return self._process.holdings()

    def left_by(self, holdings: Holdings) -> Sequence[str]:
        """Return in words what is there of another process."""
        return self._process.left_by(holdings)

    def end(self, how: str) -> End | None:
        """End the process in some way."""
        return self._process.end(how)

    def settle(self, seconds: float) -> None:
        """Let the process go on for a while."""
        self._process.settle(seconds)

    def captured(self) -> str:
        """Return what the library printed."""
        return self._process.captured()

    def close(self) -> None:
        """End the process and its peer."""
        self._process.close()
