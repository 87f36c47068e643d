"""Memory of others, mapped by its descriptor."""

from __future__ import annotations

import os
from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.amd.pools.state import Pools
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.core.memory.heaps import Heap, host_permission
from hsa_reference.core.memory.places import Backed, Places
from hsa_reference.ranges import Ranges
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer


@dataclass(eq=False)
class Buffer(Backed):
    """A buffer of others that is mapped.

    Args:
        source: where its memory is.
        allowed: handles of the agents that can access it.

    """

    source: Heap
    allowed: frozenset[int]

    @property
    def heap(self) -> Heap:
        """Return where its memory is."""
        return self.source

    @property
    def agents(self) -> frozenset[int]:
        """Return the agents that can access it."""
        return self.allowed

    def release(self) -> None:
        """Unmap it."""
        memory.unmap(self.address, self.size)
        os.close(self.descriptor)


class Interop(Part):
    """The mapped buffers."""

    def __init__(self, state: State) -> None:
        self.buffers: Ranges[Buffer] = Ranges()
        self._memory = state.part(VirtualMemory)
        state.part(Places).add_backed(self.buffers)
        state.facts["can_export_buffer"] = self._can_export
        state.facts["is_interop_buffer"] = lambda a: self.buffers.at(a) is not None

    def release(self) -> None:
        """Unmap every buffer."""
        for buffer in self.buffers:
            buffer.release()
        self.buffers.clear()

    def _can_export(self, _: int, descriptor: int) -> bool:
        return self._memory.shared(descriptor) is not None


PART = Interop


def hsa_amd_interop_map_buffer(
    state: State,
    num_agents: int,
    agents: int,
    interop_handle: int,
    flags: int,
    size: int,
    ptr: int,
    metadata_size: int,
    metadata: int,
) -> Answer:
    """Map the memory behind a descriptor. There is no metadata."""
    shared = state.part(VirtualMemory).shared(interop_handle)
    if shared is None:
        return INVALID_ARGUMENT
    pool = state.part(Pools).in_order[shared.pool]
    allowed = frozenset(memory.words(agents, num_agents)) | {pool.agent}
    try:
        descriptor = os.dup(interop_handle)
        try:
            permission = host_permission(state, allowed)
            address = memory.map_shared(shared.size, descriptor, permission)
        except OSError:
            os.close(descriptor)
            raise
    except OSError:
        return OUT_OF_RESOURCES
    buffer = Buffer(address, shared.size, descriptor, pool.heap, allowed)
    state.part(Interop).buffers.add(buffer)
    memory.store(size, shared.size, 8)
    memory.store(ptr, address, 8)
    for output in filter(None, (metadata_size, metadata)):
        memory.store(output, 0, 8)
    return SUCCESS


def hsa_amd_interop_map_buffer_with_size(
    state: State,
    num_agents: int,
    agents: int,
    interop_handle: int,
    flags: int,
    size_hint: int,
    size: int,
    ptr: int,
    metadata_size: int,
    metadata: int,
) -> Answer:
    """Map the memory behind a descriptor, which tells its size: no hint is needed."""
    return hsa_amd_interop_map_buffer(
        state, num_agents, agents, interop_handle, flags, size, ptr, metadata_size, metadata
    )


def hsa_amd_interop_unmap_buffer(state: State, ptr: int) -> Answer:
    """Unmap a buffer; what is no buffer is left as it is, and no mistake."""
    buffers = state.part(Interop).buffers
    buffer = buffers.at(ptr)
    if buffer is not None:
        buffers.remove(buffer)
        buffer.release()
    return SUCCESS
