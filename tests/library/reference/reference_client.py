"""A client of the reference that calls it as C code would: with addresses of its own memory."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass

from hsa_reference import Machine, Runtime, load_machine
from hsa_reference.memory import PAGE

_libc = ctypes.CDLL(None, use_errno=True)
_VISIT = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)
_ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_size_t)


@dataclass(frozen=True)
class MappedReservation:
    """A handle mapped at the start of a reservation of the same size."""

    address: int
    handle: int
    size: int = PAGE


class Client:
    """Calls one runtime. `OUT` among the arguments stands for memory that the call writes to."""

    OUT = object()

    def __init__(self, machine: str | Machine = "two_gpus") -> None:
        model = load_machine(machine) if isinstance(machine, str) else machine
        self.runtime = Runtime(model)
        self.functions = self.runtime.functions()
        self.constants = self.runtime.registry.constants

    def call(self, function: str, *args: object) -> str:
        """Return the name of the status that the call answers."""
        return self.runtime.registry.status_name(self._call(function, args)[0])

    def ok(self, function: str, *args: object) -> int:
        """Return what the call wrote to its first OUT, and insist on success."""
        status, written = self._call(function, args)
        assert self.runtime.registry.status_name(status) == "HSA_STATUS_SUCCESS"
        return written[0] if written else 0

    def _call(self, function: str, args: tuple[object, ...]) -> tuple[int, list[int]]:
        outputs: list[ctypes.c_uint64] = []
        raw: list[int] = []
        for argument in args:
            if argument is self.OUT:
                outputs.append(ctypes.c_uint64(0))
                raw.append(ctypes.addressof(outputs[-1]))
            elif isinstance(argument, str):
                raw.append(self.constants[argument])
            else:
                assert isinstance(argument, int)
                raw.append(argument)
        return self.functions[function](*raw), [o.value for o in outputs]

    def agents(self) -> list[int]:
        return self.visit("hsa_iterate_agents")

    def pools(self, agent: int) -> list[int]:
        return self.visit("hsa_amd_agent_iterate_memory_pools", agent)

    def visit(self, function: str, *args: int) -> list[int]:
        seen: list[int] = []

        def visit(handle: int, data: int) -> int:
            seen.append(handle)
            return 0

        callback = _VISIT(visit)
        self.ok(function, *args, ctypes.cast(callback, ctypes.c_void_p).value, 0)
        return seen

    def accessible(self, address: int) -> list[int]:
        """Return the agents that can access an address."""
        info = (ctypes.c_uint32 * 16)(64)
        room = (ctypes.c_uint64 * 16)()
        give = _ALLOCATE(lambda _: ctypes.addressof(room))
        callback = ctypes.cast(give, ctypes.c_void_p).value
        function = "hsa_amd_pointer_info"
        count = self.ok(function, address, ctypes.addressof(info), callback, self.OUT, self.OUT)
        return list(room[:count])

    @property
    def cpu(self) -> int:
        return self.agents()[0]

    @property
    def gpu(self) -> int:
        return self.agents()[1]

    @property
    def pool(self) -> int:
        """The first GPU's pool that can be allocated from."""
        return self.pools(self.gpu)[0]

    def available(self, agent: int) -> int:
        return self.ok("hsa_agent_get_info", agent, "HSA_AMD_AGENT_INFO_MEMORY_AVAIL", self.OUT)

    def reserve(self, size: int = PAGE) -> int:
        return self.ok("hsa_amd_vmem_address_reserve", self.OUT, size, 0, 0)

    def create(self, size: int = PAGE) -> int:
        kind = "MEMORY_TYPE_PINNED"
        return self.ok("hsa_amd_vmem_handle_create", self.pool, size, kind, 0, self.OUT)

    def map(self, handle: int | None = None) -> MappedReservation:
        mapped = MappedReservation(self.reserve(), self.create() if handle is None else handle)
        self.ok("hsa_amd_vmem_map", mapped.address, mapped.size, 0, mapped.handle, 0)
        return mapped

    def allow(self, mapped: MappedReservation, agent: int, permission: str) -> None:
        descriptor = (ctypes.c_uint64 * 2)(self.constants[permission], agent)
        arguments = (mapped.address, mapped.size, ctypes.addressof(descriptor), 1)
        self.ok("hsa_amd_vmem_set_access", *arguments)

    def discard(self, mapped: MappedReservation) -> None:
        self.ok("hsa_amd_vmem_unmap", mapped.address, mapped.size)
        self.ok("hsa_amd_vmem_handle_release", mapped.handle)
        self.ok("hsa_amd_vmem_address_free", mapped.address, mapped.size)

    def finish(self) -> None:
        while self.call("hsa_shut_down") == "HSA_STATUS_SUCCESS":
            pass


def readable(address: int) -> bool:
    """Return whether a byte can be read, without a fault: the kernel looks, and answers EFAULT."""
    with _Pipe() as pipe:
        return bool(_libc.write(pipe.write, ctypes.c_void_p(address), 1) == 1)


def writable(address: int) -> bool:
    """Return whether a byte can be written; it is overwritten with a zero."""
    with _Pipe() as pipe:
        os.write(pipe.write, b"\0")
        return bool(_libc.read(pipe.read, ctypes.c_void_p(address), 1) == 1)


class _Pipe:
    def __enter__(self) -> _Pipe:
        self.read, self.write = os.pipe()
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self.read)
        os.close(self.write)
