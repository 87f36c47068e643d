"""Blocks as descriptors that other drivers and processes take."""

from __future__ import annotations

import os

from hsa_reference import memory
from hsa_reference.amd.pools.state import block_around
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.core.memory.places import Places
from hsa_reference.core.system import System
from hsa_reference.requests import EXPORT
from hsa_reference.state import Part, State
from hsa_reference.status import (
    INVALID_ALLOCATION,
    OUT_OF_RESOURCES,
    RESOURCE_FREE,
    SUCCESS,
    Answer,
)


class DmaBufs(Part):
    """What can be exported."""

    def __init__(self, state: State) -> None:
        self._places = state.part(Places)
        self._memory = state.part(VirtualMemory)
        offered = state.registry.constants["HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED"]
        self._supported = any(state.part(System).attributes[offered])
        state.facts["within_allocation"] = self._within_allocation
        state.facts["memory_is_exportable"] = self._is_exportable
        state.facts["is_reached_over"] = lambda address, flags: True
        state.facts["is_exported_buffer"] = self.is_buffer

    def is_buffer(self, descriptor: int) -> bool:
        """Return whether a descriptor is one of memory, and none that the runtime needs itself."""
        held = {h.descriptor for h in self._memory.handles.values()}
        return (
            memory.describe(descriptor) is not None
            and descriptor not in held
            and not self._places.hold(descriptor)
        )

    def _within_allocation(self, address: int, size: int) -> bool:
        block = block_around(self._places, address)
        return block is not None and address + size <= block.address + block.size

    def _is_exportable(self, address: int) -> bool:
        block = block_around(self._places, address)
        return block is not None and block.heap.model.location == "gpu" and self._supported


PART = DmaBufs


def hsa_amd_portable_export_dmabuf(
    state: State, ptr: int, size: int, dmabuf: int, offset: int
) -> Answer:
    """Write a new descriptor of a block's memory, and where in it an address is."""
    return hsa_amd_portable_export_dmabuf_v2(state, ptr, size, dmabuf, offset, 0)


def hsa_amd_portable_export_dmabuf_v2(
    state: State, ptr: int, size: int, dmabuf: int, offset: int, flags: int
) -> Answer:
    """Write a new descriptor of a block's memory. Every path leads to the same memory here."""
    block = block_around(state.part(Places), ptr)
    if block is None:
        return INVALID_ALLOCATION
    try:
        descriptor = memory.duplicate(block.descriptor, EXPORT)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(dmabuf, descriptor, 4)
    memory.store(offset, ptr - block.address, 8)
    return SUCCESS


def hsa_amd_portable_close_dmabuf(state: State, dmabuf: int) -> Answer:
    """Close a descriptor of memory, and neither another file nor what the runtime needs."""
    if not state.part(DmaBufs).is_buffer(dmabuf):
        return RESOURCE_FREE
    os.close(dmabuf)
    return SUCCESS
