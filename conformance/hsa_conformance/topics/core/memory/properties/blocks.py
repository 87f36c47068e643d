"""Blocks from regions: where they lie, how large they are, and what they keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.values.geometry import sizes, within
from hsa_conformance.topics.core.memory.generators import regions_where
from hsa_conformance.topics.core.memory.state import Region
from hsa_conformance.topics.shared.memory import fill, require_contents
from hsa_conformance.topics.shared.pointer_info import require_described, require_gone
from hsa_reports.demands import Permits

proves = Proofs()

ALLOCATE: Final = "hsa_memory_allocate"


@dataclass(frozen=True)
class Block:
    """A block: its address, and the size in bytes that was asked for."""

    address: int
    size: int
    region: Region

    @property
    def rounded(self) -> int:
        """Return the size rounded up to the region's granule."""
        return -(-self.size // self.region.granule) * self.region.granule


def fine_grained_on_host(scene: Scene) -> list[Region]:
    """Return the fine-grained regions of agents that are CPUs."""
    bit = scene.session.registry.constants["HSA_REGION_GLOBAL_FLAG_FINE_GRAINED"]
    return regions_where(
        scene, lambda r: r.allocatable and r.device == "cpu" and bool(r.flags & bit)
    )


def allocate(scene: Scene, *, of_host: bool = False) -> Block:
    """Allocate in some region, a size that is seldom a multiple of its granule.

    Args:
        scene: the property's scene.
        of_host: only where the host can read and write.

    Raises:
        Blocked: the allocation fails.
        Unavailable: there is no such region.

    """
    fitting = (
        fine_grained_on_host(scene) if of_host else regions_where(scene, lambda r: r.allocatable)
    )
    what = "fine-grained region of the host" if of_host else "region that allows allocation"
    return allocate_in(scene, scene.available(fitting, what))


def allocate_in(scene: Scene, region: Region) -> Block:
    """Allocate in a region, a size that is seldom a multiple of its granule.

    Raises:
        Blocked: the allocation fails.

    """
    size = scene.draw(sizes(2, within(region.max_size)))
    answer = scene.set_up(ALLOCATE, region=region.handle, size=size, ptr=Out())
    return Block(answer["ptr"], size, region)


@proves("hsa_memory_allocate/from-region")
def a_block_is_described_as_its_region_is(scene: Scene) -> None:
    """A block is as coarse-grained as its region, and owned by an agent of a kind that has it.

    A region belongs to each agent that lists it, in whichever order the agents are listed.
    """
    block = allocate(scene)
    bit = scene.session.registry.constants["HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED"]
    coarse = bool(block.region.flags & bit)
    require_described(scene, block.address, block.region.devices, coarse=coarse)


def _require_kept(scene: Scene, address: int, written: bytes) -> None:
    """Demand that the host writes bytes to an address and reads them back."""
    done = scene.session.write(address, written)
    scene.require(done, "the host cannot write to the block", "refused", Permits(done=True))
    require_contents(scene, address, written, "the host does not read what it wrote")


@proves("hsa_memory_allocate/aligned")
def a_block_of_a_region_is_aligned(scene: Scene) -> None:
    """A block from a region starts at a multiple of the region's alignment."""
    block = allocate(scene)
    scene.require(
        block.address % block.region.alignment == 0,
        f"the block is not aligned to {block.region.alignment} bytes",
        f"{int(block.address):#x}",
    )


@proves("hsa_memory_allocate/rounded-up")
def a_block_of_a_region_is_as_large_as_its_granules(scene: Scene) -> None:
    """The host can use a block's bytes up to the next multiple of the region's granule."""
    block = allocate(scene, of_host=True)
    last = block.rounded - 1
    offset = scene.draw(drawing.just(last) | drawing.integers(min(block.size, last), last))
    _require_kept(scene, block.address + offset, scene.draw(drawing.binary(min_size=1, max_size=1)))


@proves("hsa_memory_allocate/usable")
def the_host_uses_blocks_of_its_regions(scene: Scene) -> None:
    """The host reads back what it writes anywhere in a block from its fine-grained region."""
    block = allocate(scene, of_host=True)
    written = scene.draw(drawing.binary(min_size=1, max_size=min(16, block.size)))
    offset = scene.draw(drawing.integers(0, block.size - len(written)))
    _require_kept(scene, block.address + offset, written)


@proves("hsa_memory_allocate/apart")
def blocks_of_regions_do_not_overlap(scene: Scene) -> None:
    """However blocks are allocated and freed, those that remain share no byte."""
    blocks: list[Block] = []
    for _ in range(scene.draw(drawing.integers(2, 8))):
        if len(blocks) > 1 and scene.draw(drawing.booleans()):
            freed = blocks.pop(scene.draw(drawing.integers(0, len(blocks) - 1)))
            scene.set_up("hsa_memory_free", ptr=freed.address)
        new = allocate(scene)
        for old in blocks:
            scene.require(
                new.address + new.size <= old.address or old.address + old.size <= new.address,
                f"a block of {new.size} bytes overlaps one of {old.size} bytes",
                f"{int(new.address):#x} and {int(old.address):#x}",
            )
        blocks.append(new)


@proves("hsa_memory_free/others-unharmed")
def freeing_a_block_leaves_other_blocks_as_they_are(scene: Scene) -> None:
    """Freeing a block leaves the first and last bytes of other blocks as they were."""
    blocks = [allocate(scene, of_host=True) for _ in range(scene.draw(drawing.integers(2, 4)))]
    places = [[b.address, b.address + b.size - 1] for b in blocks]
    for mark, ends in enumerate(places, 1):
        for address in ends:
            fill(scene, address, bytes([mark]))
    freed = scene.draw(drawing.integers(0, len(blocks) - 1))
    scene.set_up("hsa_memory_free", ptr=blocks[freed].address)
    for mark, ends in enumerate(places, 1):
        for address in ends if mark != freed + 1 else ():
            require_contents(scene, address, bytes([mark]), "a block that remains has changed")


@proves("hsa_memory_free/block-gone")
def a_freed_block_of_a_region_is_gone(scene: Scene) -> None:
    """After a block of the host is freed, it is unknown, or nobody can read it any more."""
    address = allocate(scene, of_host=True).address
    scene.set_up("hsa_memory_free", ptr=address)
    require_gone(scene, address)
