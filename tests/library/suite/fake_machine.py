"""Architectures, caches and extensions in Python, beside the reference: right, or with a fault."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping

from hsa_adapters import InProcessAdapter
from hsa_conformance.engine.running.runner import Settings
from hsa_reference import Runtime
from hsa_spec import Registry
from tests.library.suite.fake_results import Results
from tests.library.suite.one_at_a_time import one_at_a_time
from tests.wrong.inside import by_clause

Functions = Mapping[str, Callable[..., int | None]]

SUCCESS, ERROR, INVALID_ARGUMENT, INVALID_INDEX = 0, 0x1000, 0x1001, 0x100E
INVALID_ISA, INVALID_ISA_NAME, INVALID_CACHE = 0x100F, 0x1017, 0x1022

FINALIZER, IMAGES, LOADER = 0, 1, 0x201
USER_DATA = 32  # where the member of hsa_amd_pointer_info_t is
ISAS = {0x100: b"amdgcn-amd-amdhsa--gfx1", 0x200: b"amdgcn-amd-amdhsa--gfx1-generic"}
CACHES = {0x300: (1, b"L1"), 0x400: (2, b"L2"), 0x500: (3, b"L3")}

_REPORT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)
_END = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64)


def write(address: int, form: str, *values: object) -> int:
    """Write numbers to memory of this process, and succeed; NULL is refused."""
    if not address:
        return INVALID_ARGUMENT
    content = struct.pack(f"<{form}", *values)
    ctypes.memmove(address, content, len(content))
    return SUCCESS


class Fake:
    """One process of the fake.

    Args:
        registry: the specification.
        fault: what it does wrong, "" for nothing.

    """

    def __init__(self, registry: Registry, fault: str) -> None:
        self.fault = fault
        self.constants = registry.constants
        self.reference: Functions = Runtime(registry=registry).functions()
        self.order = list(ISAS)
        self.ends: dict[int, list[tuple[int, int, int]]] = {}
        self.handlers: list[tuple[int, int]] = []
        self.event = ctypes.create_string_buffer(64)  # of which nobody reads anything
        self.user_data: dict[int, int] = {}
        self.types: dict[int, int] = {}
        self.text = {n: ctypes.create_string_buffer(b"HSA_EXTENSION") for n in (IMAGES, LOADER)}

    def _report(self, handles: list[int], callback: int, data: int) -> int:
        if not callback:
            return INVALID_ARGUMENT
        for handle in handles:
            status: int = _REPORT(callback)(handle, 0 if self.fault == "data" else data)
            if status != SUCCESS:
                return SUCCESS if self.fault == "status" else status
        return SUCCESS

    # architectures

    def hsa_agent_iterate_isas(self, _: int, callback: int, data: int) -> int:
        if self.fault == "order":
            self.order.reverse()
        return self._report(self.order, callback, data)

    def hsa_agent_get_info(self, agent: int, attribute: int, value: int) -> int | None:
        if attribute == self.constants["HSA_AGENT_INFO_ISA"]:
            return write(value, "Q", next(iter(ISAS)))
        if attribute == self.constants["HSA_AGENT_INFO_EXTENSIONS"]:
            return write(value, "128s", self._mask())
        return self.reference["hsa_agent_get_info"](agent, attribute, value)

    def hsa_isa_get_info_alt(self, isa: int, attribute: int, value: int) -> int:
        if isa not in ISAS:
            return INVALID_ISA
        name = ISAS[isa]
        values: dict[int, tuple[str, tuple[object, ...]]] = {
            0: ("I", (len(name) + (self.fault == "length"),)),
            1: (f"{len(name) + 1}s", (name,)),
            2: ("I", (2,)),
            3: ("I", (64,)),
            4: ("I", (40,)),
            5: ("2?", (False, True)),
            6: ("2?", (True, False)),
            7: ("3?", (True, True, True)),
            8: ("3?", (False, True, self.fault != "modes of base")),
            9: ("?", (True,)),
            12: ("3H", (1024, 1024, 0 if self.fault == "group" else 1024)),
            13: ("I", (1024,)),
            14: ("3I", (4096, 4096, 512 if self.fault == "grid" else 4096)),
            16: ("Q", (1 << 36,)),
            17: ("I", (31 if self.fault == "fbarriers" else 32,)),
        }
        if attribute not in values or not value:
            return INVALID_ARGUMENT
        form, numbers = values[attribute]
        behind = [0] if self.fault == "room" else []
        return write(value, form + "Q" * len(behind), *numbers, *behind)

    def hsa_isa_get_info(self, isa: int, attribute: int, index: int, value: int) -> int:
        if isa in ISAS and index >= 2 and self.fault != "index":
            return INVALID_INDEX
        return self.hsa_isa_get_info_alt(isa, attribute, value)

    def hsa_isa_from_name(self, name: int, isa: int) -> int:
        wanted = ctypes.string_at(name) if name else b""
        found = [handle for handle, known in ISAS.items() if known == wanted]
        if not name or not isa:
            return INVALID_ARGUMENT
        if not found:
            return INVALID_ISA_NAME if self.fault != "any name" else write(isa, "Q", 0x100)
        return write(isa, "Q", 0x100 if self.fault == "other" else found[0])

    def hsa_isa_compatible(self, code: int, agent: int, result: int) -> int:
        if not result:
            return INVALID_ARGUMENT
        if {code, agent} - set(ISAS):
            return INVALID_ISA
        return write(result, "?", code == agent and self.fault != "not itself")

    # caches

    def hsa_agent_iterate_caches(self, _: int, callback: int, data: int) -> int:
        handles = sorted(CACHES, reverse=self.fault == "descending")
        return self._report(handles * (2 if self.fault == "twice" else 1), callback, data)

    def hsa_cache_get_info(self, cache: int, attribute: int, value: int) -> int:
        if cache not in CACHES:
            return INVALID_CACHE
        level, name = CACHES[cache]
        forms: dict[int, tuple[str, object]] = {
            0: ("I", len(name)),
            1: (f"{len(name) + 1}s", name) if self.fault != "address" else ("Q", 0x7FFF12345600),
            2: ("B", 0 if self.fault == "level" else level),
            3: ("I", 4096),
        }
        return write(value, *forms[attribute]) if attribute in forms and value else INVALID_ARGUMENT

    # extensions

    def _mask(self) -> bytes:
        bits = 1 << IMAGES | 1 << LOADER
        return bits.to_bytes(128, "little")

    def hsa_system_get_info(self, attribute: int, value: int) -> int | None:
        if attribute == self.constants["HSA_SYSTEM_INFO_EXTENSIONS"]:
            return write(value, "128s", self._mask())
        return self.reference["hsa_system_get_info"](attribute, value)

    def _has(self, number: int, major: int, minor: int) -> bool:
        known = self.text if self.fault != "mask" else (*self.text, FINALIZER)
        return number in known and major == 1 and minor == 0

    def _is_extension(self, number: int) -> bool:
        return number < 4 or LOADER - 1 <= number <= LOADER + 2

    def hsa_extension_get_name(self, number: int, name: int) -> int:
        if not name or number not in self.text:
            return INVALID_ARGUMENT
        return write(name, "Q", ctypes.addressof(self.text[number]))

    def hsa_system_extension_supported(
        self, number: int, major: int, minor: int, result: int
    ) -> int:
        if not result or not self._is_extension(number):
            return INVALID_ARGUMENT
        unheard = self.fault == "unheard" and major > 1000
        return write(result, "?", self._has(number, major, minor) or unheard)

    def hsa_system_major_extension_supported(
        self, number: int, major: int, minor: int, result: int
    ) -> int:
        if not result or not minor or not self._is_extension(number):
            return INVALID_ARGUMENT
        supported = self._has(number, major, 0)
        if supported:
            write(minor, "H", 1 if self.fault == "newest" else 0)
        return write(result, "?", supported)

    def hsa_agent_extension_supported(
        self, number: int, _: int, major: int, minor: int, result: int
    ) -> int:
        generous = self.fault == "agent" and number < 4 and major == 1 and minor == 0
        return write(result, "?", generous or self._has(number, major, minor))

    def hsa_system_get_major_extension_table(
        self, number: int, major: int, length: int, table: int
    ) -> int:
        if not table or not length or not self._is_extension(number):
            return INVALID_ARGUMENT
        if not self._has(number, major, 0) or self.fault == "no table":
            return ERROR
        code = ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value
        functions = [code or 0] * 10  # of any function: none of them is called
        if self.fault == "hole":
            functions[1] = 0
        content = struct.pack("<10Q", *functions)
        ctypes.memmove(table, content, 80 if self.fault == "long" else min(length, 80))
        return SUCCESS

    # events and pointers of the application

    def hsa_amd_register_deallocation_callback(self, address: int, callback: int, data: int) -> int:
        if not address or not callback:
            return INVALID_ARGUMENT
        self.ends.setdefault(address, []).append((callback, address, data))
        return SUCCESS

    def hsa_amd_deregister_deallocation_callback(self, address: int, callback: int) -> int:
        known = self.ends.get(address, [])
        left = [end for end in known if end[0] != callback]
        if len(left) == len(known):
            return INVALID_ARGUMENT
        if self.fault != "still called":
            self.ends[address] = left
        return SUCCESS

    def hsa_amd_memory_pool_free(self, address: int) -> int | None:
        status = self.reference["hsa_amd_memory_pool_free"](address)
        for near in (address, address + 64):
            ends = self.ends.get(near, []) if self.fault == "kept" else self.ends.pop(near, [])
            for callback, start, data in ends:
                _END(callback)(start, 0 if self.fault == "user data" else data)
        return status

    def hsa_amd_register_system_event_handler(self, callback: int, data: int) -> int:
        if not callback:
            return INVALID_ARGUMENT
        self.handlers.append((callback, data))
        return SUCCESS

    def hsa_shut_down(self) -> int | None:
        for callback, data in self.handlers if self.fault != "silent" else ():
            _REPORT(callback)(ctypes.addressof(self.event), data)
        return self.reference["hsa_shut_down"]()

    def hsa_amd_pointer_info_set_userdata(self, address: int, data: int) -> int:
        self.user_data[0 if self.fault == "one for all" else address] = data
        return SUCCESS

    def hsa_amd_pointer_info(self, address: int, info: int, *others: int) -> int | None:
        status = self.reference["hsa_amd_pointer_info"](address, info, *others)
        key = 0 if self.fault == "one for all" else address
        if status == SUCCESS and key in self.user_data:
            write(info + USER_DATA, "Q", self.user_data[key])
        return status

    def hsa_amd_coherency_get_type(self, agent: int, value: int) -> int:
        return write(value, "I", 7 if self.fault == "type" else self.types.get(agent, 0))

    def functions(self) -> Functions:
        """Return all functions by name."""
        own = {name: getattr(self, name) for name in dir(self) if name.startswith("hsa_")}
        return {**self.reference, **own}


def put_over(registry: Registry, fault: str, *wanted: str) -> Results:
    """Run clauses on a fake with a fault."""
    adapter = InProcessAdapter("fake", lambda: Fake(registry, fault).functions(), registry)
    clauses = one_at_a_time(registry, wanted)
    return by_clause(adapter, registry, clauses, Settings(release="7.2.4"))
