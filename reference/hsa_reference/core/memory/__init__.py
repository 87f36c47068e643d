"""Memory regions: their attributes, blocks from them, copies, registration and ownership."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.attributes import answer
from hsa_reference.callbacks import iterate
from hsa_reference.core.agents import Agents
from hsa_reference.core.memory.heaps import host_permission
from hsa_reference.core.memory.places import Places
from hsa_reference.core.memory.state import Regions
from hsa_reference.effects import unlocked
from hsa_reference.requests import OBJECT, ask
from hsa_reference.state import State
from hsa_reference.status import (
    INVALID_AGENT,
    INVALID_ALLOCATION,
    INVALID_ARGUMENT,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)

PART = Regions


@unlocked
def hsa_agent_iterate_regions(state: State, agent: int, callback: int, data: int) -> Answer:
    """Call the application with each region that an agent can access."""
    return iterate(callback, state.part(Regions).of(agent), data)


@unlocked
def hsa_region_get_info(state: State, region: int, attribute: int, value: int) -> Answer:
    """Write the value of a region's attribute."""
    return answer(state.part(Regions).by_handle[region].attributes.get(attribute), value)


def hsa_memory_allocate(state: State, region: int, size: int, ptr: int) -> Answer:
    """Take a block from a region; one that is coarse-grained belongs to the region's agent."""
    regions = state.part(Regions)
    found = regions.by_handle[region]
    permission = host_permission(state, regions.reached_from(found))
    try:
        with found.heap.allocated(size, permission) as block:
            regions.blocks.add(regions.new_block(found, block))
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(ptr, block.address, 8)
    return SUCCESS


def hsa_memory_free(state: State, ptr: int) -> Answer:
    """Give a block back to its region; NULL is no block, and no mistake either."""
    if ptr == 0:
        return SUCCESS
    blocks = state.part(Regions).blocks
    block = blocks.at(ptr)
    if block is None:
        return INVALID_ALLOCATION
    blocks.remove(block)
    block.heap.free(block)
    return SUCCESS


@unlocked
def hsa_memory_copy(state: State, dst: int, src: int, size: int) -> Answer:
    """Copy bytes, whoever may access them."""
    state.part(Places).copy(dst, src, size)
    return SUCCESS


def hsa_memory_assign_agent(state: State, ptr: int, agent: int, access: int) -> Answer:
    """Let an agent access a coarse-grained block, and no other agent from now on."""
    block = state.part(Regions).blocks.at(ptr)
    if block is None:
        return INVALID_ARGUMENT
    if agent not in block.reaching:
        return INVALID_AGENT
    if block.owner is not None:
        on_host = state.part(Agents).on_host(agent)
        permission = access if on_host else host_permission(state, ())
        try:
            memory.protect(block.address, block.size, permission)
        except OSError:
            return OUT_OF_RESOURCES
        block.owner = agent
    return SUCCESS


def hsa_memory_register(state: State, ptr: int, size: int) -> Answer:
    """Remember a range, unless it is part of a block of the runtime's own."""
    regions = state.part(Regions)
    if ptr and regions.blocks.around(ptr) is None:
        try:
            ask(OBJECT)
        except OSError:
            return OUT_OF_RESOURCES
        regions.registered.add((ptr, size))
    return SUCCESS


def hsa_memory_deregister(state: State, ptr: int, size: int) -> Answer:
    """Forget a range."""
    state.part(Regions).registered.discard((ptr, size))
    return SUCCESS
