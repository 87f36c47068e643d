"""Queues: rings of packets in memory, read by a packet processor or by the application."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.core.memory.heaps import host_permission
from hsa_reference.core.memory.state import Regions
from hsa_reference.core.queues import indices
from hsa_reference.core.queues.queue import Kind
from hsa_reference.core.queues.state import Listener, Queues
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.state import State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer

PART = Queues
DIRECT = indices.DIRECT

globals().update(indices.effects())


def hsa_queue_create(
    state: State,
    agent: int,
    size: int,
    type: int,
    callback: int,
    data: int,
    private_segment_size: int,
    group_segment_size: int,
    queue: int,
) -> Answer:
    """Make a queue that an agent processes; there is one cooperative queue for each agent.

    The sizes of segments are hints, and nothing here needs them.
    """
    del private_segment_size, group_segment_size
    features = state.registry.constants["HSA_QUEUE_FEATURE_KERNEL_DISPATCH"]
    listener = Listener(callback, data)
    made = state.part(Queues).open(agent, Kind(type, features, size), listener)
    if made is None:
        return OUT_OF_RESOURCES
    memory.store(queue, made.address, 8)
    return SUCCESS


def hsa_soft_queue_create(
    state: State,
    region: int,
    size: int,
    type: int,
    features: int,
    doorbell_signal: int,
    queue: int,
) -> Answer:
    """Make a queue whose packets the application processes, with the ring in a region."""
    regions = state.part(Regions)
    found = regions.by_handle[region]
    permission = host_permission(state, regions.reached_from(found))
    kind = Kind(type, features, size)
    try:
        made = state.part(Queues).create_soft(kind, doorbell_signal, found.heap, permission)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(queue, made.address, 8)
    return SUCCESS


@unlocked
def hsa_queue_destroy(state: State, queue: int) -> Answer:
    """End a queue; a shared one ends when everybody has given it back."""
    queues = state.part(Queues)
    with LOCK:  # not held while the processor ends, which may be calling the application
        found = queues.by_address[queue]
        found.holders -= 1
        if found.holders:
            return SUCCESS
        queues.remove(found)
    queues.give_back(found)
    return SUCCESS


@unlocked
def hsa_queue_inactivate(state: State, queue: int) -> Answer:
    """Process no packet of a queue any more."""
    with LOCK:
        processor = state.part(Queues).by_address[queue].processor
        if processor:
            processor.stop()
    if processor:
        processor.end()
    return SUCCESS
