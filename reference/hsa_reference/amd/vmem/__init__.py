"""Virtual memory: reserved addresses, handles of memory, mappings of one in the other."""

from __future__ import annotations

from collections.abc import Mapping as Table
from functools import partial

from hsa_reference import memory
from hsa_reference.amd.pools.state import Pools
from hsa_reference.amd.vmem.state import Mapping, Reservation, VirtualMemory
from hsa_reference.core.agents import Agents
from hsa_reference.requests import EXPORT, IMPORT
from hsa_reference.state import State
from hsa_reference.status import (
    INVALID_AGENT,
    INVALID_ALLOCATION,
    INVALID_ARGUMENT,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)
from hsa_reference.undoing import undoing

PART = VirtualMemory


def hsa_amd_vmem_address_reserve(
    state: State, va: int, size: int, address: int, flags: int
) -> Answer:
    """Reserve a range of addresses."""
    return hsa_amd_vmem_address_reserve_align(state, va, size, address, 0, flags)


def hsa_amd_vmem_address_reserve_align(
    state: State, va: int, size: int, address: int, alignment: int, flags: int
) -> Answer:
    """Reserve an aligned range of addresses."""
    no_register = state.registry.constants["HSA_AMD_VMEM_ADDRESS_NO_REGISTER"]
    if flags & ~no_register:
        return INVALID_ARGUMENT
    try:
        start = memory.reserve(size, address, alignment or memory.PAGE)
        with undoing(lambda: memory.unmap(start, size)):
            reserved = Reservation(start, size, registered=flags == 0)
            state.part(VirtualMemory).reservations.add(reserved)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(va, start, 8)
    return SUCCESS


def hsa_amd_vmem_address_free(state: State, va: int, size: int) -> Answer:
    """Give a reserved range back."""
    reservations = state.part(VirtualMemory).reservations
    reservation = reservations.at(va)
    if reservation is None:
        return INVALID_ALLOCATION
    memory.unmap(va, size)
    reservations.remove(reservation)
    return SUCCESS


def hsa_amd_vmem_handle_create(
    state: State, pool: int, size: int, type: int, flags: int, memory_handle: int
) -> Answer:
    """Make memory that can be mapped. No flag has a meaning yet."""
    if flags:
        return INVALID_ARGUMENT
    owner = state.part(Pools).by_handle[pool]
    try:
        owner.heap.take(size)
        with undoing(lambda: owner.heap.give_back(size)):
            descriptor, shared = memory.create(size, owner.heap.index, type)
            handle = state.part(VirtualMemory).add_handle(descriptor, shared, imported=False)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(memory_handle, handle.handle, 8)
    return SUCCESS


def hsa_amd_vmem_handle_release(state: State, memory_handle: int) -> Answer:
    """Give a reference to a handle back."""
    known = state.part(VirtualMemory)
    handle = known.handles[memory_handle]
    handle.references -= 1
    known.free_unused(handle)
    return SUCCESS


def hsa_amd_vmem_map(
    state: State, va: int, size: int, in_offset: int, memory_handle: int, flags: int
) -> Answer:
    """Map memory into a reserved range. No agent can access it yet."""
    known = state.part(VirtualMemory)
    handle, reservation = known.handles[memory_handle], known.reservations.around(va)
    if reservation is None or va % memory.PAGE or in_offset or flags:
        return INVALID_ARGUMENT
    try:
        memory.attach(va, size, handle.descriptor)
        with undoing(lambda: memory.clear(va, size)):
            known.mappings.add(Mapping(va, size, handle.descriptor, handle, reservation))
    except OSError:
        return OUT_OF_RESOURCES
    reservation.mappings += 1
    handle.mappings += 1
    return SUCCESS


def hsa_amd_vmem_unmap(state: State, va: int, size: int) -> Answer:
    """Take memory out of its range again, and with it every agent's access."""
    known = state.part(VirtualMemory)
    row = known.mappings.row(va, size)
    if not row:
        return INVALID_ALLOCATION
    memory.clear(va, size)
    for mapping in row:
        known.mappings.remove(mapping)
        mapping.reservation.mappings -= 1
        mapping.memory.mappings -= 1
        known.free_unused(mapping.memory)
    return SUCCESS


def hsa_amd_vmem_set_access(state: State, va: int, size: int, desc: int, desc_cnt: int) -> Answer:
    """Set the permissions of these agents; those of other agents stay."""
    row = state.part(VirtualMemory).mappings.row(va, size)
    if not row:
        return INVALID_ALLOCATION
    granted = _read_descriptors(state, desc, desc_cnt)
    if not state.registry.enums["hsa_access_permission_t"].values.issuperset(granted.values()):
        return INVALID_ARGUMENT
    reaches = state.part(Pools).reaches
    if not all(reaches(a, m.pool) for a in granted for m in row):
        return INVALID_AGENT

    def restore() -> None:
        for mapping in row:
            permission = _host_permission(state, mapping.permissions)
            memory.restore(mapping.address, mapping.size, permission)

    try:
        with undoing(restore):
            for mapping in row:
                permission = _host_permission(state, mapping.permissions | granted)
                memory.protect(mapping.address, mapping.size, permission)
    except OSError:
        return OUT_OF_RESOURCES
    for mapping in row:
        mapping.permissions.update(granted)
    return SUCCESS


def hsa_amd_vmem_get_access(state: State, va: int, perms: int, agent_handle: int) -> Answer:
    """Write an agent's permissions, which is an error where they were never set."""
    mapping = state.part(VirtualMemory).mappings.around(va)
    permission = None if mapping is None else mapping.permissions.get(agent_handle)
    if permission is None:
        return INVALID_ALLOCATION
    memory.store(perms, permission, 4)
    return SUCCESS


def hsa_amd_vmem_export_shareable_handle(
    state: State, dmabuf_fd: int, handle: int, flags: int
) -> Answer:
    """Write a new descriptor of a handle's memory, which belongs to the caller."""
    if flags:
        return INVALID_ARGUMENT
    try:
        owned = state.part(VirtualMemory).handles[handle].descriptor
        descriptor = memory.duplicate(owned, EXPORT)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(dmabuf_fd, descriptor, 4)
    return SUCCESS


def hsa_amd_vmem_import_shareable_handle(state: State, dmabuf_fd: int, handle: int) -> Answer:
    """Write the handle of the memory that a descriptor refers to, with one more reference."""
    known = state.part(VirtualMemory)
    shared = known.shared(dmabuf_fd)
    if shared is None:
        return INVALID_ALLOCATION
    try:
        found = known.hold(shared, partial(memory.duplicate, dmabuf_fd, IMPORT))
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(handle, found.handle, 8)
    return SUCCESS


def hsa_amd_vmem_retain_alloc_handle(state: State, memory_handle: int, addr: int) -> Answer:
    """Write the handle that is mapped at an address, with one more reference."""
    mapping = state.part(VirtualMemory).mappings.around(addr)
    if mapping is None:
        return INVALID_ALLOCATION
    mapping.memory.references += 1
    memory.store(memory_handle, mapping.memory.handle, 8)
    return SUCCESS


def hsa_amd_vmem_get_alloc_properties_from_handle(
    state: State, memory_handle: int, pool: int, type: int
) -> Answer:
    """Write the pool and the type of a handle's memory."""
    handle = state.part(VirtualMemory).handles[memory_handle]
    memory.store(pool, handle.owner.handle, 8)
    memory.store(type, handle.type, 4)
    return SUCCESS


def _read_descriptors(state: State, address: int, count: int) -> dict[int, int]:
    """Return the permissions in an array of hsa_amd_memory_access_desc_t, by agent."""
    struct = state.registry.structs["hsa_amd_memory_access_desc_t"]
    agent, permission = struct.field["agent_handle"], struct.field["permissions"]
    return {
        memory.load(entry + agent.offset, agent.size): memory.load(
            entry + permission.offset, permission.size
        )
        for entry in range(address, address + count * struct.size, struct.size)
    }


def _host_permission(state: State, permissions: Table[int, int]) -> int:
    """Return the permission of the process: it runs on the CPU agents."""
    on_host, allowed = state.part(Agents).on_host, 0
    for agent, permission in permissions.items():
        if on_host(agent):
            allowed |= permission
    return allowed
