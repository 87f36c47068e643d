"""A C library on an imitated machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from hsa_adapters.errors import AdapterError
from hsa_adapters.faults import Faults, Refusal
from hsa_adapters.library.adapter import LibraryAdapter
from hsa_adapters.library.process import WorkerProcess
from hsa_adapters.protocol import Subject
from hsa_adapters.temporary import TemporaryFolder
from hsa_adapters.virtual_kfd import faults
from hsa_adapters.virtual_kfd.build import cached
from hsa_adapters.virtual_kfd.device import started
from hsa_adapters.virtual_kfd.errnos import DONE, ERRNOS, GIVING_BACK
from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_adapters.virtual_kfd.folder import VirtualKfd, prepare
from hsa_spec.machines import Machine


class MachineFaults:
    """The failures of one machine; see `hsa_adapters.faults.Faults`.

    Args:
        kfd: the machine.

    """

    def __init__(self, kfd: VirtualKfd) -> None:
        self._kfd = kfd

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        """Let a later call of the driver fail; see `faults.arm`."""
        faults.arm(self._kfd, call, error, after, lasting=lasting)

    def disarm(self) -> None:
        """Let no call fail any more."""
        faults.disarm(self._kfd)

    def hits(self) -> int:
        """Return how many calls have failed since the driver was armed."""
        return faults.hits(self._kfd)

    def left(self) -> int:
        """Return how many more calls succeed before one fails."""
        return faults.left(self._kfd)

    def watch(self) -> None:
        """Count calls, and let none fail; see `faults.watch`."""
        faults.watch(self._kfd)

    def made(self) -> Mapping[str, int]:
        """Return how many calls of each kind were made; see `faults.made`."""
        return faults.made(self._kfd)

    def noted(self) -> Sequence[str]:
        """Return which call was refused, and which ones followed; see `faults.noted`."""
        return faults.noted(self._kfd)

    def alike(self) -> tuple[int, int]:
        """Return 0 and 0: calls of a driver are counted by their kind."""
        return 0, 0

    def beyond(self) -> int:
        """Return how often devices were given a kernel that they do not execute."""
        return faults.kernels(self._kfd)

    def lacking(self) -> Sequence[str]:
        """Return what devices lacked for the kernels that they were given."""
        return self._kfd.lacking()

    def executed(self) -> Mapping[str, str]:
        """Return how devices executed instructions; see `VirtualKfd.executed`."""
        return self._kfd.executed()

    def errors(self, call: str) -> Sequence[str]:
        """Return the errnos that the kernel gives there, the usual one first."""
        return ERRNOS.get(call, ())

    def done(self, call: str) -> Refusal:
        """Return what a refused call of a kind has done."""
        if call in DONE:
            return Refusal.ALL
        return Refusal.KEPT if call in GIVING_BACK else Refusal.NOTHING


class _MemoryOnMachine:
    """Memory that is refused on an imitated machine, whose devices have their limits.

    Args:
        memory: refuses memory.
        machine: tells what devices were asked for meanwhile.

    """

    def __init__(self, memory: Faults, machine: MachineFaults) -> None:
        self._machine = machine
        self.disarm, self.hits, self.left = memory.disarm, memory.hits, memory.left
        self.made, self.errors, self.done = memory.made, memory.errors, memory.done
        self.noted, self.alike = memory.noted, memory.alike
        self.beyond, self.lacking = machine.beyond, machine.lacking
        self.executed = machine.executed
        self._memory = memory

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        """Refuse a later request for memory; see `MemoryFaults.arm`."""
        self._machine.watch()
        self._memory.arm(call, error, after, lasting=lasting)

    def watch(self) -> None:
        """Count requests for memory, and refuse none."""
        self._machine.watch()
        self._memory.watch()


class ImitatedAdapter:
    """Puts a machine under a library; see `hsa_adapters.protocol.Adapter`.

    Args:
        library: the adapter of the library, not started.
        machine: the machine to imitate.
        seed: of the facts that the machine's file leaves open.

    """

    def __init__(self, library: LibraryAdapter, machine: Machine, seed: int = 0) -> None:
        self.name = library.name
        self._library = library
        self._machine = machine
        self._seed = seed
        self._folder: TemporaryFolder | None = None
        self._kfd: VirtualKfd | None = None
        self._ends = ExitStack()

    def start(self) -> Subject:
        """Build the machine, load the library and describe both.

        Raises:
            AdapterError: the machine cannot be built, its device cannot be started, or the library
                cannot be loaded.

        """
        if self._kfd is None:
            try:
                self._folder = TemporaryFolder()
                self._kfd = prepare(
                    self._machine, self._folder.path, library=cached(), seed=self._seed
                )
                if self._machine.driver.kernels:
                    self._ends.enter_context(started(self._kfd, quiet=True))
            except OSError as error:
                raise AdapterError(f"cannot make a temporary folder: {error.strerror}") from None
            except VirtualKfdError as error:
                self.close()
                raise AdapterError(str(error)) from None
            self._library.set_variables(self._kfd.environment())
            self._library.place_here()
        subject = self._library.start()
        return replace(subject, machine=self._machine.name, kernels=self._machine.driver.kernels)

    def process(self) -> WorkerProcess:
        """Return a fresh process with the library loaded and not initialised."""
        return self._library.process()

    def faults(self) -> MachineFaults | None:
        """Return the failures of the machine once it is there."""
        return MachineFaults(self._kfd) if self._kfd else None

    def memory(self) -> Faults | str:
        """Return what refuses memory to the processes, or why nothing can, once it has started."""
        memory = self._library.memory()
        if self._kfd is None or isinstance(memory, str):
            return memory
        return _MemoryOnMachine(memory, MachineFaults(self._kfd))

    def complaints(self) -> Sequence[str]:
        """Return what the library asked of the driver that is not imitated."""
        return self._kfd.complaints() if self._kfd else ()

    def observations(self) -> Sequence[str]:
        """Return what the library did to its processes, or left of them."""
        return self._library.observations()

    def close(self) -> None:
        """Stop everything that was started, and remove the machine."""
        self._library.close()
        self._ends.close()
        self._kfd = None
        if self._folder is not None:
            self._folder.close()
            self._folder = None
