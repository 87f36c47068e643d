"""Queues and signals in Python, beside the reference, which has neither: right, or with a fault."""

from __future__ import annotations

import ctypes
import itertools
import struct
import time
from collections.abc import Callable, Mapping

from hsa_adapters import InProcessAdapter
from hsa_conformance.engine.running.runner import Settings
from hsa_reference import Runtime
from hsa_spec import Registry
from tests.library.suite.fake_results import Results
from tests.library.suite.one_at_a_time import one_at_a_time
from tests.wrong.inside import by_clause

Functions = dict[str, Callable[..., int | None]]

SUCCESS = 0
INVALID_ARGUMENT = 0x1001
LEAST, MOST, UNITS = 64, 1024, 40
#: Ticks a second of the reference's clock, and seconds between looks at what is waited for.
FREQUENCY, PAUSE = 100_000_000, 0.0005
WORD = 1 << 64

_ORDERS = ("acq_rel", "scacq_screl", "acquire", "scacquire", "relaxed", "release", "screlease")
_HANDLER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_int64, ctypes.c_uint64)
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
_REGION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)
_MEETS: tuple[Callable[[int, int], bool], ...] = (
    lambda found, wanted: found == wanted,
    lambda found, wanted: found != wanted,
    lambda found, wanted: found < wanted,
    lambda found, wanted: found >= wanted,
)


class NullError(Exception):
    """An argument is NULL that must not be."""


def refusing(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Return a function that answers an invalid argument where it would use NULL."""

    def refuses(*arguments: int) -> int | None:
        try:
            return function(*arguments)
        except NullError:
            return INVALID_ARGUMENT

    return refuses


def given(address: int) -> int:
    """Return an address that is not NULL."""
    if not address:
        raise NullError
    return address


def read(address: int, size: int) -> bytes:
    """Return bytes of this process."""
    return ctypes.string_at(given(address), size)


def write(address: int, content: bytes) -> None:
    """Write memory of this process."""
    ctypes.memmove(given(address), content, len(content))


def numbers(address: int, form: str, count: int) -> tuple[int, ...]:
    """Read an array of numbers."""
    size = count * struct.calcsize(form)
    return struct.unpack(f"<{count}{form}", read(address, size))


class Fake:
    """One process of the fake.

    Args:
        registry: the specification.
        fault: what it does wrong, "" for nothing.

    """

    def __init__(self, registry: Registry, fault: str) -> None:
        self.fault = fault
        self.registry = registry
        self.reference: Mapping[str, Callable[..., int | None]] = Runtime(
            registry=registry
        ).functions()
        self.room: dict[int, ctypes.Array[ctypes.c_char]] = {}
        self.indices: dict[int, dict[str, int]] = {}
        self.masks: dict[int, int] = {}
        self.signals: dict[int, int] = {}
        self.handlers: list[tuple[int, int, int, int, int]] = []
        self.ids = itertools.count(1)

    def memory(self, size: int) -> int:
        """Allocate memory that nobody gives back."""
        made = ctypes.create_string_buffer(size + 64)
        address = -(-ctypes.addressof(made) // 64) * 64
        self.room[address] = made
        return address

    # agents and regions

    def hsa_agent_get_info(self, agent: int, attribute: int, value: int) -> int:
        name = self.registry.constants
        sizes = {
            name["HSA_AGENT_INFO_QUEUES_MAX"]: 8,
            name["HSA_AGENT_INFO_QUEUE_MIN_SIZE"]: LEAST,
            name["HSA_AGENT_INFO_QUEUE_MAX_SIZE"]: MOST,
            name["HSA_AGENT_INFO_QUEUE_TYPE"]: 0,
            name["HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT"]: UNITS,
        }
        device = (ctypes.c_uint32 * 1)()
        status = self.reference["hsa_agent_get_info"](
            agent, name["HSA_AGENT_INFO_DEVICE"], ctypes.addressof(device)
        )
        if status == SUCCESS and attribute in sizes:
            write(value, struct.pack("<I", sizes[attribute] if device[0] == 1 else 0))
        elif status == SUCCESS and attribute == name["HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES"]:
            write(value, b"\0")
        else:
            return self.reference["hsa_agent_get_info"](agent, attribute, value) or 0
        return status or 0

    def hsa_agent_iterate_regions(self, agent: int, callback: int, data: int) -> int:
        status: int = _REGION(given(callback))(agent + 8, data)
        return status

    def hsa_region_get_info(self, _: int, attribute: int, value: int) -> int:
        allowed = attribute == self.registry.constants["HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED"]
        write(value, b"\1" if allowed else bytes(4))
        return SUCCESS

    # queues

    def _queue(self, size: int, kind: int, features: int, doorbell: int, out: int) -> int:
        ring, queue = self.memory(64 * size), self.memory(64)
        for slot in range(size - (self.fault == "last packet")):
            write(ring + 64 * slot, b"\1")
        number = 1 if self.fault == "id" else next(self.ids)
        write(queue, struct.pack("<IIQQIIQ", kind, features, ring, doorbell, size, 0, number))
        self.indices[queue] = {"read": 0, "write": 0}
        self.masks[queue] = (1 << UNITS) - 1
        write(out, struct.pack("<Q", queue))
        return SUCCESS

    def hsa_queue_create(self, *arguments: int) -> int:
        size, kind, out = arguments[1], arguments[2], arguments[-1]
        held = size if self.fault == "size" else max(size, LEAST)
        return self._queue(held, 0 if self.fault == "type" else kind, 1, 0, out)

    def hsa_soft_queue_create(self, _: int, size: int, *rest: int) -> int:
        return self._queue(size, *rest)

    def hsa_queue_destroy(self, queue: int) -> int:
        del self.indices[queue]
        return SUCCESS

    def _change(self, queue: int, which: str, value: int) -> int:
        before = self.indices[queue][which]
        self.indices[queue][which] = value % WORD
        if self.fault == "both indices":
            self.indices[queue] = {"read": value, "write": value}
        return before

    def _add(self, queue: int, value: int) -> int:
        before = self._change(queue, "write", self.indices[queue]["write"] + value)
        return before + value if self.fault == "sum" else before

    def _replace(self, queue: int, expected: int, value: int) -> int:
        before = self.indices[queue]["write"]
        if before == expected or self.fault == "careless":
            self._change(queue, "write", value)
        return before

    def index_functions(self) -> Functions:
        """Return the functions of the indices, in all their spellings."""
        found: Functions = {}
        for order in _ORDERS:
            for which in ("read", "write"):

                def load(queue: int, which: str = which) -> int:
                    return self.indices[queue][which]

                def store(queue: int, value: int, which: str = which) -> None:
                    self._change(queue, which, value)

                found[f"hsa_queue_load_{which}_index_{order}"] = load
                found[f"hsa_queue_store_{which}_index_{order}"] = store
            found[f"hsa_queue_add_write_index_{order}"] = self._add
            found[f"hsa_queue_cas_write_index_{order}"] = self._replace
        return found

    def hsa_amd_queue_cu_set_mask(self, queue: int, bits: int, mask: int) -> int:
        whole = (1 << UNITS) - 1
        wanted = int.from_bytes(read(mask, bits // 8), "little") if bits else whole
        self.masks[queue] = whole if self.fault == "mask" else wanted & whole
        return SUCCESS

    def hsa_amd_queue_cu_get_mask(self, queue: int, bits: int, mask: int) -> int:
        wanted = self.masks[queue] & (1 << bits) - 1
        behind = 4 if self.fault == "mask overrun" else 0
        write(mask, wanted.to_bytes(bits // 8 + behind, "little"))
        return SUCCESS

    # signals

    def hsa_signal_create(self, initial: int, *rest: int) -> int:
        handle = self.memory(8)
        self.signals[handle] = initial
        write(rest[-1], struct.pack("<Q", handle))
        return SUCCESS

    def hsa_signal_destroy(self, signal: int) -> int:
        del self.signals[signal]
        return SUCCESS

    def hsa_signal_load_scacquire(self, signal: int) -> int:
        return self.signals[signal]

    def hsa_signal_store_screlease(self, signal: int, value: int) -> None:
        self.signals[signal] = value
        self._call_handlers()

    def hsa_amd_signal_async_handler(self, *registration: int) -> int:
        signal, condition, value, handler, data = registration
        self.handlers.append((signal, condition, value, handler, data))
        if self.fault == "early":
            _HANDLER(given(handler))(value, data)
        self._call_handlers()
        return SUCCESS

    def _call_handlers(self) -> None:
        for registration in list(self.handlers):
            signal, condition, value, handler, data = registration
            found = self.signals[signal]
            if _MEETS[condition](found, value):
                again = _HANDLER(given(handler))(found, data)
                keeps = {"never stops": True, "once": False}.get(self.fault, again)
                if not keeps:
                    self.handlers.remove(registration)

    def hsa_amd_async_function(self, callback: int, data: int) -> int:
        for _ in range(2 if self.fault == "twice" else 1):
            _FUNCTION(given(callback))(data)
        return SUCCESS

    def _met(self, count: int, handles: int, conditions: int, values: int) -> list[bool | None]:
        wanted = zip(
            numbers(handles, "Q", count),
            numbers(conditions, "I", count),
            numbers(values, "q", count),
            strict=True,
        )
        return [
            _MEETS[condition](self.signals[handle], value) if handle in self.signals else None
            for handle, condition, value in wanted
        ]

    def _waited(
        self, arguments: tuple[int, ...], over: Callable[[list[bool | None]], bool]
    ) -> list[bool | None]:
        """Return which conditions are met once a wait is over, or the time of its hint."""
        end = time.monotonic() + arguments[4] / FREQUENCY
        while not over(met := self._met(*arguments[:4])) and time.monotonic() < end:
            time.sleep(PAUSE)
        return met

    def hsa_amd_signal_wait_any(self, *arguments: int) -> int:
        count, handles, out = arguments[0], arguments[1], arguments[-1]
        met = self._waited(arguments, lambda met: True in met)
        if True not in met:
            return 2**32 - 1 if self.fault != "no end" else 0
        index = met.index(True)
        value = self.signals[numbers(handles, "Q", count)[index]]
        if out:
            write(out, struct.pack("<q", 0 if self.fault == "value" else value))
        return index + (self.fault == "index")

    def hsa_amd_signal_wait_all(self, *arguments: int) -> int:
        count, handles, out = arguments[0], arguments[1], arguments[-1]
        if False in self._waited(arguments, lambda met: False not in met):
            return 2**32 - 1 if self.fault != "no end" else 0
        values = [self.signals.get(handle, 0) for handle in numbers(handles, "Q", count)]
        if self.fault == "order":
            values.reverse()
        if out:
            write(out, struct.pack(f"<{count}q", *values))
        return 0

    def functions(self) -> Functions:
        """Return all functions by name."""
        own = {n: refusing(getattr(self, n)) for n in dir(self) if n.startswith("hsa_")}
        return {**self.reference, **self.index_functions(), **own}


def put_over(registry: Registry, fault: str, *wanted: str) -> Results:
    """Run clauses on a fake with a fault."""
    adapter = InProcessAdapter("fake", lambda: Fake(registry, fault).functions(), registry)
    clauses = one_at_a_time(registry, wanted)
    return by_clause(adapter, registry, clauses, Settings(release="7.2.4"))
