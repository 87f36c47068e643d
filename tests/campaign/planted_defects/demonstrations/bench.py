"""A process of a library, with the objects that a demonstration needs: no part of the suite."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from hsa_adapters.calls import Argument, Call, Callback, Outcome
from hsa_adapters.protocol import Process

_AGENT_DEVICE = 17
_GPU = 1
_ALLOCATABLE = 5  # of a pool and of a region
#: HSA_AMD_SIGNAL_IPC.
IPC = 2
_BOTH = 3  # HSA_ACCESS_PERMISSION_RW


class Bench:
    """Makes calls and objects in a process.

    Args:
        process: not initialised.

    """

    def __init__(self, process: Process) -> None:
        self.process = process
        self._next, size = process.scratch
        self._end = self._next + size

    def room(self, size: int = 8, content: bytes = b"") -> int:
        """Return memory that nobody else uses, which begins with some bytes."""
        address = -(-self._next // 16) * 16
        self._next = address + max(size, len(content))
        assert self._next <= self._end
        self.process.write(address, content.ljust(size, b"\0"))
        return address

    def call(self, function: str, *args: Argument, budget: float | None = None) -> Outcome:
        """Make a call."""
        return self.process.call(Call(function, args, budget=budget))

    def must(self, function: str, *args: Argument) -> Outcome:
        """Make a call that has to succeed."""
        outcome = self.call(function, *args)
        assert outcome.result == 0, f"{function} answered {outcome.result:#x}"
        return outcome

    def word(self, address: int, size: int = 8) -> int:
        """Return a number in memory."""
        return int.from_bytes(self.process.read(address, size) or b"", "little")

    def output(self, call: Call, place: int = -1) -> int:
        """Return what a call wrote to one of its arguments."""
        argument = call.args[place]
        assert isinstance(argument, int)
        return self.word(argument)

    def made(self, function: str, *args: Argument) -> int:
        """Return what a call writes to its last argument, which is left out."""
        out = self.room()
        self.must(function, *args, out)
        return self.word(out)

    def init(self) -> None:
        """Initialise the runtime."""
        self.must("hsa_init")

    def agents(self, device: int | None = None) -> list[int]:
        """Return the agents, or those of one hsa_device_type_t."""
        found = self.must("hsa_iterate_agents", Callback("hsa_agent_callback"), 0).callbacks
        handles = [agent for agent, _ in found]
        if device is None:
            return handles
        return [h for h in handles if self._info("hsa_agent_get_info", h, _AGENT_DEVICE) == device]

    def gpu(self) -> int:
        """Return the first GPU."""
        return self.agents(_GPU)[0]

    def isas(self) -> list[int]:
        """Return the instruction sets of GPUs."""
        callback = Callback("hsa_isa_callback")
        found = [self.must("hsa_agent_iterate_isas", a, callback, 0) for a in self.agents(_GPU)]
        return [isa for outcome in found for isa, _ in outcome.callbacks]

    def pools(self, agent: int) -> list[int]:
        """Return the pools of an agent that allocate."""
        callback = Callback("hsa_memory_pool_callback")
        found = self.must("hsa_amd_agent_iterate_memory_pools", agent, callback, 0).callbacks
        query = "hsa_amd_memory_pool_get_info"
        return [p for p, _ in found if self._info(query, p, _ALLOCATABLE) & 0xFF]

    def region(self) -> int:
        """Return a region of a CPU that allocates."""
        callback = Callback("hsa_region_callback")
        found = self.must("hsa_agent_iterate_regions", self.agents(0)[0], callback, 0).callbacks
        query = "hsa_region_get_info"
        return next(r for r, _ in found if self._info(query, r, _ALLOCATABLE) & 0xFF)

    def block(self, size: int = 4096) -> int:
        """Return memory of a GPU."""
        return self.made("hsa_amd_memory_pool_allocate", self.pools(self.gpu())[0], size, 0)

    def host_block(self, size: int = 4096) -> int:
        """Return memory of a CPU."""
        return self.made("hsa_amd_memory_pool_allocate", self.pools(self.agents(0)[0])[0], size, 0)

    def signal(self, value: int = 1) -> int:
        """Return a signal."""
        return self.made("hsa_signal_create", value, 0, 0)

    def queue(self, size: int = 64) -> int:
        """Return a queue of a GPU."""
        return self.made("hsa_queue_create", self.gpu(), size, 0, 0, 0, 2**32 - 1, 2**32 - 1)

    def memory_handle(self, size: int = 2**21) -> int:
        """Return a handle of virtual memory."""
        return self.made("hsa_amd_vmem_handle_create", self.pools(self.gpu())[0], size, 0, 0)

    def reserved(self, size: int = 2**21) -> int:
        """Return a range of addresses."""
        out = self.room()
        self.must("hsa_amd_vmem_address_reserve", out, size, 0, 0)
        return self.word(out)

    def mapped(self, size: int = 2**21) -> int:
        """Return a range that virtual memory is mapped to."""
        address = self.reserved(size)
        self.must("hsa_amd_vmem_map", address, size, 0, self.memory_handle(size), 0)
        return address

    def exported(self) -> int:
        """Return a descriptor of virtual memory."""
        out = self.room()
        self.must("hsa_amd_vmem_export_shareable_handle", out, self.memory_handle(), 0)
        return self.word(out, 4)

    def pages(self) -> int:
        """Return a page of plain memory."""
        return -(-self.room(8192) // 4096) * 4096

    def access(self, *agents: int) -> int:
        """Return the address of descriptors of full access for agents."""
        return self.room(16, b"".join(struct.pack("<QQ", _BOTH, agent) for agent in agents))

    def words(self, numbers: Sequence[int]) -> int:
        """Return the address of a list of numbers."""
        return self.room(8, struct.pack(f"<{len(numbers)}Q", *numbers))

    def _info(self, query: str, handle: int, attribute: int) -> int:
        out = self.room()
        self.must(query, handle, attribute, out)
        return self.word(out, 4)
