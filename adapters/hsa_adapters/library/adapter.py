"""The adapter for C libraries."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hsa_adapters.errors import AdapterError, MisuseError
from hsa_adapters.faults import Faults
from hsa_adapters.library import release as releases
from hsa_adapters.library.connection import Connection
from hsa_adapters.library.cores import SharedCore
from hsa_adapters.library.observations import Observations
from hsa_adapters.library.process import Session, WorkerProcess
from hsa_adapters.library.sanitizers import has_runtime, preloading
from hsa_adapters.library.via import command
from hsa_adapters.limits import Limits
from hsa_adapters.memory import MemoryFaults
from hsa_adapters.protocol import Subject
from hsa_adapters.request_faults import CountedElsewhere
from hsa_adapters.signatures import signatures
from hsa_adapters.worker.library import c_library
from hsa_spec.compiler import CompilerError
from hsa_spec.model import Registry
from hsa_spec.releases import Release

#: Seconds that a call may take before its process hangs (`--budget`).
BUDGET = 5.0
NONE = Limits()
UNKNOWN = Release()


class LibraryAdapter:
    """Runs a shared library in worker processes; see `hsa_adapters.protocol.Adapter`.

    Each worker loads the library once and forks a process for whoever asks; it serves one process
    with its peer at a time, so as many workers are started as there are processes at once.

    Args:
        path: the library, on the machine where the worker runs; a name without a slash that is no
            file there is left to the dynamic loader.
        registry: says which functions there are and how they are called.
        via: command that runs Python next to the library, see `via.command`; None for this machine
            and this Python.
        environment: variables to set in the worker before the library is loaded.
        budget: seconds that a call may take when it does not say.
        limits: what each process may take.
        release: the ROCm release, such as "6.1.2", when it is known.
        claims: the functions that the library is meant to offer; None: all of its release.
        named: those of them that it is said to have one by one, and not as a part of a set.
        claims_exports: it is meant to offer what it exports.
        claimed: what is claimed of its version, such as which release of ROCr it is.
        agents: how many agents of a kind it is claimed to list; None where nothing is claimed.
        requests: those that the library counts itself, if it does; on this machine alone.
        share_core: keep parent and workers on one core from `start` to `close`, which makes a call
            several times cheaper but gives the library's threads one core, too. Only for workers on
            this machine; by default it is done when there is no `via`.

    """

    name = "library"

    def __init__(
        self,
        path: str | Path,
        registry: Registry,
        *,
        via: str | None = None,
        environment: Mapping[str, str] | None = None,
        budget: float = BUDGET,
        limits: Limits = NONE,
        release: str | None = None,
        claims: frozenset[str] | None = None,
        named: frozenset[str] = frozenset(),
        claims_exports: bool = False,
        claimed: Release = UNKNOWN,
        agents: Mapping[str, int] | None = None,
        requests: CountedElsewhere | None = None,
        share_core: bool | None = None,
    ) -> None:
        self._registry = registry
        self._budget = budget
        self._release = release
        self._claims = claims
        self._named = named
        self._claims_exports = claims_exports
        self._claimed = claimed
        self._agents = agents
        self._share_core = via is None if share_core is None else share_core
        self._memory: Faults | str = "memory can be refused on this machine alone"
        self._preloaded: MemoryFaults | None = None
        self._faults: Faults | None = None
        self._requests = requests
        self._here = via is None
        self._core: SharedCore | None = None
        self._settings: dict[str, Any] = {
            "library": os.fspath(path),
            "environment": dict(environment or {}),
            "budget": budget,
            "output": limits.output,
            "memory": limits.memory or 0,
            **signatures(registry),
        }
        self._command = command(via)
        self._seen = Observations()
        self._idle: list[Connection] = []
        self._connections: list[Connection] = []

    def set_variables(self, variables: Mapping[str, str]) -> None:
        """Set more variables in workers that are started from now on.

        A library that LD_PRELOAD names is loaded before all others, on the worker's side.
        """
        self._settings["environment"] = preloading(self._settings["environment"], variables)

    def place_here(self) -> None:
        """Say that workers see the files of this machine, whatever command starts them."""
        self._here = True

    def start(self) -> Subject:
        """Load the library and describe it.

        Raises:
            AdapterError: it cannot be loaded; the message says what to do.
            MisuseError: it is said to have a function that it lacks.

        """
        if self._here and isinstance(self._memory, str):
            self._memory = self._refusable()
            if self._requests is not None:
                self.set_variables(self._requests.environment())
        if self._share_core and self._core is None:
            self._core = SharedCore()
        try:
            connection = self._take()
        except AdapterError:
            self.close()
            raise
        if self._here and self._requests and (own := self._requests.refusers()):
            self._faults, self._memory = own
        hello = connection.hello
        exports = frozenset(hello["exports"])
        found = releases.find(
            explicit=self._release,
            manifest=hello["manifest"],
            file=hello["path"],
            package=lambda: connection.request(0, "package", (), 60.0),
        )
        topology = connection.request(0, "topology", (), 60.0)
        self._idle.append(connection)
        self._check_named(exports, hello["path"])
        return Subject(
            adapter=self.name,
            implementation="library",
            path=hello["path"],
            build_id=hello["build_id"],
            exports=exports,
            host=hello["host"],
            release=found.number if found else None,
            release_from=found.how if found else None,
            device=hello["device"],
            seeks_device=hello["seeks_device"],
            claims=exports if self._claims_exports else self._claims,
            claimed=self._claimed,
            agents=self._agents,
            hides=hello["hides"],
            imitates_profiler=hello["imitates_profiler"],
            topology=topology,
        )

    def _refusable(self) -> MemoryFaults | str:
        """Have what refuses memory loaded before all else in workers, if it can be."""
        variables = self._settings["environment"]
        if has_runtime(self._settings["library"], variables):
            return "a sanitizer has the functions of the heap"
        if not (own := c_library.own()).startswith("glibc"):
            return f"memory can be refused with glibc alone, and this Python uses {own}"
        try:
            memory = MemoryFaults()
        except (CompilerError, OSError) as error:
            return f"memory cannot be refused: {error}".splitlines()[0]
        # What is preloaded first is asked first, and asks whatever is behind it.
        self._settings["environment"] = preloading(memory.environment(), variables)
        self._preloaded = memory
        return memory

    def _check_named(self, exports: frozenset[str], path: str) -> None:
        functions = self._registry.functions
        lacking = [n for n in sorted(self._named - exports) if functions[n].export == "linker"]
        if lacking:
            self.close()
            more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
            raise MisuseError(
                f"the claim names {lacking[0]}{more}, which {path} does not export: leave it out, "
                "or claim its set, of which it then fails"
            )

    def process(self) -> WorkerProcess:
        """Return a fresh process with the library loaded and not initialised.

        Raises:
            AdapterError: no worker can be started.

        """
        if isinstance(self._memory, MemoryFaults):
            self._memory.repair()  # what one process has done to it must not hit another
        return WorkerProcess(Session(self._take(), self._budget, self._give_back, self._seen))

    def faults(self) -> Faults | None:
        """Return what refuses the driver's resources; None on a real machine."""
        return self._faults

    def memory(self) -> Faults | str:
        """Return what refuses memory to the processes, or why nothing can, once it has started."""
        return self._memory

    def complaints(self) -> Sequence[str]:
        """Return nothing: the machine is a real one."""
        return ()

    def observations(self) -> Sequence[str]:
        """Return what the library did to its processes, or left of them."""
        return self._seen.take()

    def close(self) -> None:
        """Stop everything that was started."""
        while self._connections:
            self._connections.pop().close()
        self._idle.clear()
        for shared in (self._preloaded, self._requests):
            if shared is not None:
                shared.close()
        self._preloaded = self._faults = None
        if not isinstance(self._memory, str):
            self._memory = "the library was closed"
        if self._core is not None:
            self._core.release()
            self._core = None

    def _take(self) -> Connection:
        if self._idle:
            return self._idle.pop()
        connection = Connection(self._command, self._settings)
        self._connections.append(connection)
        return connection

    def _give_back(self, connection: Connection, usable: bool) -> None:
        if usable and connection in self._connections:
            self._idle.append(connection)
        elif connection in self._connections:
            self._connections.remove(connection)
            connection.close()
