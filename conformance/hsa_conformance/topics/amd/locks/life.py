"""Locked memory in random sequences: ranges that overlap, lie side by side, or are locked twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.topics.amd.locks.generators import host_memory
from hsa_conformance.topics.amd.locks.state import Lock, is_sure
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.memory import require_contents
from hsa_conformance.topics.shared.pointer_info import describe, require_type

#: Pages of the memory that all locks of a sequence are in.
PAGES: Final = 4
_LOCKS: Final = ("hsa_amd_memory_lock", "hsa_amd_memory_lock_to_pool")
_INFO: Final = "hsa_amd_pointer_info"


def _room(b: Builder) -> int:
    """Return where the memory is that all locks of a sequence are in."""
    found = b.session.model.find("lockable")
    if found is None:
        found = host_memory(b, PAGES * b.session.model.page_size)
        b.session.model.add("lockable", thing=found)
    return int(found)


def _start(b: Builder) -> Sequence[int]:
    room, page = _room(b), b.session.model.page_size
    return [room, room + page, room + 64, room + 2 * page, room + page - 1]


def _size(b: Builder) -> Sequence[int]:
    room, page = b.session.model.find("lockable"), b.session.model.page_size
    if room is None:
        return []
    left = room + PAGES * page - b.number("host_ptr")
    return [size for size in (page, 1, page + 1, 2 * page, 3 * page) if size <= left]


def _for_gpu(p: Player, lock: Lock) -> bool:
    """Return whether memory is locked for a GPU; hosts reach it as it is."""
    gpus = {agent.handle for agent in known_agents(p, "gpu")}
    return bool(gpus & lock.agents if lock.agents else gpus)


def look_at_locks(p: Player) -> None:
    """Describe the first, the last and an inner address of a range that is locked."""
    locks = [k for k in p.model.live("lock") if is_sure(p.model, k) and _for_gpu(p, k)]
    for lock in p.some(locks):
        _look_at_lock(p, lock)


def look_at_the_newest(p: Player) -> None:
    """Describe a range as soon as it is locked."""
    lock: Lock = p.model.live("lock")[-1]
    if is_sure(p.model, lock) and _for_gpu(p, lock):
        _look_at_lock(p, lock)


def _look_at_lock(p: Player, lock: Lock) -> None:
    for offset in dict.fromkeys([0, lock.size - 1, lock.size // 2]):
        seen = p.model.find("seen_locked", lock.address, offset) is lock
        scene = p.demand(_clause(offset, seen=seen))
        told = describe(scene, lock.agent_address + offset)
        require_type(scene, told, "LOCKED", f"the type at {offset:#x} of a locked range")
        p.model.add("seen_locked", lock.address, offset, thing=lock)


def _clause(offset: int, *, seen: bool) -> str:
    if seen:
        return "hsa_amd_memory_lock/nests"
    return f"{_INFO}/locked" if offset == 0 else "hsa_amd_memory_lock/whole-range"


def look_at_unlocked(p: Player) -> None:
    """Describe what was locked before, and shares no page with another range ever locked.

    Its address for agents, where that is another one, may be that of something else by now.
    """
    gone: Sequence[Lock] = p.dead_objects.get("lock", [])
    ever = [*gone, *p.model.live("lock")]
    alone = [
        lock
        for lock in gone
        if is_sure(p.model, lock)
        and not any(_share_pages(p, lock, other) for other in ever if other is not lock)
    ]
    for lock in p.some(alone):
        for offset in dict.fromkeys([0, lock.size - 1]):
            scene = p.demand(f"{_INFO}/unknown")
            subject = f"the type at {offset:#x} of a range that was unlocked"
            require_type(scene, describe(scene, lock.address + offset), "UNKNOWN", subject)


def _share_pages(p: Player, lock: Lock, other: Lock) -> bool:
    mine, theirs = _pages(p, lock), _pages(p, other)
    return any(a.start < b.stop and b.start < a.stop for a in mine for b in theirs)


def _pages(p: Player, lock: Lock) -> Sequence[range]:
    """Return the numbers of the pages that a range has for the host, and for agents."""
    page = p.model.page_size
    starts = (int(lock.address), int(lock.agent_address))
    return [range(start // page, -(-(start + lock.size) // page)) for start in starts]


def write(p: Player) -> None:
    """Write a word to the memory, be it locked or not."""
    room = p.model.find("lockable")
    page = p.model.page_size
    offset = p.one_of([0, page, 2 * page, 3 * page, PAGES * page - 8] if room else [])
    content = bytes([p.one_of(range(1, 256))]) * 8
    if p.session.write(room + offset, content):
        p.model.add("locked_word", offset, thing=(room + offset, content))


def look_at_contents(p: Player) -> None:
    """Read what was written to the memory."""
    for address, content in p.model.live("locked_word"):
        summary = f"the memory does not hold {content.hex(' ')} any more"
        require_contents(p.demand("hsa_amd_memory_unlock/host-keeps"), address, content, summary)


LIFE = Life(
    clause="hsa_amd_memory_unlock/success",
    functions=(*_LOCKS, "hsa_amd_memory_unlock"),
    openings=(("hsa_amd_memory_lock", "hsa_amd_memory_lock"),),
    acts=(write,),
    looks=(look_at_locks, look_at_unlocked, look_at_contents),
    after=dict.fromkeys(_LOCKS, look_at_the_newest),
    values={
        **{f"{name}.host_ptr": _start for name in _LOCKS},
        **{f"{name}.size": _size for name in _LOCKS},
    },
    # What an earlier example has locked may share pages with this one's memory.
    fresh=True,
)
