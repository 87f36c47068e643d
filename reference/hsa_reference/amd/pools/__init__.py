"""Memory pools: their attributes, allocation, and which agents reach an allocation."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.amd.pools.state import Allocation, Pools
from hsa_reference.attributes import answer
from hsa_reference.callbacks import iterate, tell_freed
from hsa_reference.core.memory.heaps import host_permission
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.state import State
from hsa_reference.status import (
    INVALID_ALLOCATION,
    INVALID_ARGUMENT,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)

PART = Pools


@unlocked
def hsa_amd_agent_iterate_memory_pools(
    state: State, agent: int, callback: int, data: int
) -> Answer:
    """Call the application with each pool of an agent."""
    return iterate(callback, [p.handle for p in state.part(Pools).of(agent)], data)


@unlocked
def hsa_amd_memory_pool_get_info(
    state: State, memory_pool: int, attribute: int, value: int
) -> Answer:
    """Write the value of a pool's attribute."""
    return answer(state.part(Pools).by_handle[memory_pool].attributes.get(attribute), value)


@unlocked
def hsa_amd_agent_memory_pool_get_info(
    state: State, agent: int, memory_pool: int, attribute: int, value: int
) -> Answer:
    """Write the value of an attribute of how an agent reaches a pool."""
    return answer(state.part(Pools).routes[agent, memory_pool].get(attribute), value)


def hsa_amd_memory_pool_allocate(
    state: State, memory_pool: int, size: int, flags: int, ptr: int
) -> Answer:
    """Take a block from a pool. The flags change nothing that can be seen here."""
    pools = state.part(Pools)
    pool, agents = pools.by_handle[memory_pool], pools.always_allowed(memory_pool)
    try:
        with pool.heap.allocated(size, host_permission(state, agents)) as block:
            pools.allocations.add(Allocation(*block, size, pool, agents))
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(ptr, block.address, 8)
    return SUCCESS


@unlocked
def hsa_amd_memory_pool_free(state: State, ptr: int) -> Answer:
    """Give a block back to its pool; NULL is no block, and no mistake either."""
    if ptr == 0:
        return SUCCESS
    with LOCK:  # not held while the application is told
        block = state.part(Pools).allocations.at(ptr)
        if block is None:
            return INVALID_ALLOCATION
        state.part(Pools).allocations.remove(block)
        block.heap.free(block)
    for watcher in block.watchers:
        tell_freed(watcher.callback, watcher.address, watcher.data)
    return SUCCESS


def hsa_amd_agents_allow_access(
    state: State, num_agents: int, agents: int, flags: int, ptr: int
) -> Answer:
    """Let these agents, and those that always can, access a block; no other can from now on."""
    pools = state.part(Pools)
    block = pools.allocations.at(ptr)
    if block is None or num_agents == 0:
        return INVALID_ARGUMENT
    allowed = pools.always_allowed(block.pool) | set(memory.words(agents, num_agents))
    try:
        memory.protect(block.address, block.size, host_permission(state, allowed))
    except OSError:
        return OUT_OF_RESOURCES
    block.allowed = allowed
    return SUCCESS
