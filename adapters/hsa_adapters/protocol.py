"""What the suite may ask of an implementation: the adapter protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from hsa_adapters.ends import Mortal
from hsa_spec.releases import Release


@dataclass(frozen=True)
class Callback:
    """A C callback that the process makes for one call.

    Args:
        type: name of the callback's type in the registry.
        returns: what it answers, call by call; the last one repeats. Ignored by allocators.
        allocate: it answers with fresh memory of the size it is asked for.
        until: where eight bytes are in the process that can be read. Each time that it is called,
            it notes that, waits until they are not 0, and answers then; other threads run
            meanwhile. It waits at most twice as long as a call may take by the adapter's default,
            so that what it keeps from coming back is seen to hang. 0: it answers at once.

    """

    type: str
    returns: tuple[int, ...] = (0,)
    allocate: bool = False
    until: int = 0


Argument = int | Callback


@dataclass(frozen=True)
class Call:
    """One call with raw arguments, and the memory to write before and read after it.

    Args:
        function: its name, by which the registry says how it is called.
        args: one for each of its parameters.
        writes: address and bytes of what is written before the call.
        reads: address and size of what is read after it.
        budget: seconds that it may take; None for the adapter's default.
        address: where the function's code is in the process; None for the symbol of its name.
        loads: arguments that are taken from memory when a thread makes the call, beside others at
            one time: the place of each, from 0, its address there, and how many bytes it has.

    """

    function: str
    args: tuple[Argument, ...]
    writes: tuple[tuple[int, bytes], ...] = ()
    reads: tuple[tuple[int, int], ...] = ()
    budget: float | None = None
    address: int | None = None
    loads: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class Repeat:
    """A call is made again and again, until its end is waited for.

    Args:
        most: how often at most.
        step: by how much the last of its two arguments grows from call to call.

    """

    most: int
    step: int


@dataclass(frozen=True)
class Outcome:
    """What a call answered.

    Args:
        result: the raw return value; of repeated calls, how many were made.
        reads: the bytes read after the call, None where the memory cannot be read.
        callbacks: the arguments of every invocation of a callback, in order.
        zeros: how many of repeated calls returned a number whose lower 32 bits are 0; it means
            nothing for functions that return nothing.

    """

    result: int
    reads: tuple[bytes | None, ...] = ()
    callbacks: tuple[tuple[int, ...], ...] = ()
    zeros: int = 0


@dataclass(frozen=True)
class Timed:
    """What a call answered that was made beside others.

    Args:
        outcome: what it answered; what is read after it was read after all of them.
        began: a time before it, in nanoseconds, which can be compared between threads.
        ended: a time after it.

    """

    outcome: Outcome
    began: int
    ended: int


@dataclass(frozen=True)
class Cell:
    """Eight bytes that a move of a litmus test reads or writes.

    Args:
        address: where they are.
        each: whether each iteration has its own: the n-th those at `address + 8 * n`, from 0.

    """

    address: int
    each: bool = False


@dataclass(frozen=True)
class Copy:
    """A move of a litmus test: a plain load and a plain store of eight bytes."""

    source: Cell
    target: Cell


@dataclass(frozen=True)
class Fence:
    """A move of a litmus test: no access of memory moves across, in either direction."""


@dataclass(frozen=True)
class Delay:
    """A move of a litmus test: the thread counts down, with no access of memory.

    Args:
        count: from what; each step takes about a cycle of the processor.

    """

    count: int


@dataclass(frozen=True)
class Made:
    """A move of a litmus test: a call.

    Args:
        call: it has no callback; nothing is read after it.
        takes: the places of arguments, from 0, that are taken from cells.
        result: where its result goes; None for nowhere.

    """

    call: Call
    takes: tuple[tuple[int, Cell], ...] = ()
    result: Cell | None = None


Move = Copy | Fence | Delay | Made


@dataclass(frozen=True)
class Subject:
    """What is under test, for the report.

    Attributes:
        adapter: the adapter's name.
        implementation: "reference", "library", or a third party's word.
        path: the library's real path, or None in process.
        build_id: the ELF build id in hexadecimal, or None.
        exports: names of the registry's functions that the implementation offers.
        host: words about the machine it runs on (kernel, processor, C library, Python).
        release: the ROCm release found so far, such as "6.1.2", and `release_from` how.
        device: whether a device node of the driver is in sight.
        seeks_device: whether it is made to open one.
        claims: the functions that it is meant to offer; None: all of its release.
        claimed: what is claimed of its version.
        machine: the imitated machine that it runs on, or None where driver and devices are real.
        kernels: whether the devices of that machine execute kernels, as real ones do.
        topology: what the driver's files say of each processor, as the library sees them; see
            `hsa_adapters.worker.topology`. Nothing where there are none.

    """

    adapter: str
    implementation: str
    path: str | None
    build_id: str | None
    exports: frozenset[str]
    host: Mapping[str, str] = field(default_factory=dict)
    release: str | None = None
    release_from: str | None = None
    device: bool = False
    seeks_device: bool = False
    claims: frozenset[str] | None = None
    claimed: Release = field(default_factory=Release)
    machine: str | None = None
    kernels: bool = False
    topology: Sequence[Mapping[str, Any]] = ()


class Process(Mortal, Protocol):
    """One process with the library loaded. Any method raises Ended when the process is gone."""

    @property
    def scratch(self) -> tuple[int, int]:
        """Address and size of memory in the process that the suite may use as it likes."""
        ...

    @property
    def page_size(self) -> int:
        """Size of a page in the process, in bytes."""
        ...

    def call(self, call: Call) -> Outcome:
        """Make one call.

        Raises:
            AdapterError: it cannot be made: there is no such function, its address is NULL, or
                memory that was to be written cannot be. An address that holds no code crashes the
                process, as any call may.

        """
        ...

    def batch(self, calls: Sequence[Call]) -> list[Outcome]:
        """Make several calls in one round trip."""
        ...

    def start(self, call: Call, repeat: Repeat | None = None) -> None:
        """Make a call in a thread of its own; one at a time.

        Other calls can be made meanwhile. What its callbacks are called with is in the outcome of
        whichever call is made then or next; one that is made again and again has no callback. When
        the process dies during none of the others, this is the call that it died in.
        """
        ...

    def join(self, budget: float | None = None) -> Outcome:
        """Wait for the end of the call that was started, for as many seconds as a call may take."""
        ...

    @property
    def no_barrier(self) -> str | None:
        """Why `together` cannot be used here, in words; None where it can."""
        ...

    def together(
        self, lanes: Sequence[Sequence[Call]], budget: float | None = None
    ) -> list[list[Timed]]:
        """Make calls in several threads, which are released at one time; return their answers.

        What calls want written is written before the first of them. When the process dies, it is
        the call of the thread in which it died, and when they do not come back, the first that
        did not.

        Args:
            lanes: the calls of each thread, which it makes one after the other. Each has callbacks
                of its own; what they are called with later is that of no call.
            budget: seconds that all of it may take; None for as long as a call may.

        Raises:
            AdapterError: one of the calls cannot be made, and none was.

        """
        ...

    def litmus(
        self, threads: Sequence[Sequence[Move]], times: int, budget: float | None = None
    ) -> Sequence[float]:
        """Let each of several threads make its moves again and again, all at one time.

        Nothing but the moves orders them, on x86-64, which `no_barrier` asks for; functions of
        Python take turns.

        Args:
            threads: the moves of each.
            times: how often each makes its own.
            budget: seconds that all of it may take; None for as long as a call may.

        Returns:
            How many seconds each of them took.

        Raises:
            AdapterError: one of the calls cannot be made, and none was.

        """
        ...

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory, or return None where it cannot be read."""
        ...

    def write(self, address: int, data: bytes) -> bool:
        """Write memory; False where it cannot be written."""
        ...

    def descriptors(self) -> Mapping[int, str]:
        """Return the open file descriptors and what they refer to, the worker's own left out."""
        ...

    def close_descriptor(self, descriptor: int) -> bool:
        """Close a file descriptor; False when it was not open."""
        ...

    def open_file(self, size: int, content: bytes = b"", *, readable: bool = True) -> int:
        """Open an ordinary anonymous file and return its descriptor.

        Args:
            size: how many bytes the file has.
            content: what its first bytes are; the others are zero.
            readable: False: it is open for writing alone.

        """
        ...

    def set_variable(self, name: str, value: str) -> bool:
        """Set a variable of the environment, which a library reads when it is initialised.

        Returns:
            False where the process is not the library's alone, and nothing is set.

        """
        ...

    def mappings(self) -> int:
        """Return how many memory mappings the process has, the worker's own growth left out."""
        ...

    def ledger(self) -> Mapping[str, int]:
        """Return how many things of each kind the process holds, by what one of them is called.

        It names what can be told here: descriptors and mappings, and in a process of its own also
        threads, addresses and the heap, and what a driver that is imitated holds for it. What is
        counted in bytes has a name that begins with "bytes of".
        """
        ...

    def spent(self) -> float:
        """Return the seconds of processor time that the process has taken."""
        ...

    def threads(self, most: int) -> int:
        """Return how many threads the library has, once it had a moment to end those beyond `most`.

        Threads of the caller do not count.
        """
        ...

    def peer(self) -> Process:
        """Start a second process of the same implementation, not initialised."""
        ...

    def send_descriptor(self, descriptor: int) -> int:
        """Send a descriptor to the peer and return the number that it has there."""
        ...

    def captured(self) -> str:
        """Return what the library printed so far on descriptors 1 and 2."""
        ...

    def close(self) -> None:
        """End the process and its peer."""
        ...


class Refused(Enum):
    """What a call of the driver has done that was refused."""

    NOTHING = "it has taken nothing"
    KEPT = "it has given nothing back"
    ALL = "it has done its work, and the device did not answer"


class Faults(Protocol):
    """A driver that can be made to fail, in one way at a time."""

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        """Let a later call of the driver fail, in place of what was armed before.

        Args:
            call: the kind of call, such as "ALLOC_MEMORY_OF_GPU".
            error: the errno's name, such as "ENOMEM".
            after: how many calls of the kind succeed before.
            lasting: whether all later ones of the kind fail, too.

        """
        ...

    def disarm(self) -> None:
        """Let no call fail any more."""
        ...

    def hits(self) -> int:
        """Return how many calls have failed since the driver was armed."""
        ...

    def left(self) -> int:
        """Return how many more calls succeed before one fails."""
        ...

    def watch(self) -> None:
        """Let no call fail, and count them from here on."""
        ...

    def made(self) -> Mapping[str, int]:
        """Return how many calls of each kind were made since `arm` or `watch`, if any were."""
        ...

    def beyond(self) -> int:
        """Return how often more was asked of devices than they can do, since `arm` or `watch`.

        What follows from that is the imitation's doing.
        """
        ...

    def lacking(self) -> Sequence[str]:
        """Return what devices lacked that execute kernels, in lines, each once."""
        ...

    def executed(self) -> Mapping[str, str]:
        """Return how devices executed the instructions of kernels, by their names.

        That is "exact", "near" where hardware may round in another way, or "lacking".
        """
        ...

    def errors(self, call: str) -> Sequence[str]:
        """Return the errnos by which a kind of call can be refused, the usual one first."""
        ...

    def done(self, call: str) -> Refused:
        """Return what a call of a kind has done that was refused."""
        ...


class Adapter(Protocol):
    """An implementation that can be put under the suite."""

    @property
    def name(self) -> str:
        """The name on the command line and in reports."""
        ...

    def start(self) -> Subject:
        """Load the implementation and describe it.

        Raises:
            AdapterError: it cannot be loaded.

        """
        ...

    def process(self) -> Process:
        """Return a fresh process with the library loaded and not initialised."""
        ...

    def faults(self) -> Faults | None:
        """Return the failures that the machine can be made to have, None where it cannot."""
        ...

    def memory(self) -> Faults | str:
        """Return what refuses memory to the processes, or in words why nothing can."""
        ...

    def complaints(self) -> Sequence[str]:
        """Return what was asked of an imitated machine that it does not have, in sentences."""
        ...

    def close(self) -> None:
        """Stop everything that was started."""
        ...
