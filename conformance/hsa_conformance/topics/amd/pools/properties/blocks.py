"""Blocks of memory: where they lie, how large they are, and what they keep."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.pools.blocks import Block, allocate
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.shared.pointer_info import require_described, require_gone

proves = Proofs()

FREE: Final = "hsa_amd_memory_pool_free"

#: Size in bytes of the blocks that are allocated again and again.
LARGE: Final = 1 << 28


def _require_kept(scene: Scene, address: int, written: bytes) -> None:
    """Demand that the host writes bytes to an address and reads them back."""
    scene.require(
        scene.session.write(address, written), "the host cannot write to the block", "refused"
    )
    _require_contents(scene, address, written)


def _require_contents(scene: Scene, address: int, expected: bytes) -> None:
    found = scene.session.read(address, len(expected))
    scene.require(
        found == expected,
        f"the host does not read {expected.hex(' ')} where that was written",
        "memory that cannot be read" if found is None else found.hex(" "),
    )


@proves("hsa_amd_memory_pool_allocate/aligned")
def a_block_is_aligned(scene: Scene) -> None:
    """A block from a pool starts at a multiple of the pool's alignment."""
    block = allocate(scene)
    scene.require(
        block.address % block.pool.alignment == 0,
        f"the block is not aligned to {block.pool.alignment} bytes",
        f"{int(block.address):#x}",
    )


@proves("hsa_amd_memory_pool_allocate/rounded-up")
def a_block_is_as_large_as_its_granules(scene: Scene) -> None:
    """The host can use a block's bytes up to the next multiple of the pool's granule."""
    block = allocate(scene, location="cpu")
    last = block.rounded - 1
    offset = scene.draw(drawing.just(last) | drawing.integers(min(block.size, last), last))
    _require_kept(scene, block.address + offset, scene.draw(drawing.binary(min_size=1, max_size=1)))


@proves("hsa_amd_memory_pool_allocate/usable-by-host")
def the_host_uses_its_blocks(scene: Scene) -> None:
    """The host reads back what it writes anywhere in a block from a CPU's pool."""
    block = allocate(scene, location="cpu")
    written = scene.draw(drawing.binary(min_size=1, max_size=min(16, block.size)))
    offset = scene.draw(drawing.integers(0, block.size - len(written)))
    _require_kept(scene, block.address + offset, written)


@proves("hsa_amd_memory_pool_allocate/from-pool")
def a_block_is_described_as_its_pool_is(scene: Scene) -> None:
    """A block is owned by an agent of its pool's device type, and as coarse-grained as its pool."""
    block = allocate(scene, flagged=True)
    bit = scene.session.registry.constants["HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED"]
    require_described(
        scene, block.address, [block.pool.location], coarse=bool(block.pool.flags & bit)
    )


@proves("hsa_amd_memory_pool_allocate/blocks-apart")
def blocks_do_not_overlap(scene: Scene) -> None:
    """However blocks are allocated and freed, those that remain share no byte."""
    blocks: list[Block] = []
    for _ in range(scene.draw(drawing.integers(2, 8))):
        if len(blocks) > 1 and scene.draw(drawing.booleans()):
            freed = blocks.pop(scene.draw(drawing.integers(0, len(blocks) - 1)))
            scene.set_up(FREE, ptr=freed.address)
        new = allocate(scene)
        for old in blocks:
            scene.require(
                new.address + new.size <= old.address or old.address + old.size <= new.address,
                f"a block of {new.size} bytes overlaps one of {old.size} bytes",
                f"{int(new.address):#x} and {int(old.address):#x}",
            )
        blocks.append(new)


@proves("hsa_amd_memory_pool_free/others-unharmed")
def freeing_a_block_leaves_the_others_as_they_are(scene: Scene) -> None:
    """Freeing a block leaves the first and last bytes of other blocks as they were."""
    blocks = [allocate(scene, location="cpu") for _ in range(scene.draw(drawing.integers(2, 4)))]
    places = [[b.address, b.address + b.size - 1] for b in blocks]
    for number, ends in enumerate(places, 1):
        for address in ends:
            if not scene.session.write(address, bytes([number])):
                raise CannotMake("the host cannot write to the block")
    freed = scene.draw(drawing.integers(0, len(blocks) - 1))
    scene.set_up(FREE, ptr=blocks[freed].address)
    for number, ends in enumerate(places, 1):
        for address in ends if number != freed + 1 else ():
            _require_contents(scene, address, bytes([number]))


@proves("hsa_amd_memory_pool_free/memory-comes-back", fresh=True, examples=0.125)
def freed_memory_can_be_allocated_again(scene: Scene) -> None:
    """Blocks are allocated and freed one by one, in all more than the pool holds."""
    pool = scene.choose(
        known_pools(scene, lambda p: p.allocatable and p.location == "cpu" and p.max_size >= LARGE)
    )
    for count in range(pool.max_size // LARGE + 1):
        answer = scene.call(
            "hsa_amd_memory_pool_allocate", memory_pool=pool.handle, size=LARGE, flags=0, ptr=Out()
        )
        scene.require(
            answer.ok,
            f"block number {count + 1} fails though all before it were freed",
            answer.name,
        )
        scene.set_up(FREE, ptr=answer["ptr"])


@proves("hsa_amd_memory_pool_free/block-gone")
def a_freed_block_is_gone(scene: Scene) -> None:
    """After a block of the host is freed, it is unknown, or nobody can read it any more."""
    address = allocate(scene, location="cpu").address
    scene.set_up(FREE, ptr=address)
    require_gone(scene, address)
