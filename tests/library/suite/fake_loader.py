"""Executables and the loader's table in Python, beside the reference: right, or with a fault.

Agents and the host share the memory that code is loaded into. Each code object has two segments,
one of which is kept nowhere.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

from elftools.elf.elffile import ELFFile

from hsa_adapters import InProcessAdapter
from hsa_adapters.protocol import Subject
from hsa_conformance.engine.running.runner import Settings
from hsa_reference import Runtime
from hsa_spec import Registry
from tests.library.suite.fake_results import Results
from tests.library.suite.one_at_a_time import one_at_a_time
from tests.wrong.inside import by_clause

Functions = Mapping[str, Callable[..., int | None]]

SUCCESS, ARGUMENT, NOT_INITIALIZED, INCOMPATIBLE = 0, 0x1001, 0x100B, 0x100D
INVALID_CODE_OBJECT, INVALID_EXECUTABLE, FROZEN_EXECUTABLE = 0x1010, 0x1011, 0x1012
INVALID_SYMBOL_NAME, INVALID_FILE = 0x1013, 0x1020
LOADER, MEMORY, PAUSE = 0x201, 2, 0.02
ATTRIBUTES = range(1, 13)
_OWN = ("hsa_code_", "hsa_executable_", "hsa_ven_amd_loader_")  # never the reference's
REFUSED = 7  # the descriptor of the file of code that is in memory

_OF_EXECUTABLE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)
_OF_CODE = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * 3)
_OF_SYMBOL = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * 4)
_MEMBERS = {
    "query_host_address": 2,
    "query_segment_descriptors": 2,
    "query_executable": 2,
    "executable_iterate_loaded_code_objects": 3,
    "loaded_code_object_get_info": 3,
    "code_object_reader_create_from_file_with_offset_size": 4,
    "iterate_executables": 2,
}


def write(address: int, form: str, *values: object) -> int:
    """Write numbers to memory of this process, and succeed."""
    content = struct.pack(f"<{form}", *values)
    ctypes.memmove(address, content, len(content))
    return SUCCESS


def number(address: int) -> int:
    """Read a number of eight bytes."""
    return ctypes.c_uint64.from_address(address).value


class CodeObject:
    """Code that was loaded: its memory, and the addresses of its symbols by name.

    Args:
        content: an ELF file.
        executable: the executable that loads it.
        agent: the agent that it is for.

    """

    def __init__(self, content: bytes, executable: int, agent: int) -> None:
        file = ELFFile(BytesIO(content))
        segments = list(file.iter_segments("PT_LOAD"))
        # Of what the file has no bytes for they are 0.
        self.size = max(s["p_vaddr"] + s["p_memsz"] for s in segments)
        self.memory = ctypes.create_string_buffer(self.size)
        self.start = ctypes.addressof(self.memory)
        for segment in segments:
            data = segment.data()
            ctypes.memmove(self.start + segment["p_vaddr"], data, len(data))
        table: Any = file.get_section_by_name(".dynsym")
        symbols = [s for s in table.iter_symbols() if s.name]
        self.symbols = {
            s.name: self.start + s["st_value"]
            for s in symbols
            if s["st_info"]["type"] == "STT_OBJECT"
        }
        self.content = content
        self.executable = executable
        self.agent = agent
        self.uri = f"memory://{os.getpid()}#offset={self.start:#x}&size={len(content)}".encode()


@dataclass
class Executable:
    """An executable: what is loaded, and how many of its segments there are by now."""

    frozen: bool = False
    code: dict[int, CodeObject] = field(default_factory=dict)
    segments: int = 0
    stuck: bool = False


class Fake:
    """One process of the fake.

    Args:
        registry: the specification.
        fault: what it does wrong, "" for nothing.

    """

    def __init__(self, registry: Registry, fault: str) -> None:
        self.fault = fault
        self.reference: Functions = Runtime(registry=registry).functions()
        self.references = 0
        self.handles = itertools.count(0x1000, 16)
        self.executables: dict[int, Executable] = {}
        self.described_for_good: list[Executable] = []
        self.changing = threading.Lock()
        self.readers: dict[int, bytes] = {}
        self.symbols: dict[int, tuple[str, int]] = {}
        self.table = [
            ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * count)(self._guarded(name))
            for name, count in _MEMBERS.items()
        ]

    def _guarded(self, name: str) -> Callable[..., int]:
        member: Callable[..., int] = getattr(self, name)

        def guarded(*args: int) -> int:
            if not self.references:
                return NOT_INITIALIZED
            try:
                return member(*args)
            except Exception:  # ctypes would lose it and answer 0
                return -1

        return guarded

    def _loaded(self) -> dict[int, CodeObject]:
        return {h: code for e in list(self.executables.values()) for h, code in e.code.items()}

    def _around(self, address: int) -> CodeObject | None:
        known = self._loaded().values()
        return next((c for c in known if c.start <= address < c.start + c.size), None)

    def _report(self, calls: Sequence[tuple[int, ...]], callback: Callable[..., int]) -> int:
        for call in calls:
            status = callback(*call)
            if status != SUCCESS and self.fault != "goes on":
                return SUCCESS if self.fault == "own status" else status
        return SUCCESS

    # what exists besides the loader

    def hsa_init(self) -> int | None:
        self.references += 1
        return self.reference["hsa_init"]()

    def hsa_shut_down(self) -> int | None:
        self.references -= self.references > 0
        return self.reference["hsa_shut_down"]()

    def hsa_system_major_extension_supported(
        self, extension: int, major: int, minor: int, result: int
    ) -> int:
        return write(minor, "H", 3) or write(result, "?", extension == LOADER and major == 1)

    def hsa_system_get_major_extension_table(self, _: int, __: int, length: int, table: int) -> int:
        addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in self.table]
        return write(table, f"{length}s", struct.pack("<7Q", *addresses))

    def hsa_amd_pointer_info(
        self, address: int, info: int, alloc: int, count: int, agents: int
    ) -> int | None:
        code, allocate = self._around(address), ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_size_t)
        if code is None:
            return self.reference["hsa_amd_pointer_info"](address, info, alloc, count, agents)
        array = allocate(alloc)(16)
        write(array, "2Q", *self.agents())
        return write(count, "I", 2) or write(agents, "Q", array)

    def agents(self) -> list[int]:
        """Return all agents."""
        found: list[int] = []

        def add(agent: int, _: int) -> int:
            found.append(agent)
            return SUCCESS

        callback = _OF_EXECUTABLE(add)
        address = ctypes.cast(callback, ctypes.c_void_p).value
        self.reference["hsa_iterate_agents"](address, 0)
        return found[:2]

    def hsa_code_object_reader_create_from_memory(self, code: int, size: int, reader: int) -> int:
        return self._reader(ctypes.string_at(code, size), reader)

    def _reader(self, content: bytes, reader: int) -> int:
        handle = next(self.handles)
        self.readers[handle] = content
        return write(reader, "Q", handle)

    def hsa_code_object_reader_destroy(self, reader: int) -> int:
        del self.readers[reader]
        return SUCCESS

    def hsa_executable_create_alt(self, _: int, __: int, ___: int, executable: int) -> int:
        handle = next(self.handles)
        with self.changing:
            self.executables[handle] = Executable()
        return write(executable, "Q", handle)

    def hsa_executable_destroy(self, executable: int) -> int:
        with self.changing:
            gone = self.executables.pop(executable)
        if self.fault == "described for good":
            self.described_for_good.append(gone)
        return SUCCESS

    def hsa_executable_freeze(self, executable: int, _: int) -> int:
        self.executables[executable].frozen = True
        return ARGUMENT if self.executables[executable].stuck else SUCCESS

    def hsa_executable_load_agent_code_object(
        self, executable: int, agent: int, reader: int, _: int, loaded: int
    ) -> int:
        found, handle = self.executables[executable], next(self.handles)
        if found.frozen:
            return FROZEN_EXECUTABLE
        if self.fault == "bit by bit":
            found.segments += 1
            time.sleep(PAUSE)
            found.segments -= 1
        found.code[handle] = CodeObject(self.readers[reader], executable, agent)
        found.segments += 2
        return write(loaded, "Q", handle)

    def hsa_executable_get_symbol_by_name(
        self, executable: int, name: int, _: int, symbol: int
    ) -> int:
        wanted = ctypes.string_at(name).decode()
        for code in self.executables[executable].code.values():
            if wanted in code.symbols:
                return self._symbol(wanted, code.symbols[wanted], symbol)
        return INVALID_SYMBOL_NAME

    def _symbol(self, name: str, address: int, symbol: int) -> int:
        handle = next(self.handles)
        self.symbols[handle] = (name, address)
        return write(symbol, "Q", handle)

    def hsa_executable_symbol_get_info(self, symbol: int, attribute: int, value: int) -> int:
        name, address = self.symbols[symbol]
        forms: dict[int, tuple[str, object]] = {
            1: ("I", len(name)),
            2: (f"{len(name)}s", name.encode()),
            21: ("Q", address),
            22: ("Q", address),
        }
        return write(value, *forms[attribute])

    def hsa_executable_iterate_agent_symbols(
        self, executable: int, agent: int, callback: int, data: int
    ) -> int:
        calls = []
        for code in self.executables[executable].code.values():
            for name, address in code.symbols.items():
                place = ctypes.c_uint64()
                self._symbol(name, address, ctypes.addressof(place))
                calls.append((executable, agent, place.value, data))
        return self._report(calls, _OF_SYMBOL(callback))

    # the loader

    def query_host_address(self, device: int, host: int) -> int:
        if self.fault == "null translated" and host:
            return write(host, "Q", device)
        found = self._around(device)
        if not host or (found is None and self.fault != "anything is code"):
            return ARGUMENT
        if self.fault == "translates" and found:
            self.copy = ctypes.create_string_buffer(found.memory.raw, found.size)
            device += ctypes.addressof(self.copy) - found.start
        return write(host, "Q", device + 8 * (self.fault == "next to it"))

    def query_segment_descriptors(self, descriptors: int, count: int) -> int:
        if not count:
            return ARGUMENT
        if self.fault == "unlocks others":
            before = set(self.executables)
            time.sleep(PAUSE)
            for handle in set(self.executables) - before:
                self.executables[handle].stuck = True
        executables = [*self.executables.values(), *self.described_for_good]
        known = sum(e.segments for e in executables)
        known += self.fault == "its own code"
        given = number(count)
        if bool(given) is not bool(descriptors):
            if self.fault == "null described" and given:
                return SUCCESS
            if self.fault == "none described" and descriptors:
                return SUCCESS
            if given or descriptors:
                return ARGUMENT
        if not descriptors:
            wrong = self.fault == "one too many"
            return SUCCESS if self.fault == "no count" else write(count, "Q", known + wrong)
        if given != known and self.fault != "any count":
            return INCOMPATIBLE
        codes = [code for e in executables for code in e.code.values()]
        for index, code in enumerate(codes[: given // 2]):
            place, kept = descriptors + 128 * index, (len(code.content), 0)
            where = (code.agent, code.executable)
            write(place, "QQI4x5Q", *where, MEMORY, code.start, *kept, code.start, code.size)
            bad = int(self.fault == "kept nowhere")
            write(place + 64, "QQI4x5Q", *where, 0, 0, bad, 0, code.start, code.size)
        if self.fault == "its own code":
            write(descriptors + 64 * (given - 1), "QQI4x5Q", 1, 2, 0, 0, 0, 0, 4096, 4096)
        return SUCCESS

    def query_executable(self, device: int, executable: int) -> int:
        found = self._around(device)
        if self.fault == "any executable" and executable:
            return write(executable, "Q", 0x1000)
        if not executable or found is None:
            return ARGUMENT
        first = next(iter(self.executables))
        return write(executable, "Q", first if self.fault == "the first" else found.executable)

    def executable_iterate_loaded_code_objects(
        self, executable: int, callback: int, data: int
    ) -> int:
        if not callback:
            return ARGUMENT
        if executable not in self.executables and self.fault != "no executable":
            return INVALID_EXECUTABLE
        known = self.executables.get(executable, Executable()).code
        if self.fault == "of all":
            known = self._loaded()
        calls = [(executable, handle, data) for handle in known]
        return self._report(calls, _OF_CODE(callback))

    def loaded_code_object_get_info(self, handle: int, attribute: int, value: int) -> int:
        code = self._loaded().get(handle)
        if code is None:
            return ARGUMENT if self.fault == "no code object" else INVALID_CODE_OBJECT
        if self.fault == "any attribute":
            attribute = min(attribute, 2)
        if not value or attribute not in ATTRIBUTES or attribute == REFUSED:
            return ARGUMENT
        uri = code.uri[9:] if self.fault == "no scheme" else code.uri
        forms: dict[int, tuple[str, object]] = {
            1: ("Q", 1 if self.fault == "other executable" else code.executable),
            2: ("I", 0 if self.fault == "no kind" else 2),
            3: ("Q", code.agent),
            4: ("Q" if self.fault == "too wide" else "I", MEMORY),
            11: ("I", len(uri) + (self.fault == "too long")),
            12: (f"{len(uri) + 1}s", uri),
        }
        return write(value, *forms.get(attribute, ("Q", code.start)))

    def code_object_reader_create_from_file_with_offset_size(
        self, file: int, offset: int, size: int, reader: int
    ) -> int:
        if not reader:
            return ARGUMENT
        descriptor = ctypes.c_int(file).value
        if self.fault == "whole file":
            offset, size = 0, os.fstat(descriptor).st_size
        try:
            content = os.pread(descriptor, size, offset)
        except OSError:
            return ARGUMENT if self.fault == "bad argument" else INVALID_FILE
        return self._reader(content, reader)

    def iterate_executables(self, callback: int, data: int) -> int:
        if not callback:
            return SUCCESS if self.fault == "no callback" else ARGUMENT
        known = list(self.executables)
        if self.fault == "twice":
            known *= 2
        data = 0 if self.fault == "data" else data
        with nullcontext() if self.fault == "nobody waits" else self.changing:
            return self._report([(handle, data) for handle in known], _OF_EXECUTABLE(callback))

    def functions(self) -> Functions:
        """Return all functions by name."""
        own = {name: getattr(self, name) for name in dir(self) if name.startswith("hsa_")}
        others = {name: f for name, f in self.reference.items() if not name.startswith(_OWN)}
        return {**others, **own}


class Adapter(InProcessAdapter):
    """The fake; it claims what is in its table, too."""

    def start(self) -> Subject:
        return replace(super().start(), claims=None)


def put_over(registry: Registry, fault: str, *wanted: str) -> Results:
    """Run clauses on a fake with a fault."""
    adapter = Adapter("fake", lambda: Fake(registry, fault).functions(), registry)
    clauses = one_at_a_time(registry, wanted)
    return by_clause(adapter, registry, clauses, Settings(release="7.2.4"))
