"""Blocks that move to another pool, and preparations that an agent makes early."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.amd.pools.state import Pool, Pools
from hsa_reference.core.memory.heaps import host_permission
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer
from hsa_reference.undoing import undoing


class Migration(Part):
    """Which blocks can move where."""

    def __init__(self, state: State) -> None:
        self._pools = state.part(Pools)
        state.facts["can_migrate"] = self._can_migrate

    def _can_migrate(self, address: int, pool: int) -> bool:
        block = self._pools.allocations.around(address)
        return block is not None and fits(block.owner, self._pools.by_handle[pool])


PART = Migration


def fits(old: Pool, new: Pool) -> bool:
    """Return whether any block of one pool could be one of the other."""
    from_, to = old.heap.model, new.heap.model
    return (
        from_.allocatable
        and to.allocatable
        and from_.granule % to.granule == 0
        and from_.alignment % to.alignment == 0
    )


def hsa_amd_memory_pool_can_migrate(
    state: State, src_memory_pool: int, dst_memory_pool: int, result: int
) -> Answer:
    """Write whether blocks of one pool can move to another."""
    pools = state.part(Pools).by_handle
    memory.store(result, fits(pools[src_memory_pool], pools[dst_memory_pool]), 1)
    return SUCCESS


def hsa_amd_memory_migrate(state: State, ptr: int, memory_pool: int, flags: int) -> Answer:
    """Count a block to another pool, whose agent alone has access; its memory stays where it is.

    So whoever shares it still sees the same bytes.
    """
    pools = state.part(Pools)
    block, pool = pools.allocations.around(ptr), pools.by_handle[memory_pool]
    if block is None or not fits(block.owner, pool):
        return INVALID_ARGUMENT
    allowed = pools.always_allowed(memory_pool)
    try:
        pool.heap.take(block.size)
        with undoing(lambda: pool.heap.give_back(block.size)):
            memory.protect(block.address, block.size, host_permission(state, allowed))
    except OSError:
        return OUT_OF_RESOURCES
    block.owner.heap.give_back(block.size)
    block.owner, block.allowed = pool, allowed
    return SUCCESS


def hsa_amd_agent_preload(state: State, agent: int, flags: int) -> Answer:
    """Prepare an agent, for which there is nothing to do."""
    return SUCCESS
