"""What is known about an address, by the kind of memory that it belongs to."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.comparing import equal, some
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.topics.amd.interop.generators import exported, mapped
from hsa_conformance.topics.amd.ipc.generators import attach, foreign_block
from hsa_conformance.topics.amd.locks.generators import host_range, lock
from hsa_conformance.topics.amd.pools.blocks import Block, allocate
from hsa_conformance.topics.amd.pools.fixtures import allow_access, within_reach
from hsa_conformance.topics.amd.pools.state import Pool, pool_access
from hsa_conformance.topics.amd.vmem.fixtures import new_mapping, reserve
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.init.live_objects import living
from hsa_conformance.topics.core.memory.generators import block as region_block
from hsa_conformance.topics.shared.pointer_info import (
    accessible,
    describe,
    kind_of,
    require_kind,
)
from hsa_reports import Verdict

proves = Proofs()

#: Addresses where no process has memory: below the first page that can be mapped, and in the gap
#: between the two halves of a 64-bit address space.
NOWHERE: Final = (1, 8, 0xFFF, 1 << 62, 1 << 63)
#: Members of a block's description that no other object changes.
_STAYING: Final = ("type", "agentBaseAddress", "hostBaseAddress", "sizeInBytes", "global_flags")


@proves("hsa_amd_pointer_info/unknown")
def memory_of_others_is_unknown(scene: Scene) -> None:
    """Memory from elsewhere, and an address without memory, have the type UNKNOWN."""
    require_kind(scene, scene.choose([scene.readable() + 1, *NOWHERE]), "UNKNOWN")


@proves("hsa_amd_pointer_info/block-type")
def a_block_is_known(scene: Scene) -> None:
    """A block from a memory pool has the type of memory from an allocator of the runtime."""
    require_kind(scene, allocate(scene).address, "HSA")


def _require_member(scene: Scene, member: str, block: Block) -> None:
    found = describe(scene, block.address)[member]
    scene.require(
        equal(found, block.address), f"{member} is not the start of the block", f"{found:#x}"
    )


@proves("hsa_amd_pointer_info/block-base")
def a_host_block_has_one_base(scene: Scene) -> None:
    """For a block from a CPU's pool, the host's base and the agents' base are its start."""
    block = allocate(scene, location="cpu")
    _require_member(scene, "agentBaseAddress", block)
    _require_member(scene, "hostBaseAddress", block)


@proves("hsa_amd_pointer_info/block-agent-base")
def a_gpu_block_has_its_base(scene: Scene) -> None:
    """For a block from a GPU's pool, the base address for agents is its start."""
    some_gpu(scene)
    _require_member(scene, "agentBaseAddress", allocate(scene, location="gpu"))


@proves("hsa_amd_pointer_info/block-size")
def a_block_has_its_size(scene: Scene) -> None:
    """The size of a block is what was asked for, or that rounded up to the pool's granule."""
    block = allocate(scene)
    found = describe(scene, block.address)["sizeInBytes"]
    scene.require(
        block.size <= found <= block.rounded,
        f"sizeInBytes is not between the {block.size} bytes asked for and {block.rounded}",
        found,
    )


@proves("hsa_amd_pointer_info/block-inside")
def every_address_of_a_block_gives_the_same_answer(scene: Scene) -> None:
    """An address anywhere in a block gives the structure and the list of the block's start.

    Its owner alone has access, or all agents that can have it.
    """
    block = allocate(scene)
    if scene.each("access", {"the owner's": False, "all agents'": True}):
        allow_access(scene, within_reach(scene, block.pool), block.address)
    offset = scene.draw(drawing.integers(1, block.size - 1) | drawing.just(block.size - 1))
    start, inside = describe(scene, block.address), describe(scene, block.address + offset)
    for member in scene.parts("member", {name: name for name in start}):
        scene.require(
            inside[member] == start[member],
            f"{member} is {start[member]:#x} at the start of a block and differs at {offset:#x}",
            f"{inside[member]:#x}",
        )
    scene.require(
        accessible(scene, block.address) == accessible(scene, block.address + offset),
        f"the agents with access at {offset:#x} of a block differ from those at its start",
        "another list of agents",
    )


@proves("hsa_amd_pointer_info/block-owner")
def the_owner_is_the_agent_of_the_pool(scene: Scene) -> None:
    """The owner of a block is the agent of its pool, or another with equal access to it."""
    block = allocate(scene)
    owner = describe(scene, block.address)["agentOwner"]
    scene.require(
        owner in _owners(scene, block.pool),
        "agentOwner is neither the agent of the block's pool nor its equal",
        f"{owner:#x}",
    )


@proves("hsa_amd_pointer_info/block-stays")
def a_block_stays_as_it_is_told(scene: Scene) -> None:
    """A block is described in the same way before and after an object of each kind is made."""
    block = allocate(scene)
    before = describe(scene, block.address)
    scene.each("other object", living(scene))()
    after = describe(scene, block.address)
    for member in scene.parts("member", {name: name for name in _STAYING}):
        scene.require(
            equal(after[member], before[member]),
            f"{member} of a block is another one after an object was made",
            f"{after[member]:#x} instead of {before[member]:#x}",
        )
    owner = after["agentOwner"]
    owned = some(*(equal(owner, agent) for agent in _owners(scene, block.pool)))
    scene.require(owned, "agentOwner is no owner after an object was made", f"{owner:#x}")


def _owners(scene: Scene, pool: Pool) -> list[int]:
    model = scene.session.model
    access = pool_access(model, pool.agent, pool.handle)
    return [
        a.handle
        for a in known_agents(scene, pool.location)
        if a.handle == pool.agent or pool_access(model, a.handle, pool.handle) == access
    ]


@proves("hsa_amd_pointer_info/block-flags")
def a_block_is_as_coarse_grained_as_its_pool(scene: Scene) -> None:
    """The coarse-grained flag of a block is set exactly where its pool has it."""
    bit = scene.session.registry.constants["HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED"]
    block = allocate(scene, flagged=True)
    flags = describe(scene, block.address)["global_flags"]
    scene.require(
        flags & bit == block.pool.flags & bit,
        "global_flags and the pool disagree on coarse-grained",
        f"{flags:#x}, the pool's {block.pool.flags:#x}",
    )


@proves("hsa_amd_pointer_info/freed-block")
def a_freed_block_is_unknown(scene: Scene) -> None:
    """After a block is freed, none of its addresses has another type than UNKNOWN."""
    block = allocate(scene)
    scene.set_up("hsa_amd_memory_pool_free", ptr=block.address)
    offsets = {"the first byte": 0, "the last byte": block.size - 1, "inside": block.size // 2}
    require_kind(scene, block.address + scene.each("address", offsets), "UNKNOWN")


@proves("hsa_amd_pointer_info/reservation")
def a_reserved_address_is_known(scene: Scene) -> None:
    """An address in a reserved range, its start included, has the type RESERVED_ADDR."""
    size = scene.granule() * scene.draw(drawing.integers(1, 3))
    address = reserve(scene, size).address + scene.draw(drawing.integers(0, size - 1))
    require_kind(scene, address, "RESERVED_ADDR")


@proves("hsa_amd_pointer_info/mapping")
def a_mapped_address_is_known(scene: Scene) -> None:
    """An address where a memory handle is mapped has the type HSA_VMEM."""
    mapping = new_mapping(scene)
    address = mapping.address + scene.draw(sizes(0, mapping.size - 1))
    require_kind(scene, address, "HSA_VMEM")


def _needs(scene: Scene, function: str) -> None:
    if not scene.session.offers(function):
        raise Unavailable(Verdict.NOT_APPLICABLE, f"without {function} there is no such memory")


@proves("hsa_amd_pointer_info/locked")
def locked_memory_is_known(scene: Scene) -> None:
    """An address where agents find locked memory has the type LOCKED."""
    _needs(scene, "hsa_amd_memory_lock")
    some_gpu(scene)  # hosts reach the memory as it is
    held = lock(scene, *host_range(scene))
    address = held.agent_address + scene.draw(sizes(0, held.size - 1))
    require_kind(scene, address, "LOCKED")


@proves("hsa_amd_pointer_info/region-block")
def a_block_of_a_region_is_known(scene: Scene) -> None:
    """A block from a region has the type of memory from an allocator of the runtime."""
    _needs(scene, "hsa_memory_allocate")
    require_kind(scene, region_block(scene), "HSA")


@proves("hsa_amd_pointer_info/interop")
def a_buffer_of_another_driver_is_known(scene: Scene) -> None:
    """An address in a mapped buffer of another driver does not have the type UNKNOWN."""
    _needs(scene, "hsa_amd_interop_map_buffer")
    answer = mapped(scene, exported(scene))
    if not answer.ok:
        raise Blocked("hsa_amd_interop_map_buffer/success", answer.name)
    last = answer.number("size") - 1
    found = kind_of(scene, answer["ptr"] + scene.draw(drawing.sampled_from([0, last])))
    scene.require(found != "UNKNOWN", "the buffer is mapped, and its type is UNKNOWN", found)


@proves("hsa_amd_pointer_info/attached", examples=0.2)
def an_attached_block_is_known(scene: Scene) -> None:
    """An address in a block that another process shares by its name has the type IPC."""
    _needs(scene, "hsa_amd_ipc_memory_attach")
    name, size = foreign_block(scene)
    address = attach(scene, name, size)
    require_kind(scene, address + scene.draw(sizes(0, size - 1)), "IPC")


@proves("hsa_amd_pointer_info/alloc-flags")
def allocation_flags_are_bits_with_names(scene: Scene) -> None:
    """The allocation flags of known memory have only bits that the header defines."""
    described = describe(scene, allocate(scene).address)
    if "alloc_flags" not in described:
        raise CannotMake("the library's structure ends before alloc_flags")
    named = sum(scene.session.registry.enums["hsa_amd_pointer_info_alloc_flag_t"].values)
    flags = described["alloc_flags"]
    scene.require(flags & ~named == 0, "alloc_flags has bits without a name", f"{flags:#x}")
