"""What AMD's extension adds to queues."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.amd.queues.attributes import QueueAttributes
from hsa_reference.amd.queues.counted_queues import CountedQueues
from hsa_reference.amd.queues.descriptors import Descriptor, descriptor
from hsa_reference.amd.queues.interception import Interceptor
from hsa_reference.amd.queues.units import Units
from hsa_reference.attributes import write
from hsa_reference.core import queues as core_queues
from hsa_reference.core.agents import Agents
from hsa_reference.core.queues.queue import Kind
from hsa_reference.core.queues.ring import PACKET
from hsa_reference.core.queues.state import Listener, Queues
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import (
    INVALID_ARGUMENT,
    INVALID_QUEUE_CREATION,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)
from hsa_reference.undoing import undoing


class AmdQueues(Part):
    """What conditions ask of AMD's queues."""

    def __init__(self, state: State) -> None:
        for part in (Units, CountedQueues, QueueAttributes):
            state.part(part)
        queues = state.part(Queues).by_address
        state.facts["interceptable"] = lambda queue: isinstance(
            queues[queue].processor, Interceptor
        )
        # Which queues of several can be created is found out one by one.
        state.facts["queue_descriptors_supported"] = lambda *_: True


PART = AmdQueues


def hsa_amd_queue_intercept_create(
    state: State,
    agent_handle: int,
    size: int,
    type: int,
    callback: int,
    data: int,
    private_segment_size: int,
    group_segment_size: int,
    queue: int,
) -> Answer:
    """Make a queue whose packets can be intercepted; the sizes of segments are hints."""
    del private_segment_size, group_segment_size
    listener = Listener(callback, data)
    made = state.part(Queues).create(agent_handle, _kind(state, type, size), listener, Interceptor)
    if made is None:
        return OUT_OF_RESOURCES
    memory.store(queue, made.address, 8)
    return SUCCESS


def hsa_amd_queue_intercept_register(
    state: State, queue: int, callback: int, user_data: int
) -> Answer:
    """Let a function have the packets of a queue first."""
    interceptor = state.part(Queues).by_address[queue].processor
    assert isinstance(interceptor, Interceptor), "a clause says that it is interceptable"
    try:
        interceptor.register(callback, user_data)
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


@unlocked
def hsa_amd_runtime_queue_create_register(state: State, callback: int, user_data: int) -> Answer:
    """Accept a function that is never called: this runtime creates no queue for itself."""
    del state, callback, user_data
    return SUCCESS


def hsa_amd_queue_cu_set_mask(
    state: State, queue: int, num_cu_mask_count: int, cu_mask: int
) -> Answer:
    """Choose the compute units that a queue may use."""
    try:
        state.part(Units).choose(queue, num_cu_mask_count, cu_mask)
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


def hsa_amd_queue_cu_get_mask(
    state: State, queue: int, num_cu_mask_count: int, cu_mask: int
) -> Answer:
    """Write which compute units a queue may use."""
    state.part(Units).write(queue, num_cu_mask_count, cu_mask)
    return SUCCESS


@unlocked
def hsa_amd_queue_set_priority(state: State, queue: int, priority: int) -> Answer:
    """Accept the priority: each queue has a thread, and the system decides which one runs."""
    del state, queue, priority
    return SUCCESS


def hsa_amd_queue_get_info(state: State, queue: int, attribute: int, value: int) -> Answer:
    """Write an attribute of a queue that an agent processes."""
    found = state.part(QueueAttributes).of(queue)
    known = write(state.registry, "hsa_amd_queue_get_info", attribute, found, value)
    return SUCCESS if known else INVALID_ARGUMENT


def hsa_amd_queue_create(state: State, agent: int, descs: int, num_descs: int) -> Answer:
    """Create queues one by one, and answer how the first one failed that did."""
    answers = [
        _create(state, agent, descriptor(state.registry, descs, index))
        for index in range(num_descs)
    ]
    return next((answer for answer in answers if answer != SUCCESS), SUCCESS)


def _create(state: State, agent: int, wanted: Descriptor) -> Answer:
    """Create the queue of a descriptor, and write it there, or NULL.

    There are compute queues alone: no text says what a packet of a copy queue looks like. All
    memory of queues is the host's, wherever its descriptor wants it.
    """
    memory.store(wanted.written, 0, 8)
    queues, units = state.part(Queues), state.part(Units)
    compute = state.registry.constants["HSA_AMD_QUEUE_ENGINE_COMPUTE"]
    packets = wanted.size // PACKET
    if (
        wanted.engine != compute
        or state.part(Agents).on_host(agent)
        or not queues.limits.supports_type(agent, wanted.type)
        or not queues.limits.supports_size(agent, packets)
    ):
        return INVALID_QUEUE_CREATION
    if wanted.bits and not (wanted.mask and units.pairs_whole(agent, wanted.bits, wanted.mask)):
        return INVALID_ARGUMENT
    listener = Listener(wanted.callback, wanted.data)
    made = queues.open(agent, _kind(state, wanted.type, packets), listener)
    if made is None:
        return OUT_OF_RESOURCES
    try:
        with undoing(lambda: core_queues.hsa_queue_destroy(state, made.address)):
            units.choose(made.address, wanted.bits, wanted.mask)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(wanted.written, made.address, 8)
    return SUCCESS


def hsa_amd_counted_queue_acquire(
    state: State,
    agent: int,
    type: int,
    priority: int,
    callback: int,
    data: int,
    flags: int,
    queue: int,
) -> Answer:
    """Make a queue whose hardware queue may be that of others, too."""
    del flags
    kind = _kind(state, type, state.part(Queues).limits.smallest(agent))
    listener = Listener(callback, data)
    made = state.part(CountedQueues).acquire(agent, kind, priority, listener)
    if made is None:
        return OUT_OF_RESOURCES
    memory.store(queue, made.address, 8)
    return SUCCESS


@unlocked
def hsa_amd_counted_queue_release(state: State, queue: int) -> Answer:
    """End a counted queue; its hardware queue stays."""
    return core_queues.hsa_queue_destroy(state, queue)


def _kind(state: State, type_of: int, size: int) -> Kind:
    """Return what a queue for kernels is.

    Args:
        state: of the runtime.
        type_of: a hsa_queue_type_t.
        size: how many packets it holds.

    """
    return Kind(type_of, state.registry.constants["HSA_QUEUE_FEATURE_KERNEL_DISPATCH"], size)
