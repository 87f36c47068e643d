"""Copies and fills: asynchronous ones run on threads of the runtime, by whichever engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hsa_reference import memory
from hsa_reference.amd.copies.batches import Batches
from hsa_reference.amd.copies.boxes import PitchedPointer, read_dim3, read_pitched, rows
from hsa_reference.amd.copies.engines import Engines
from hsa_reference.amd.copies.jobs import Jobs, Piece, begin
from hsa_reference.core.agents import Agents
from hsa_reference.core.memory.places import Places
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer

#: Words that are written at once.
_WORDS = 1 << 18


class Copies(Part):
    """Who reaches which memory.

    Attributes:
        reaching: how another topic lets an agent reach memory of the program, of a size.

    """

    def __init__(self, state: State) -> None:
        for needed in (Batches, Engines, Jobs):
            state.part(needed)
        self.reaching: list[Callable[[int, int, int], bool]] = []
        self._places = state.part(Places)
        self._on_host = state.part(Agents).on_host
        state.facts["reaches"] = self._reaches

    def _reaches(self, agent: int, address: int, size: int) -> bool:
        place = self._places.around(address)
        if place is None:  # memory of the program
            let_in = (reaches(agent, address, size) for reaches in self.reaching)
            return self._on_host(agent) or any(let_in)
        return agent in place.agents and address + size <= place.address + place.size


PART = Copies


def hsa_amd_memory_async_copy(
    state: State,
    dst: int,
    dst_agent: int,
    src: int,
    src_agent: int,
    size: int,
    num_dep_signals: int,
    dep_signals: int,
    completion_signal: int,
) -> Answer:
    """Start a copy; one of no bytes is over at once, and tells no signal."""
    if size:
        places = state.part(Places)
        after = memory.words(dep_signals, num_dep_signals)
        work = partial(places.copy, dst, src, size)
        return begin(state, after, Piece(work, completion_signal))
    return SUCCESS


def hsa_amd_memory_async_copy_on_engine(
    state: State,
    dst: int,
    dst_agent: int,
    src: int,
    src_agent: int,
    size: int,
    num_dep_signals: int,
    dep_signals: int,
    completion_signal: int,
    engine_id: int,
    force_copy_on_sdma: int,
) -> Answer:
    """Start a copy. Every engine is the same here."""
    return hsa_amd_memory_async_copy(
        state,
        dst,
        dst_agent,
        src,
        src_agent,
        size,
        num_dep_signals,
        dep_signals,
        completion_signal,
    )


def hsa_amd_memory_async_copy_rect(
    state: State,
    dst: int,
    dst_offset: int,
    src: int,
    src_offset: int,
    range: int,
    copy_agent: int,
    dir: int,
    num_dep_signals: int,
    dep_signals: int,
    completion_signal: int,
) -> Answer:
    """Start a copy of a box, row by row."""
    box = read_pitched(dst, dst_offset), read_pitched(src, src_offset), read_dim3(range)
    after = memory.words(dep_signals, num_dep_signals)
    work = partial(_copy_box, state.part(Places), *box)
    return begin(state, after, Piece(work, completion_signal))


def hsa_amd_memory_async_batch_copy(
    state: State, copy_ops: int, num_copy_ops: int, num_dep_signals: int, dep_signals: int
) -> Answer:
    """Start several copies, each of which is told to the signal that they share."""
    batches = state.part(Batches)
    after = memory.words(dep_signals, num_dep_signals)
    pieces = [
        Piece(partial(batches.do, o), o["completion_signal"], partial(batches.is_ready, o))
        for o in batches.read(copy_ops, num_copy_ops)
    ]
    return begin(state, after, *pieces)


@unlocked
def hsa_amd_memory_copy_engine_status(
    state: State, dst_agent: int, src_agent: int, engine_ids_mask: int
) -> Answer:
    """Write which engines are free: all of those between the agents."""
    mask = state.part(Engines).between(dst_agent, src_agent)
    if mask == 0:
        return OUT_OF_RESOURCES
    memory.store(engine_ids_mask, mask, 4)
    return SUCCESS


@unlocked
def hsa_amd_memory_get_preferred_copy_engine(
    state: State, dst_agent: int, src_agent: int, recommended_ids_mask: int
) -> Answer:
    """Write which engines are best: all of those between the agents."""
    mask = state.part(Engines).between(dst_agent, src_agent)
    memory.store(recommended_ids_mask, mask, 4)
    return SUCCESS


def hsa_amd_memory_fill(state: State, ptr: int, value: int, count: int) -> Answer:
    """Write a number over and over."""
    places, word = state.part(Places), value.to_bytes(4, "little")
    for done in range(0, count, _WORDS):
        places.write(ptr + 4 * done, word * min(_WORDS, count - done))
    return SUCCESS


def _copy_box(
    places: Places, to: PitchedPointer, of: PitchedPointer, extent: tuple[int, int, int], era: int
) -> None:
    for target, source, size in rows(to, of, extent):
        places.copy(target, source, size, era)
