"""Memory of others, mapped by its descriptor."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.amd.pools.state import Pools
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.core.memory.imported_memory import ImportedMemory, map_imported
from hsa_reference.core.memory.places import Places
from hsa_reference.ranges import Ranges
from hsa_reference.requests import IMPORT
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer
from hsa_reference.undoing import undoing


class Buffer(ImportedMemory):
    """A buffer of others that is mapped."""


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
    allowed = {pool.agent, *memory.words(agents, num_agents)}
    try:
        descriptor = memory.duplicate(interop_handle, IMPORT)
        buffer = map_imported(state, Buffer, descriptor, pool.heap, allowed)
        with undoing(buffer.release):
            state.part(Interop).buffers.add(buffer)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(size, buffer.size, 8)
    memory.store(ptr, buffer.address, 8)
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
