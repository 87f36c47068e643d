"""Blocks from memory regions, and registered ranges, in random sequences."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.core.memory.state import Region, RegionBlock
from hsa_conformance.topics.shared.memory import require_apart, require_contents
from hsa_conformance.topics.shared.pointer_info import FUNCTION, describe, type_of

WORD: Final = 8
_FREE: Final = "hsa_memory_free"


def write(p: Player) -> None:
    """Write a word to a block that the host reaches: its first, or its last."""
    able = [b for b in p.model.live("region_block") if _of_host(p, b)]
    block: RegionBlock = p.one_of(able)
    offset = p.one_of([0, block.size - WORD])
    content = bytes([p.one_of(range(1, 256))]) * WORD
    if not p.session.write(block.address + offset, content):
        raise CannotMake("the host cannot write to the block")
    p.model.add("region_word", block.address, offset, thing=(block, offset, content))


def _of_host(p: Player, block: RegionBlock) -> bool:
    region = p.model.find("region", block.region)
    return isinstance(region, Region) and region.device == "cpu"


def look_at_contents(p: Player, clause: str = "hsa_memory_allocate/usable") -> None:
    """Read every word that was written to a block that is still there."""
    for block, offset, content in p.model.live("region_word"):
        if p.model.find("region_block", block.address) is block:
            summary = f"a block does not hold {content.hex(' ')} any more"
            require_contents(p.demand(clause), block.address + offset, content, summary)


def look_for_overlaps(p: Player) -> None:
    """Demand that no two blocks share an address."""
    blocks = [(block.address, block.size) for block in p.model.live("region_block")]
    require_apart(p.demand("hsa_memory_allocate/apart"), blocks)


def look_at_what_is_gone(p: Player) -> None:
    """Demand that a block of the host is not there as if it had not been freed."""
    if not p.session.offers(FUNCTION):
        raise CannotMake("nobody can be asked")
    live = [t for kind in ("allocation", "region_block") for t in p.model.live(kind)]
    for block in p.some([b for b in p.dead_objects.get("region_block", []) if _of_host(p, b)]):
        if any(t.address <= block.address < t.address + t.size for t in live):
            continue
        scene = p.demand(f"{_FREE}/block-gone")
        told = describe(scene, block.address)
        known = type_of(scene, told) != "UNKNOWN" and told["agentBaseAddress"] == block.address
        readable = known and p.session.read(block.address, 1) is not None
        scene.require(
            not readable, "a block is known and can be read after it was freed", block.segment
        )


LIFE = Life(
    clause=f"{_FREE}/success",
    functions=("hsa_memory_allocate", "hsa_memory_register", "hsa_memory_deregister", _FREE),
    openings=(("hsa_memory_allocate", "hsa_memory_allocate"),),
    acts=(write,),
    distinct={"region_block": "hsa_memory_allocate/apart"},
    keeps={
        name: (look_at_contents, f"{name}/{slug}")
        for name, slug in (
            (_FREE, "others-unharmed"),
            ("hsa_memory_register", "contents-kept"),
            ("hsa_memory_deregister", "contents-kept"),
        )
    },
    looks=(look_at_contents, look_for_overlaps, look_at_what_is_gone),
)
