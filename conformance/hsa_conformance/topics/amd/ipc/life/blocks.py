"""What two processes do with blocks that they share, and what must be seen of these meanwhile."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.random_programs.player import Player, attempt
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.topics.amd.ipc.generators import gpu_pools, known_block
from hsa_conformance.topics.amd.ipc.life import sharing as reach
from hsa_conformance.topics.amd.ipc.life.sharing import (
    Attachment,
    Block,
    Place,
    places,
    sharing,
)
from hsa_conformance.topics.amd.ipc.state import shared_block
from hsa_conformance.topics.amd.pools.state import find_allocation, pool_access
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.pointer_info import accessible

_ALLOCATE: Final = "hsa_amd_memory_pool_allocate"
_FREE: Final = "hsa_amd_memory_pool_free"
_CREATE: Final = "hsa_amd_ipc_memory_create"
_ATTACH: Final = "hsa_amd_ipc_memory_attach"
_DETACH: Final = "hsa_amd_ipc_memory_detach"
_OTHERS_STAY: Final = f"{_DETACH}/others-stay"

#: Bytes of a word that is written.
WORD: Final = 8
#: Bytes of a block that a runtime makes no part of a larger one.
LARGE: Final = 3 << 20


def allocate(p: Player) -> None:
    """Allocate a block of a GPU, small or large, and write to both ends."""
    pool = p.one_of(gpu_pools(p))
    granules = p.one_of([1, 3, -(-LARGE // pool.granule)])
    answer = p.call(
        _ALLOCATE, memory_pool=pool.handle, size=granules * pool.granule, flags=0, ptr=Out()
    )
    found = find_allocation(p.model, answer["ptr"])
    if answer.ok and found is not None:
        block = Block(found)
        sharing(p).own.append(block)
        for offset in (0, found.size - WORD):
            _write(p, (block, found.address, pool.agent), offset)


def name(p: Player) -> None:
    """Make a name for a block, and tell it to the other process."""
    block = p.one_of(sharing(p).own)
    allocation = block.allocation
    answer = p.call(_CREATE, ptr=allocation.address, len=allocation.size, handle=Out())
    if answer.ok:
        words = answer.outputs["handle"] or b""
        block.names.append(int.from_bytes(words, "little"))
        place = known_block(p.other.session, p.session, allocation, words)
        sharing(p.other).known.append((block, place))


def attach(p: Player) -> None:
    """Attach a block by one of its names, for all agents or for some GPUs."""
    block, place = p.one_of([(b, n) for b, n in sharing(p).known if not b.freed])
    shared = shared_block(p.model, place)
    pool = shared.pool if shared else 0
    able = [
        a.handle for a in known_agents(p, "gpu") if pool_access(p.model, a.handle, pool) != "never"
    ]
    agents = p.shuffled(able)[: p.one_of([0, 1, len(able)])]
    answer = p.call(
        _ATTACH,
        handle=place,
        len=block.allocation.size,
        num_agents=len(agents),
        mapping_agents=p.session.lay_out(handle_array(agents)) if agents else 0,
        mapped_ptr=Out(),
    )
    if answer.ok:
        made = Attachment(block, answer["mapped_ptr"], frozenset(agents or able), bool(agents))
        sharing(p).attached.append(made)
        _look_at_access(made, p)


def detach(p: Player) -> None:
    """Detach an address once: when it was as often as it was attached, no GPU has access."""
    gone = p.one_of(sharing(p).attached)
    sharing(p).attached.remove(gone)
    every = [(player, place) for player in (p, p.other) for place in places(player)]
    of_it = [(player, place) for player, place in every if place[0] is gone.block]
    seen = [p.one_of(some) for some in (of_it, every) if some]
    stills = [
        *(p.keeping(partial(_look_at_access, a), _OTHERS_STAY) for a in sharing(p).attached),
        *(player.keeping(partial(_look, place), _OTHERS_STAY) for player, place in seen),
    ]
    p.call(_DETACH, mapped_ptr=gone.address)
    if gone.address not in [other.address for other in sharing(p).attached]:
        left = _gpus(p, gone.address, f"{_DETACH}/last-unmaps")
        p.claim(f"{_DETACH}/last-unmaps").require(
            not left, "GPUs still have access after the last detach", f"{len(left)} GPUs"
        )
    for still in stills:
        still()


def free(p: Player) -> None:
    """Free a block, which others may have attached; nobody attaches to it any more."""
    block = p.one_of(sharing(p).own)
    others = [place for place in places(p) if place[0] is not block]
    seen = [p.one_of(others)] if others else []
    stills = [p.keeping(partial(_look, place), f"{_FREE}/others-unharmed") for place in seen]
    for words in block.names:
        p.other.model.remove("ipc_memory", words)
    p.call(_FREE, ptr=block.allocation.address)
    block.freed = True
    sharing(p).own.remove(block)
    for still in stills:
        still()


def write(p: Player) -> None:
    """Let a GPU write to one end of a block, its own or one that is attached."""
    place = p.one_of(places(p))
    _write(p, place, p.one_of([0, place[0].allocation.size - WORD]))


def _write(p: Player, place: Place, offset: int) -> None:
    block, address, gpu = place
    content = bytes([next(p.tags)]) * WORD
    reach.write(p, address + offset, content, gpu)
    block.content[offset] = content


def look(p: Player) -> None:
    """Look at a block from one of the places where it is reached."""
    _look(p.one_of(places(p)), p)


def _look(place: Place, p: Player, clause: str = "") -> None:
    block, address, gpu = place
    scene = p.demand(clause or _keeping(block))
    for offset, content in block.content.items():
        found = reach.read(p, address + offset, WORD, gpu)
        scene.require(
            found == content,
            f"a GPU does not read {content.hex(' ')}, written at {offset:#x} of the block",
            "memory that cannot be read" if found is None else found.hex(" "),
        )


def _keeping(block: Block) -> str:
    """Return the clause by which a block holds the bytes that were written last."""
    return f"{_ATTACH}/{'outlives-creator' if block.freed else 'same-bytes'}"


def look_at_access(p: Player) -> None:
    """Ask for the GPUs that have access to what is attached."""
    _look_at_access(p.one_of(sharing(p).attached), p)


def _look_at_access(attachment: Attachment, p: Player, clause: str = "") -> None:
    listed = "agents-access" if attachment.listed else "no-agents-means-all"
    clause = clause or f"{_ATTACH}/{listed}"
    missing = attachment.agents - _gpus(p, attachment.address, clause)
    p.demand(clause).require(
        not missing, "a GPU has no access to what was attached for it", f"{len(missing)} GPUs"
    )


def _gpus(p: Player, address: int, clause: str) -> set[int]:
    """Return the GPUs with access to an address, none where nothing is known of it."""
    with suppress(Blocked):
        return accessible(p.claim(clause), address) & {a.handle for a in known_agents(p, "gpu")}
    return set()


def give_back(p: Player) -> None:
    """Detach and free all that is left, in any order; each call must succeed."""
    while sharing(p).attached or sharing(p).own:
        p.one_of([detach] * bool(sharing(p).attached) + [free] * bool(sharing(p).own))(p)


def inspect(p: Player) -> None:
    """Look at everything."""
    for attachment in sharing(p).attached:
        attempt(partial(_look_at_access, attachment), p)
    for place in places(p):
        attempt(partial(_look, place), p)
