"""What a runtime knows of executables: what is loaded, and their symbols."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from hsa_reference.amdgpu.code import Code, Definition
from hsa_reference.amdgpu.target import Target, from_name
from hsa_reference.core.agents import Agents
from hsa_reference.core.executables.executable import Executable, Symbol
from hsa_reference.core.executables.facts import Facts
from hsa_reference.core.executables.loaded_code import LoadedCode
from hsa_reference.core.executables.readers import Readers
from hsa_reference.core.isas import Isas
from hsa_reference.effects import LOCK
from hsa_reference.handles import EXECUTABLE_SYMBOLS, EXECUTABLES, LOADED_CODE_OBJECTS
from hsa_reference.kernels import Kernel
from hsa_reference.objects import Objects
from hsa_reference.outside import finishing
from hsa_reference.ranges import Ranges
from hsa_reference.state import Part, State
from hsa_reference.undoing import undoing


class Executables(Part):
    """The executables.

    Attributes:
        by_handle: of an executable.
        symbols: those of all executables, by handle.
        loaded: what all executables loaded, by handle.
        places: the same, by address.

    """

    def __init__(self, state: State) -> None:
        state.part(Readers)
        self.by_handle: Objects[int, Executable] = Objects()
        self.symbols: Objects[int, Symbol] = Objects()
        self.loaded: Objects[int, LoadedCode] = Objects()
        self.places: Ranges[LoadedCode] = Ranges()
        self._serial = 0
        self._traversing: list[int] = []
        self._changed = threading.Condition(LOCK)
        state.things["executable"] = self.by_handle.get
        state.things["executable_symbol"] = self.symbols.get
        state.things["loaded_code_object"] = self.loaded.get
        facts = Facts(
            self.by_handle, _code_of(state.things), _targets(state), state.machine.any_rounding
        )
        state.facts.update(facts.by_name())

    def create(self, profile: int, rounding: int, *, frozen: bool) -> Executable:
        """Return a new executable, once nobody visits them all.

        Raises:
            OSError: there is no memory.

        """
        self._wait()
        made = Executable(EXECUTABLES + self._number(), profile, rounding, frozen)
        self.by_handle[made.handle] = made
        return made

    def destroy(self, executable: Executable) -> None:
        """Forget an executable with all that is in it, once nobody visits them all."""
        self._wait()
        del self.by_handle[executable.handle]
        for symbol in executable.symbols.values():
            del self.symbols[symbol.handle]
        for loaded in executable.loaded:
            del self.loaded[loaded.handle]
            self.places.remove(loaded)
            loaded.unload()

    def define(
        self,
        executable: Executable,
        name: bytes,
        agent: int,
        address: int,
        *,
        readonly: bool = False,
        definition: Definition | None = None,
    ) -> None:
        """Add a symbol to an executable; see Symbol.

        Raises:
            OSError: there is no memory.

        """
        handle = EXECUTABLE_SYMBOLS + self._number()
        symbol = Symbol(handle, executable, name, agent, address, readonly, definition)
        self.symbols[handle] = symbol
        executable.symbols[name, agent] = symbol

    def keep(self, loaded: LoadedCode) -> None:
        """Add code to its executable, with all that it defines.

        Raises:
            OSError: there is no memory.

        """
        executable = self.by_handle[loaded.executable]
        with undoing(lambda: self._forget(executable, loaded)):
            self.loaded[loaded.handle] = loaded
            self.places.add(loaded)
            for name, definition in loaded.code.definitions.items():
                address = definition.address + loaded.moved
                self.define(executable, name, loaded.agent, address, definition=definition)
        executable.loaded.append(loaded)

    def _forget(self, executable: Executable, loaded: LoadedCode) -> None:
        """Forget code that an executable has but a part of."""
        for name in loaded.code.definitions:
            symbol = executable.symbols.pop((name, loaded.agent), None)
            if symbol is not None:
                del self.symbols[symbol.handle]
        if self.places.at(loaded.address) is not None:
            self.places.remove(loaded)
        self.loaded.pop(loaded.handle, None)

    def kernel(self, descriptor: int, agent: int) -> Kernel | None:
        """Return a kernel that an agent can launch, by the address of its descriptor."""
        loaded = self.places.around(descriptor)
        if loaded is None or loaded.agent != agent:
            return None
        return loaded.kernels.get(descriptor) if self.by_handle[loaded.executable].frozen else None

    def loaded_handle(self) -> int:
        """Return the handle of the next code object that is loaded."""
        return LOADED_CODE_OBJECTS + self._number()

    @contextmanager
    def standing_still(self) -> Iterator[Sequence[int]]:
        """Give the handles of all executables, while no other thread makes or destroys one."""
        with LOCK:
            handles = list(self.by_handle)
            self._traversing.append(threading.get_ident())
        with finishing(self._visited):
            yield handles

    def _visited(self, _: bool) -> None:
        with LOCK:
            self._traversing.remove(threading.get_ident())
            self._changed.notify_all()

    def release(self) -> None:
        """Forget every executable."""
        for loaded in self.loaded.values():
            loaded.unload()
        self.places.clear()
        for table in (self.by_handle, self.symbols, self.loaded):
            table.clear()

    def _number(self) -> int:
        self._serial += 1
        return self._serial

    def _wait(self) -> None:
        """Wait until no other thread visits the executables."""
        if threading.get_ident() not in self._traversing:
            self._changed.wait_for(lambda: not self._traversing)


def _code_of(things: Mapping[str, Callable[..., Any]]) -> Callable[[int], Code | None]:
    def code_of(origin: int) -> Code | None:
        for kind in ("code_object_reader", "code_object"):
            source = things[kind](origin) if kind in things else None
            if source is not None:
                code: Code | None = source.code
                return code
        return None

    return code_of


def _targets(state: State) -> Mapping[int, Sequence[Target]]:
    """Return what each agent runs, by its handle."""
    isas = state.part(Isas)
    return {
        agent: [from_name(isas.by_handle[isa].name) for isa in isas.of(agent)]
        for agent in state.part(Agents).by_handle
    }
