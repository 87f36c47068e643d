"""The adapter for implementations written in Python, in this process."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from hsa_adapters import interrupts
from hsa_adapters.calls import Call, Callback, Outcome, Repeat, TimedOutcome, plain
from hsa_adapters.ends import Holdings
from hsa_adapters.errors import AdapterError, Ended
from hsa_adapters.faults import Faults
from hsa_adapters.moves import CallMove, Move, plain_move
from hsa_adapters.protocol import Subject
from hsa_adapters.signatures import Signatures, signatures
from hsa_adapters.worker.calls.binding import Callbacks, Pointers
from hsa_adapters.worker.calls.executor import Executor, RequestError
from hsa_adapters.worker.calls.memory import Memory
from hsa_adapters.worker.calls.watch import Watch
from hsa_adapters.worker.ends.interruption import interrupt
from hsa_adapters.worker.ends.mappings import Mappings, exported_beside
from hsa_adapters.worker.library.facts import host
from hsa_adapters.worker.resources.descriptors import Descriptors, mappings
from hsa_adapters.worker.resources.ledger import Ledger
from hsa_adapters.worker.threads.background import Background
from hsa_adapters.worker.threads.litmus import Litmus
from hsa_adapters.worker.threads.together import Together, no_barrier
from hsa_spec.model import Registry

Functions = Mapping[str, Callable[..., int | None]]


@runtime_checkable
class Accountable(Protocol):
    """Functions of an instance that tells what it holds."""

    def holdings(self) -> Mapping[str, int]:
        """Return how many things of each kind it holds, by what one of them is called."""
        ...


#: A process that took more references than this leaves the rest to the garbage collector.
_MOST_REFERENCES = 1000
#: Seconds that the call of a thread may take; no other call of this process can be ended.
BUDGET = 5.0


class InProcessAdapter:
    """Runs an implementation without processes: fast, and with nothing between it and a debugger.

    A process is a fresh instance of the implementation, its peer another one. What is one per
    operating system process is shared: descriptors, mappings, and a crash.

    Args:
        name: the name on the command line and in reports.
        make: returns the functions of a fresh instance by name; they take and return raw integers.
            A table that one of them fills holds addresses, such as those of ctypes callbacks; what
            such a callback raises is lost to ctypes and answers 0, so it has to catch everything.
        registry: says which functions and callbacks there are.
        kernels: whether its devices execute kernels; None for real ones, which do.
        faults: refuses what its functions ask the driver for; None where nothing does.
        memory: refuses memory to them; by default nothing does, as its memory is that of the suite.

    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Functions],
        registry: Registry,
        *,
        kernels: bool | None = None,
        faults: Faults | None = None,
        memory: Faults | None = None,
    ) -> None:
        self._name = name
        self._make = make
        self._registry = registry
        self._kernels = kernels
        self._faults = faults
        self._memory = memory
        self._signatures = signatures(registry)
        self._processes: list[InProcess] = []

    @property
    def name(self) -> str:
        """The name on the command line and in reports."""
        return self._name

    def start(self) -> Subject:
        """Make one instance, to warm up what all share, and describe it."""
        made = self._make()
        offered = frozenset(made) & frozenset(self._registry.functions)
        return Subject(
            adapter=self._name,
            implementation=self._name,
            path=None,
            build_id=None,
            exports=offered,
            host=host(),
            # What Python offers is what it was written for: nothing is left out by a linker.
            claims=offered,
            kernels=self._kernels,
            interpreted=not any(hasattr(f, "argtypes") for f in made.values()),
        )

    def process(self) -> InProcess:
        """Return a fresh instance that is not initialised."""
        self._processes = [p for p in self._processes if p.is_open]
        process = InProcess(self._make, self._signatures)
        self._processes.append(process)
        return process

    def faults(self) -> Faults | None:
        """Return what refuses requests to the driver, None where nothing does."""
        return self._faults

    def memory(self) -> Faults | str:
        """Return what refuses it memory, or why nothing can."""
        return (
            self._memory or "an implementation in the suite's own process cannot be refused memory"
        )

    def complaints(self) -> Sequence[str]:
        """Return nothing: there is no machine beneath it."""
        return ()

    def observations(self) -> Sequence[str]:
        """Return nothing: its process is that of the suite."""
        return ()

    def close(self) -> None:
        """Forget every instance."""
        while self._processes:
            self._processes.pop().close()


class InProcess:
    """One instance; see `hsa_adapters.protocol.Process`.

    Args:
        make: returns the functions of a fresh instance.
        signatures: signatures of the functions and the callback types.
        first: for a peer, the instance that it is the peer of.

    """

    def __init__(
        self,
        make: Callable[[], Functions],
        signatures: Signatures,
        first: InProcess | None = None,
    ) -> None:
        self._make = make
        self._signatures = signatures
        self._pipe = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._memory = Memory(self._pipe)
        self._descriptors = Descriptors()
        self._functions = make()
        self._watch = Watch()
        self._callbacks = Callbacks(signatures["callbacks"], BUDGET)
        self._executor = Executor(
            self._functions,
            _Code(signatures["functions"]),
            self._callbacks,
            self._memory,
            self._watch,
            budget=0.0,
        )
        self._together = Together(self._executor, self._memory, self._watch)
        self._litmus = Litmus(self._executor, self._memory, self._watch)
        self._background = Background(self._executor, self._memory)
        self._started: Call | None = None
        self._is_peer = first is not None
        self._other = first
        self._over: Ended | None = None
        self._open = True

    @property
    def is_open(self) -> bool:
        """Whether the instance can still be used."""
        return self._open

    @property
    def scratch(self) -> tuple[int, int]:
        """Address and size of memory that the suite may use as it likes."""
        return self._memory.address, self._memory.size

    @property
    def page_size(self) -> int:
        """Size of a page in bytes."""
        return os.sysconf("SC_PAGESIZE")

    def call(self, call: Call) -> Outcome:
        """Make one call. Nothing ends it when it exceeds its budget."""
        self._check()
        try:
            result, reads, invocations = self._executor.call(_plain(call))
        except (Exception, SystemExit) as error:
            raise self._death(call, error) from error
        return Outcome(result, tuple(reads), tuple(tuple(each) for each in invocations))

    def batch(self, calls: Sequence[Call]) -> list[Outcome]:
        """Make several calls, one after the other."""
        return [self.call(call) for call in calls]

    def start(self, call: Call, repeat: Repeat | None = None) -> None:
        """Make a call in a thread of its own."""
        self._check()
        growth = None if repeat is None else (repeat.most, repeat.step)
        try:
            self._background.start(_plain(call), growth)
        except (Exception, SystemExit) as error:
            raise self._death(call, error) from error
        self._started = call

    def join(self, budget: float | None = None) -> Outcome:
        """Wait for the end of the call that was started; a hanging thread is left alone."""
        self._check()
        try:
            result, zeros, reads, callbacks = self._background.join(budget or BUDGET)
        except (Exception, SystemExit) as error:
            raise self._death(self._started, error) from error
        self._started = None
        return Outcome(result, tuple(reads), tuple(map(tuple, callbacks)), zeros)

    @property
    def no_barrier(self) -> str | None:
        """Why `together` cannot be used here; None where it can, as with functions of Python."""
        return (
            no_barrier() if any(hasattr(f, "argtypes") for f in self._functions.values()) else None
        )

    def together(
        self, lanes: Sequence[Sequence[Call]], budget: float | None = None
    ) -> list[list[TimedOutcome]]:
        """Make calls in several threads, which are released at one time."""
        self._check()
        try:
            plainly = [
                [(_plain(call), call.loads, call.meeting, call.pause) for call in lane]
                for lane in lanes
            ]
            done = self._together.run(plainly, budget or BUDGET)
        except (Exception, SystemExit) as error:
            calls = [call for lane in lanes for call in lane]
            position = self._watch.under_way()
            raise self._death(None if position is None else calls[position], error) from error
        return [
            [
                TimedOutcome(Outcome(result, tuple(reads), tuple(map(tuple, heard))), began, ended)
                for result, reads, heard, began, ended in lane
            ]
            for lane in done
        ]

    def litmus(
        self, threads: Sequence[Sequence[Move]], times: int, budget: float | None = None
    ) -> Sequence[float]:
        """Let each of several threads make its moves again and again, all at one time."""
        self._check()
        try:
            plainly = [[plain_move(move) for move in moves] for moves in threads]
            return self._litmus.run(plainly, times, budget or BUDGET)
        except (Exception, SystemExit) as error:
            calls = [move.call for moves in threads for move in moves if isinstance(move, CallMove)]
            position = self._watch.under_way()
            raise self._death(None if position is None else calls[position], error) from error

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory, or return None where it cannot be read."""
        self._check()
        return self._memory.read(address, size)

    def write(self, address: int, data: bytes) -> bool:
        """Write memory; False where it cannot be written."""
        self._check()
        return self._memory.write(address, data)

    def exported_beside(self, address: int) -> Mapping[str, int] | None:
        """Return where the file with the code at an address exports functions of HSA, by name."""
        self._check()
        return exported_beside(address)

    def descriptors(self) -> Mapping[int, str]:
        """Return the descriptors that were opened since this instance was made."""
        self._check()
        return self._descriptors.listing()

    def close_descriptor(self, descriptor: int) -> bool:
        """Close a file descriptor; False when it was not open or is older than this instance."""
        self._check()
        return self._descriptors.close(descriptor)

    def open_file(self, size: int, content: bytes = b"", *, readable: bool = True) -> int:
        """Open an ordinary anonymous file and return its descriptor; see the protocol."""
        self._check()
        return self._descriptors.open_file(size, content, readable)

    def set_variable(self, name: str, value: str) -> bool:
        """Return False: the environment is that of everything in this process."""
        del name, value
        self._check()
        return False

    def mappings(self) -> int:
        """Return how many memory mappings this operating system process has."""
        self._check()
        return mappings()

    def ledger(self) -> Mapping[str, int]:
        """Return what this instance holds, as far as it can be told from what the suite does.

        Mappings are counted where it does not tell itself: stacks of threads of other instances,
        which end when they like, are among them.
        """
        self._check()
        tells = self._functions if isinstance(self._functions, Accountable) else None
        counts = Ledger(self._descriptors, None, mapped=tells is None).counts()
        return counts if tells is None else {**counts, **tells.holdings()}

    def spent(self) -> float:
        """Return the seconds of processor time of this process, where others work as well."""
        self._check()
        return time.process_time()

    def threads(self, most: int) -> int:
        """Return 0: what runs in this process starts no threads of its own."""
        del most
        self._check()
        return 0

    def peer(self) -> InProcess:
        """Make a second instance; an earlier peer is closed.

        Raises:
            AdapterError: this instance is a peer itself.

        """
        self._check()
        if self._is_peer:
            raise AdapterError("a peer has no peer of its own")
        if self._other is not None:
            self._other.close()
        self._other = InProcess(self._make, self._signatures, self)
        return self._other

    def send_descriptor(self, descriptor: int) -> int:
        """Duplicate a descriptor for the other instance and return the new number.

        Raises:
            AdapterError: there is no peer, or the descriptor is not open.

        """
        self._check()
        if self._other is None:
            raise AdapterError("start a peer before sending it a descriptor")
        self._other._check()
        try:
            return os.dup(descriptor)
        except OSError as error:
            raise AdapterError(str(error)) from error

    def interrupt(self, times: int, pause: float, *, restart: bool) -> None:
        """Send a signal with a handler that does nothing to every thread, also to others' here."""
        self._check()
        interrupt(times, pause, restart=restart)

    def inherited(self) -> None:
        """Return None: the process is not the instance's alone."""
        self._check()

    def fork(self, calls: Sequence[str], how: str, patience: float) -> None:
        """Do nothing: the process is not the instance's alone."""
        del calls, how, patience
        self._check()

    def holdings(self) -> Holdings:
        """Return nothing but the number of this process, which goes on."""
        self._check()
        return Holdings(os.getpid())

    def left_by(self, holdings: Holdings) -> Sequence[str]:
        """Return nothing: no process has ended."""
        del holdings
        self._check()
        return ()

    def end(self, how: str) -> None:
        """Do nothing: the process is not the instance's alone."""
        del how
        self._check()

    def settle(self, seconds: float) -> None:
        """Do nothing: the process is not the instance's alone."""
        del seconds
        self._check()

    def captured(self) -> str:
        """Return nothing: what the implementation prints goes where this process prints."""
        self._check()
        return ""

    def close(self) -> None:
        """Forget the instance and its peer."""
        if not self._open:
            return
        self._open = False
        self._callbacks.let_go()
        self._shut_down()
        for end in self._pipe:
            os.close(end)
        if self._other is not None and not self._is_peer:
            self._other.close()

    def _shut_down(self) -> None:
        """Let the instance release what the end of a real process would."""
        shut_down = self._functions.get("hsa_shut_down")
        if shut_down is None or self._over is not None:
            return
        for _ in range(_MOST_REFERENCES):
            if shut_down() != 0:
                break

    def _death(self, call: Call | None, error: BaseException) -> AdapterError | Ended:
        """Return what a call raised as the end of the process, or as an error of the suite."""
        match error:
            case RequestError():
                return AdapterError(str(error))
            case TimeoutError():
                self._over = Ended("HANG", call, "the call did not return within its budget")
            case SystemExit():
                self._over = Ended("EXIT", call, f"exit status {error.code or 0}")
            case _:
                trace = "".join(traceback.format_exception(error))
                self._over = Ended("CRASH", call, repr(error), stderr=trace)
        return self._over

    def _check(self) -> None:
        interrupts.checkpoint()
        if not self._open:
            raise AdapterError("this process was closed")
        if self._over is not None:
            raise self._over


class NoCodeError(Exception):
    """A call went where there is no code; a process of its own would die of it."""


class _Code(Pointers):
    """Functions by address; a wrong one does not take the suite with it."""

    def _make(self, kind: Any, address: int) -> Callable[..., Any]:  # noqa: ANN401 - a ctypes class
        if not Mappings().holds(address):
            raise NoCodeError(f"{address:#x}")
        return super()._make(kind, address)


def _plain(call: Call) -> tuple[Any, ...]:
    """Return a call as the executor takes it."""
    args = [_listed(a) if isinstance(a, Callback) else a for a in call.args]
    function, _, *others = plain(call)
    return function, args, *others


def _listed(callback: Callback) -> list[Any]:
    *given, _, results = callback.described
    return [*given, [_plain(call) for call in callback.calls], results]
