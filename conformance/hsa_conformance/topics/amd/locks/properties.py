"""Locked memory of the host: what agents and the host see of it, and how long it stays locked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.locks.generators import (
    host_memory,
    host_range,
    lock,
    lock_call,
)
from hsa_conformance.topics.amd.locks.state import Lock
from hsa_conformance.topics.amd.pools.device_copies import seen_by_gpu, written_by_gpu
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.state import Pool, pool_access
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.shared.memory import Marks
from hsa_conformance.topics.shared.pointer_info import require_locked

proves = Proofs()

FUNCTIONS: Final = ("hsa_amd_memory_lock", "hsa_amd_memory_lock_to_pool")


@dataclass(frozen=True)
class Piece:
    """Bytes that the host has somewhere in memory that is locked."""

    lock: Lock
    offset: int
    content: bytes

    @property
    def for_agents(self) -> int:
        """Where agents find them."""
        return self.lock.agent_address + self.offset

    @property
    def for_host(self) -> int:
        """Where the host has them."""
        return self.lock.address + self.offset


def _lock(scene: Scene, function: str, address: int, size: int) -> Lock:
    return lock(scene, address, size, _pool(scene, function))


def _require_lock(scene: Scene, function: str, address: int, size: int) -> Lock:
    """Demand that memory can be locked."""
    name, values = lock_call(scene, address, size, _pool(scene, function))
    scene.require_status(scene.call(name, **values), SUCCESS)
    made: Lock = scene.session.model.live("lock")[-1]
    return made


def _pool(scene: Scene, function: str) -> Pool | None:
    """Return a pool for the function that locks to one; none for the other."""
    if function == "hsa_amd_memory_lock":
        return None
    agents = [agent.handle for agent in known_agents(scene)]
    pools = known_pools(
        scene,
        lambda p: (
            p.location == "cpu"
            and all(pool_access(scene.session.model, a, p.handle) != "never" for a in agents)
        ),
    )
    return scene.choose(pools)


def _content(scene: Scene) -> bytes:
    return bytes(scene.draw(drawing.binary(min_size=1, max_size=15))) + b"\x5a"


def _piece(scene: Scene, held: Lock, start: int, size: int) -> Piece:
    """Write bytes somewhere in the first `size` bytes behind `start`, which are locked."""
    content = _content(scene)[-size:]
    offset = start - held.address + scene.draw(sizes(0, size - len(content)))
    scene.session.write(held.address + offset, content)
    return Piece(held, offset, content)


def _require_seen(scene: Scene, piece: Piece) -> None:
    found = seen_by_gpu(scene, piece.for_agents, len(piece.content))
    scene.require(
        found == piece.content,
        f"a GPU does not read {piece.content.hex(' ')}, which the host has there",
        "memory that cannot be read" if found is None else found.hex(" "),
    )


def _require_kept(scene: Scene, piece: Piece, content: bytes) -> None:
    found = scene.session.read(piece.for_host, len(content))
    scene.require(
        found == content,
        f"the host does not find {content.hex(' ')} in its memory",
        "memory that cannot be read" if found is None else found.hex(" "),
    )


@proves.each(FUNCTIONS, "contents-seen")
def contents_are_seen(scene: Scene) -> None:
    """What the host writes to locked memory, before or after the lock, a GPU reads there."""
    function = scene.clause.function
    some_gpu(scene)
    address, size = host_range(scene)
    content = _content(scene)[-size:]
    offset = scene.draw(sizes(0, size - len(content)))
    early = scene.draw(drawing.booleans())
    if early:
        scene.session.write(address + offset, content)
    held = _lock(scene, function, address, size)
    if not early:
        scene.session.write(address + offset, content)
    _require_seen(scene, Piece(held, offset, content))


@proves.each(FUNCTIONS, "whole-range")
def the_whole_range_is_locked(scene: Scene) -> None:
    """Where the first byte of a locked range is known as locked, so are the last and all others."""
    some_gpu(scene)
    address, size = host_range(scene)
    held = _lock(scene, scene.clause.function, address, size)
    require_locked(scene, held.agent_address, size)


@proves.each(FUNCTIONS, "nests", examples=2)
def locks_nest(scene: Scene) -> None:
    """Pages that are locked are locked again: a GPU reads them by both, and by one that is left."""
    function = scene.clause.function
    some_gpu(scene)
    page = scene.session.model.page_size
    unit = scene.draw(sizes(page, scene.session.scratch.share // 2, page))
    base = host_memory(scene, 4 * unit)
    (first, second), shared = scene.each("ranges", _OVERLAPS)
    held = [
        make(scene, function, base + start * unit, units * unit)
        for make, (start, units) in ((_lock, first), (_require_lock, second))
    ]
    for each in held:
        _require_seen(scene, _piece(scene, each, base + shared * unit, unit))
    gone = scene.choose([1, 0])
    scene.set_up("hsa_amd_memory_unlock", host_ptr=held[gone].address)
    left = held[1 - gone]
    _require_seen(scene, _piece(scene, left, base + shared * unit, unit))


#: Two ranges, each its first unit of some pages and how many it has, and a unit that both have.
#: Where they start at one address they are as long, since an unlock could not say which it means.
_OVERLAPS: Final = {
    "equal": (((0, 2), (0, 2)), 1),
    "the second behind": (((0, 2), (1, 2)), 1),
    "the second before": (((1, 2), (0, 2)), 1),
    "the second inside": (((0, 4), (1, 2)), 2),
    "the second around": (((1, 2), (0, 4)), 2),
}


@proves("hsa_amd_memory_lock_to_pool/like-the-pool")
def gpus_write_to_memory_that_stays_where_it_is(scene: Scene) -> None:
    """A GPU writes to memory locked to a pool, and the host reads it at its old address."""
    some_gpu(scene)
    address, size = host_range(scene)
    piece = _piece(scene, _lock(scene, "hsa_amd_memory_lock_to_pool", address, size), address, size)
    _require_kept(scene, piece, piece.content)
    changed = bytes(byte ^ 0xFF for byte in piece.content)
    written_by_gpu(scene, piece.for_agents, changed)
    _require_kept(scene, piece, changed)


@proves("hsa_amd_memory_unlock/host-keeps")
def the_host_keeps_what_it_had(scene: Scene) -> None:
    """After memory is unlocked, the host reads what was written before and during the lock."""
    address, size = host_range(scene)
    function = scene.choose(["hsa_amd_memory_lock", "hsa_amd_memory_lock_to_pool"])
    marks = Marks(scene, size)
    marks.put(address)
    held = _lock(scene, function, address, size)
    piece = _piece(scene, held, address, size) if scene.draw(drawing.booleans()) else None
    scene.set_up("hsa_amd_memory_unlock", host_ptr=address)
    if piece is None:
        marks.require(address, "the host does not find what it wrote before the lock")
        return
    _require_kept(scene, piece, piece.content)
    changed = bytes(byte ^ 0xFF for byte in piece.content)
    scene.session.write(piece.for_host, changed)
    _require_kept(scene, piece, changed)
