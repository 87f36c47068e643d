"""What happens to blocks from memory pools in random sequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.pools.state import Allocation, find_allocation, find_pool
from hsa_conformance.topics.shared.memory import require_apart, require_contents

#: Bytes of a word that is written.
WORD: Final = 8


@dataclass(frozen=True)
class Word:
    """What the host wrote to a block."""

    block: Allocation
    offset: int
    content: bytes


def write(p: Player) -> None:
    """Write a word to a block of the host: its first, its last, or one beside a page's end."""
    pools = {b.address: find_pool(p.model, b.pool) for b in p.model.live("allocation")}
    able = [
        b
        for b in p.model.live("allocation")
        if (pool := pools[b.address]) is not None and pool.location == "cpu" and b.asked >= WORD
    ]
    block: Allocation = p.one_of(able)
    page = p.model.page_size
    places = [0, (block.asked - WORD) // WORD * WORD, page - WORD, page]
    offset = p.one_of([place for place in places if place + WORD <= block.asked])
    content = bytes([p.one_of(range(1, 256))]) * WORD
    if not p.session.write(block.address + offset, content):
        raise CannotMake("the host cannot write to the block")
    p.model.add("word", block.address, offset, thing=Word(block, offset, content))


def look_at_contents(
    p: Player, clause: str = "hsa_amd_memory_pool_allocate/usable-by-host"
) -> None:
    """Read every word that was written to a block that is still there."""
    for word in p.model.live("word"):
        block: Allocation = word.block
        if find_allocation(p.model, block.address) is block:
            summary = f"a block does not hold {word.content.hex(' ')} any more"
            require_contents(p.demand(clause), block.address + word.offset, word.content, summary)


def look_for_overlaps(p: Player) -> None:
    """Demand that no two blocks share an address."""
    blocks = [(block.address, block.asked) for block in p.model.live("allocation")]
    require_apart(p.demand("hsa_amd_memory_pool_allocate/blocks-apart"), blocks)


LIFE = Life(
    clause="hsa_amd_memory_pool_free/success",
    functions=(
        "hsa_amd_memory_pool_allocate",
        "hsa_amd_agents_allow_access",
        "hsa_amd_memory_pool_free",
    ),
    openings=(("hsa_amd_memory_pool_allocate", "hsa_amd_memory_pool_allocate"),),
    acts=(write,),
    distinct={"allocation": "hsa_amd_memory_pool_allocate/blocks-apart"},
    keeps={
        name: (look_at_contents, f"{name}/{slug}")
        for name, slug in (
            ("hsa_amd_memory_pool_free", "others-unharmed"),
            ("hsa_amd_agents_allow_access", "keeps-contents"),
        )
    },
    looks=(look_at_contents, look_for_overlaps),
    beside=("amd/pointers",),
)
