"""Shared virtual memory: attributes of the program's pages, prefetches, and discarded ranges."""

from __future__ import annotations

from functools import partial

from hsa_reference import memory
from hsa_reference.amd.copies.jobs import Piece, begin
from hsa_reference.amd.svm.state import SharedAddresses, read_pairs
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.core.memory.places import Places
from hsa_reference.effects import LOCK
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, NOT_SUPPORTED, OUT_OF_RESOURCES, SUCCESS, Answer

PART = SharedAddresses


def hsa_amd_svm_attributes_set(
    state: State, ptr: int, size: int, attribute_list: int, attribute_count: int
) -> Answer:
    """Set attributes of pages."""
    known = state.part(SharedAddresses)
    if not known.supported:
        return NOT_SUPPORTED
    if ptr == 0:
        return INVALID_ARGUMENT
    try:
        known.set(ptr, size, read_pairs(attribute_list, attribute_count))
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


def hsa_amd_svm_attributes_get(
    state: State, ptr: int, size: int, attribute_list: int, attribute_count: int
) -> Answer:
    """Write attributes of pages into the pairs that ask for them."""
    known = state.part(SharedAddresses)
    if not known.supported:
        return NOT_SUPPORTED
    if ptr == 0:
        return INVALID_ARGUMENT
    for index, pair in enumerate(read_pairs(attribute_list, attribute_count)):
        attribute, value = known.get(ptr, size, *pair)
        memory.store(attribute_list + 16 * index, attribute, 8)
        memory.store(attribute_list + 16 * index + 8, value, 8)
    return SUCCESS


def hsa_amd_svm_prefetch_async(
    state: State,
    ptr: int,
    size: int,
    agent: int,
    num_dep_signals: int,
    dep_signals: int,
    completion_signal: int,
) -> Answer:
    """Remember that a range is fetched to an agent as signals allow; nothing is moved."""
    known, places = state.part(SharedAddresses), state.part(Places)
    if not known.supported:
        return NOT_SUPPORTED
    number = known.next_number()

    def fetch(era: int) -> None:
        with LOCK:
            if era == places.era:
                known.fetch(ptr, size, agent, number)

    after = memory.words(dep_signals, num_dep_signals)
    answer = begin(state, after, Piece(fetch, completion_signal))
    if answer == SUCCESS:  # nothing is fetched yet: this thread has the lock
        known.issue(ptr, size, agent, number)
    return answer


def hsa_amd_svm_discard_batch_async(
    state: State,
    ptrs: int,
    sizes: int,
    count: int,
    num_dep_signals: int,
    dep_signals: int,
    completion_signal: int,
) -> Answer:
    """Give up, when the signals allow it, the pages behind reserved ranges; they become zero."""
    ranges = list(zip(memory.words(ptrs, count), memory.words(sizes, count), strict=True))
    after = memory.words(dep_signals, num_dep_signals)
    return begin(state, after, Piece(partial(_discard, state, ranges), completion_signal))


def _discard(state: State, ranges: list[tuple[int, int]], era: int) -> None:
    with LOCK:
        if era != state.part(Places).era:
            return
        for address, size in ranges:
            for mapping in state.part(VirtualMemory).mappings.overlapping(address, size):
                start = max(address, mapping.address)
                end = min(address + size, mapping.address + mapping.size)
                memory.discard(mapping.descriptor, start - mapping.address, end - start)
