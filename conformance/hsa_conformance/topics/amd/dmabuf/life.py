"""Blocks that are exported in random sequences: whole, in part, twice, and freed meanwhile."""

from __future__ import annotations

from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.topics.amd.dmabuf.state import Export


def look_at_offsets(p: Player) -> None:
    """Demand that ranges of one block are as far apart in their dma-bufs as they are in memory."""
    exports: list[Export] = p.model.live("dmabuf")
    for export in p.some(exports):
        for other in exports:
            if other.block is None or other.block is not export.block:
                continue
            apart = other.address - export.address
            p.demand("hsa_amd_portable_export_dmabuf/offset-inside").require(
                other.offset - export.offset == apart,
                f"two ranges {apart:#x} bytes apart have offsets that are not",
                f"{export.offset:#x} and {other.offset:#x}",
            )


LIFE = Life(
    clause="hsa_amd_portable_close_dmabuf/success",
    functions=(
        "hsa_amd_portable_export_dmabuf",
        "hsa_amd_portable_export_dmabuf_v2",
        "hsa_amd_portable_close_dmabuf",
    ),
    openings=(("hsa_amd_memory_pool_allocate", "hsa_amd_portable_export_dmabuf"),),
    looks=(look_at_offsets,),
    parts=("dmabuf",),
    beside=("amd/pools", "amd/pointers"),
)
