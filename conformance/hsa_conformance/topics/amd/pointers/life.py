"""What hsa_amd_pointer_info says, in the course of random sequences, of each kind of memory."""

from __future__ import annotations

from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.topics.amd.pools.state import (
    Allocation,
    find_pool,
    granted,
    pool_access,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.pointer_info import (
    accessible,
    describe,
    require_covered,
    require_type,
)


def look_at_a_block(p: Player) -> None:
    """Describe the first, the last and an inner address of a block."""
    for block in p.some(p.model.live("allocation")):
        _look_at_block(p, block)


def _look_at_block(p: Player, block: Allocation) -> None:
    pool = find_pool(p.model, block.pool)
    ends = [0, block.asked - 1, block.asked // 2]
    start = describe(p.claim("hsa_amd_pointer_info/success"), block.address)
    for offset in dict.fromkeys(ends):
        told = describe(p.claim("hsa_amd_pointer_info/success"), block.address + offset)
        scene = p.demand("hsa_amd_pointer_info/block-type")
        require_type(scene, told, "HSA", f"the type at {offset:#x} of a block")
        base = told["agentBaseAddress"]
        slug = "block-agent-base" if pool and pool.location == "gpu" else "block-base"
        p.demand(f"hsa_amd_pointer_info/{slug}").require(
            base == block.address,
            f"agentBaseAddress at {offset:#x} of a block is not its start",
            f"{base:#x}",
        )
        size = told["sizeInBytes"]
        p.demand("hsa_amd_pointer_info/block-size").require(
            block.asked <= size <= block.size,
            f"sizeInBytes is not between the {block.asked} bytes asked for and {block.size}",
            size,
        )
        p.demand("hsa_amd_pointer_info/block-inside").require(
            told == start,
            f"the answer at {offset:#x} of a block is not that at its start",
            "another answer",
        )


def look_behind_a_block(p: Player) -> None:
    """Describe the first address behind a block, which may be another one's or nobody's."""
    for block in p.some(p.model.live("allocation")):
        require_covered(p.demand("hsa_amd_pointer_info/covers"), block.address + block.size)


def look_at_access(p: Player) -> None:
    """Compare the GPUs that can access a block with those of the last list."""
    for block in p.some(p.model.live("allocation")):
        _look_at_access(p, block)


def _look_at_access(p: Player, block: Allocation) -> None:
    gpus = {a.handle for a in known_agents(p, "gpu")}
    pool = find_pool(p.model, block.pool)
    if pool is None or not gpus:
        return
    found = accessible(p.claim("hsa_amd_pointer_info/accessible"), block.address)
    got = f"agents with access: {', '.join(f'{a:#x}' for a in sorted(found)) or 'none'}"
    if pool.agent in gpus:
        p.demand("hsa_amd_pointer_info/accessible-owner").require(
            pool.agent in found, "the agent of the pool cannot access the block", got
        )
    named = granted(p.model, block)
    if named is None:
        return
    p.demand("hsa_amd_agents_allow_access/grants-access").require(
        found >= named & gpus, "a GPU of the last list cannot access the block", got
    )
    out = {
        a
        for a in gpus - named - {pool.agent}
        if pool_access(p.model, a, pool.handle) == "on_request"
    }
    p.demand("hsa_amd_agents_allow_access/takes-access-away").require(
        not found & out, "a GPU that the last list leaves out can access the block", got
    )


def look_at_what_is_gone(p: Player) -> None:
    """Describe the first, the last and an inner address of a block that was freed."""
    for block in p.some(p.dead_objects.get("allocation", [])):
        for offset in p.some([0, block.asked - 1, block.asked // 2]):
            _look_at_gone(p, block, offset)


def _look_at_gone(p: Player, block: Allocation, offset: int) -> None:
    address = block.address + offset
    if any(
        thing.address <= address < thing.address + thing.size
        for kind in ("allocation", "region_block", "reservation", "lock")
        for thing in p.model.live(kind)
    ):
        return
    scene = p.demand("hsa_amd_pointer_info/freed-block")
    subject = f"the type at {offset:#x} of a block that was freed"
    require_type(scene, describe(scene, address), "UNKNOWN", subject)


LIFE = Life(
    clause=None,
    looks=(look_at_a_block, look_behind_a_block, look_at_access, look_at_what_is_gone),
)
