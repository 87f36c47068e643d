"""What the suite may ask of an implementation: the adapter protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hsa_adapters.calls import Call, Outcome, Repeat, TimedOutcome
from hsa_adapters.ends import Mortal
from hsa_adapters.faults import Faults
from hsa_adapters.moves import Move
from hsa_spec.releases import Release


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
        agents: how many agents of a kind ("cpu", "gpu") it claims to list; None: it does not say.
        hides: what ROCR_VISIBLE_DEVICES, which hides GPUs, says in its environment; None: nothing.
        machine: the imitated machine that it runs on, or None where driver and devices are real.
        kernels: whether its devices execute kernels; None for real ones, which do.
        imitates_profiler: whether the profiler that it loads is one of an imitated machine.
        interpreted: whether its threads take turns, as those of Python do: calls that they make at
            one time take one core.
        topology: what the driver's files say of each processor, as the library sees them; see
            `hsa_adapters.worker.library.topology`. Nothing where there are none.

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
    agents: Mapping[str, int] | None = None
    hides: str | None = None
    machine: str | None = None
    kernels: bool | None = None
    imitates_profiler: bool = False
    interpreted: bool = False
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
    ) -> list[list[TimedOutcome]]:
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

    def exported_beside(self, address: int) -> Mapping[str, int] | None:
        """Return where the file with the code at an address exports functions of HSA, by name.

        Returns:
            Nothing where code is in no file, or in one that exports none; None where no code is.

        """
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
        """Return how many things of each kind the process holds, by the name of one.

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

    def settle(self, seconds: float) -> None:
        """Let the process go on for a while; if it ends, the last call that it made ends it.

        Args:
            seconds: for how long; 0 to look only whether the process is still looked after.

        """
        ...

    def captured(self) -> str:
        """Return what the library printed so far on descriptors 1 and 2."""
        ...

    def close(self) -> None:
        """End the process and its peer."""
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

    def observations(self) -> Sequence[str]:
        """Return what was seen of the processes since the last time, in sentences.

        That is what the implementation changes of them, such as a handler of a signal, or leaves
        behind when they end. It is for people, and decides no verdict.
        """
        ...

    def close(self) -> None:
        """Stop everything that was started."""
        ...
