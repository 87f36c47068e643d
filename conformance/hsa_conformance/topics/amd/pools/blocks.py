"""Blocks of memory from pools, as properties need them."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.values.geometry import sizes, within
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.state import Pool


@dataclass(frozen=True)
class Block:
    """A block: its address, and the size in bytes that was asked for."""

    address: int
    size: int
    pool: Pool

    @property
    def rounded(self) -> int:
        """Return the size rounded up to the pool's granule."""
        return -(-self.size // self.pool.granule) * self.pool.granule


def allocate(scene: Scene, location: str | None = None, *, flagged: bool = False) -> Block:
    """Allocate from some pool.

    Args:
        scene: the property's scene.
        location: device type of the agent whose pools come into question, None for any.
        flagged: only pools of the global segment; the flags of others mean nothing.

    Raises:
        Blocked: the allocation fails.
        CannotMake: there is no such pool.
        Unavailable: none is of the global segment, where that is asked for.

    """
    pools = known_pools(scene, lambda p: p.allocatable and location in (None, p.location))
    if not flagged:
        return allocate_from(scene, scene.choose(pools))
    of_global = [pool for pool in pools if not pool.segment]
    return allocate_from(scene, scene.available(of_global, "memory pool of the global segment"))


def allocate_from(scene: Scene, pool: Pool, least: int = 2, granule: int = 1) -> Block:
    """Allocate from a pool, `least` bytes or more and seldom a multiple of its granule.

    Args:
        scene: where to allocate.
        pool: the pool.
        least: the least bytes.
        granule: what the size and `least` are a multiple of.

    Raises:
        Blocked: the allocation fails.

    """
    size = scene.draw(sizes(least, within(pool.size), granule))
    answer = scene.set_up(
        "hsa_amd_memory_pool_allocate", memory_pool=pool.handle, size=size, flags=0, ptr=Out()
    )
    return Block(answer["ptr"], size, pool)
