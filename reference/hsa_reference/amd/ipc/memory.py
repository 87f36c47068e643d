"""Names by which other processes attach to blocks of memory.

A name says which process has the memory open, and as which descriptor. It stands for the block
while that process keeps it; the number of the memory's file tells it from whatever else has that
descriptor later.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import NamedTuple

from hsa_reference import memory
from hsa_reference.amd.pools.state import Pools
from hsa_reference.core.memory.imported_memory import ImportedMemory, map_imported
from hsa_reference.core.memory.places import Places
from hsa_reference.ranges import Ranges
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer
from hsa_reference.undoing import undoing

_NAME = struct.Struct("<8sIIQQ")
_MAGIC = b"hsa-mem\0"


class Name(NamedTuple):
    """What a hsa_amd_ipc_memory_t says.

    Args:
        magic: that it is one.
        process: the id of the process that has the block.
        descriptor: of the memory there.
        file: the number of the memory's file.
        size: of the block, in bytes.

    """

    magic: bytes
    process: int
    descriptor: int
    file: int
    size: int

    def memory(self, size: int) -> memory.SharedMemoryInfo | None:
        """Return the memory of `size` bytes that it stands for; None where it stands for none."""
        if (self.magic, self.size) != (_MAGIC, size):
            return None
        found = memory.describe(self.descriptor, self.process)
        if found is None or found.identity[1] != self.file or found.size < size:
            return None
        return found


class Attachment(ImportedMemory):
    """A block of another process that is mapped."""


class SharedMemory(Part):
    """The attached blocks; each time one is attached it gets an address of its own.

    Attributes:
        attached: by address.

    """

    def __init__(self, state: State) -> None:
        self.attached: Ranges[Attachment] = Ranges()
        self._pools = state.part(Pools)
        state.part(Places).add_backed(self.attached)
        state.facts["is_whole_allocation"] = self._is_whole
        state.facts["is_gpu_memory"] = self._is_of_gpu
        state.facts["is_ipc_memory"] = lambda handle, size: self.named(handle, size) is not None
        state.facts["ipc_agents_reach"] = self._reach
        state.facts["is_attached"] = lambda address: self.attached.at(address) is not None

    def named(self, handle: int, size: int) -> memory.SharedMemoryInfo | None:
        """Return the memory of `size` bytes of this machine that the name at an address means."""
        found = name_at(handle).memory(size)
        return found if found is not None and found.pool < len(self._pools.in_order) else None

    def release(self) -> None:
        """Unmap every attached block."""
        for attachment in self.attached:
            attachment.release()
        self.attached.clear()

    def _is_whole(self, address: int, size: int) -> bool:
        block = self._pools.allocations.at(address)
        return block is not None and size in (block.asked, block.size)

    def _is_of_gpu(self, address: int) -> bool:
        block = self._pools.allocations.around(address)
        return block is not None and block.owner.location == "gpu"

    def _reach(self, agents: int, count: int, handle: int) -> bool:
        found = self.named(handle, name_at(handle).size)
        if found is None:
            return False
        pool = self._pools.in_order[found.pool].handle
        return all(self._pools.reaches(agent, pool) for agent in memory.words(agents, count))


def hsa_amd_ipc_memory_create(state: State, ptr: int, len: int, handle: int) -> Answer:
    """Write the name of a block, which is the same each time; memory of the host has one, too."""
    block = state.part(Pools).allocations.at(ptr)
    assert block is not None, "the argument check has found a whole block"
    file = os.fstat(block.descriptor).st_ino
    name = _NAME.pack(_MAGIC, os.getpid(), block.descriptor, file, len)
    ctypes.memmove(handle, name, _NAME.size)
    return SUCCESS


def hsa_amd_ipc_memory_attach(
    state: State, handle: int, len: int, num_agents: int, mapping_agents: int, mapped_ptr: int
) -> Answer:
    """Map the block of another process for these agents, or for all that can reach it."""
    name, pools, known = name_at(handle), state.part(Pools), state.part(SharedMemory)
    shared = known.named(handle, len)
    if shared is None:  # it was given back since the name was looked at
        return INVALID_ARGUMENT
    pool = pools.in_order[shared.pool]
    named = frozenset(memory.words(mapping_agents, num_agents))
    allowed = (named | pools.always_allowed(pool.handle)) if named else pools.reaching(pool.handle)
    try:
        descriptor = memory.take(name.descriptor, name.process)
    except FileNotFoundError:
        return INVALID_ARGUMENT
    except OSError:
        return OUT_OF_RESOURCES
    if memory.describe(descriptor) != shared:
        os.close(descriptor)
        return INVALID_ARGUMENT
    try:
        attachment = map_imported(state, Attachment, descriptor, pool.heap, allowed)
        with undoing(attachment.release):
            known.attached.add(attachment)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(mapped_ptr, attachment.address, 8)
    return SUCCESS


def hsa_amd_ipc_memory_detach(state: State, mapped_ptr: int) -> Answer:
    """Unmap what was attached at an address."""
    attached = state.part(SharedMemory).attached
    attachment = attached.at(mapped_ptr)
    if attachment is None:
        return INVALID_ARGUMENT
    attached.remove(attachment)
    attachment.release()
    return SUCCESS


def name_at(address: int) -> Name:
    """Return what lies at an address, whether it is a name or not."""
    return Name(*_NAME.unpack(ctypes.string_at(address, _NAME.size)))
