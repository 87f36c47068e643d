"""Names of virtual memory that every process of the machine can use: its fabric is the machine."""

from __future__ import annotations

import ctypes
import os
import struct
from functools import partial

from hsa_reference import memory
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.core.system import System
from hsa_reference.state import Part, State
from hsa_reference.status import (
    ERROR,
    INVALID_ALLOCATION,
    INVALID_ARGUMENT,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)

# The process that has the memory open, its descriptor there, and the number of the memory's file.
_NAME = struct.Struct("<IIQ")


class Fabric(Part):
    """What conditions ask about names, and whether the machine has a fabric."""

    def __init__(self, state: State) -> None:
        self._memory = state.part(VirtualMemory)
        offered = state.registry.constants["HSA_AMD_SYSTEM_INFO_FABRIC_HANDLES_SUPPORTED"]
        self.supported = any(state.part(System).attributes[offered])
        state.facts["is_fabric_handle"] = lambda handle: self.named(handle) is not None

    def named(self, fabric_handle: int) -> memory.SharedMemoryInfo | None:
        """Return the memory that the name at an address stands for."""
        process, descriptor, file = _name_at(fabric_handle)
        found = self._memory.shared(descriptor, process)
        return found if found is not None and found.identity[1] == file else None


PART = Fabric


def hsa_amd_vmem_export_fabric_handle(
    state: State, fabric_handle: int, handle: int, flags: int
) -> Answer:
    """Write the name of a handle's memory, which is the same each time."""
    if flags:
        return INVALID_ARGUMENT
    if not state.part(Fabric).supported:
        return ERROR
    found = state.part(VirtualMemory).handles[handle]
    name = _NAME.pack(os.getpid(), found.descriptor, found.identity[1])
    ctypes.memmove(fabric_handle, name, _NAME.size)
    return SUCCESS


def hsa_amd_vmem_import_fabric_handle(state: State, fabric_handle: int, handle: int) -> Answer:
    """Write the handle of the memory that a name stands for, with one more reference."""
    fabric = state.part(Fabric)
    if not fabric.supported:
        return ERROR
    process, descriptor, _ = _name_at(fabric_handle)
    shared = fabric.named(fabric_handle)
    if shared is None:  # it was given back since the name was looked at
        return INVALID_ALLOCATION
    try:
        found = state.part(VirtualMemory).hold(shared, partial(memory.take, descriptor, process))
    except FileNotFoundError:
        return INVALID_ALLOCATION
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(handle, found.handle, 8)
    return SUCCESS


def _name_at(address: int) -> tuple[int, int, int]:
    process, descriptor, file = _NAME.unpack(ctypes.string_at(address, _NAME.size))
    return process, descriptor, file
