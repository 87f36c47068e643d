"""Coarse-grained memory and the agents that own it."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.memory.generators import owners, regions_where
from hsa_conformance.topics.core.memory.properties.blocks import Block, allocate, allocate_in
from hsa_conformance.topics.core.memory.state import Region
from hsa_conformance.topics.shared.copies import copy
from hsa_conformance.topics.shared.memory import fill, require_contents

proves = Proofs()

ASSIGN: Final = "hsa_memory_assign_agent"
PERMISSIONS: Final = ("RO", "WO", "RW")


def _owner(scene: Scene, region: Region) -> int:
    return scene.available(owners(scene, region.handle), "agent that can access the region")


def _assign(scene: Scene, block: Block, agent: int, permission: str | None = None) -> None:
    """Make the call that a property is about, which has to succeed."""
    name = permission or scene.choose(PERMISSIONS)
    access = scene.session.registry.constants[f"HSA_ACCESS_PERMISSION_{name}"]
    answer = scene.call(ASSIGN, ptr=block.address, agent=agent, access=access)
    scene.require_status(answer, SUCCESS)


def _filled(scene: Scene, block: Block) -> bytes:
    content: bytes = scene.draw(drawing.binary(min_size=1, max_size=min(64, block.size)))
    fill(scene, block.address, content)
    return content


@proves("hsa_memory_assign_agent/again")
def the_owner_can_be_made_the_owner_again(scene: Scene) -> None:
    """Assigning memory to its owner again succeeds, whatever the permission."""
    block = allocate(scene)
    owner = _owner(scene, block.region)
    for _ in range(1 + scene.draw(drawing.integers(1, 4))):
        _assign(scene, block, owner)


@proves("hsa_memory_assign_agent/fine-grained-no-effect")
def assigning_fine_grained_memory_changes_nothing(scene: Scene) -> None:
    """Assigning fine-grained memory succeeds, and the host still reads and writes it."""
    block = allocate(scene, of_host=True)
    content = _filled(scene, block)
    _assign(scene, block, _owner(scene, block.region))
    require_contents(scene, block.address, content, "the bytes of the block have changed")
    fill(scene, block.address, content[::-1])
    require_contents(scene, block.address, content[::-1], "the host cannot use the block any more")


def _of_host(scene: Scene, *, coarse: bool, shared: bool) -> Block:
    """Allocate memory of the host.

    Args:
        scene: the property's scene.
        coarse: only coarse-grained memory.
        shared: only where a GPU agent can own it, too.

    Raises:
        Unavailable: there is no such region.

    """
    gpus = {a.handle for a in known_agents(scene, "gpu")}
    bit = scene.session.registry.constants["HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED"]
    found = regions_where(
        scene,
        lambda r: (
            r.allocatable
            and r.device == "cpu"
            and (bool(r.flags & bit) or not coarse)
            and (not gpus.isdisjoint(owners(scene, r.handle)) or not shared)
        ),
    )
    what = (
        f"{'coarse-grained ' if coarse else ''}region of the host{' and a GPU' if shared else ''}"
    )
    return allocate_in(scene, scene.available(found, what))


@proves("hsa_memory_assign_agent/address-kept")
def the_owners_find_the_block_at_the_same_address(scene: Scene) -> None:
    """When the host owns a block again, the bytes are at the address that it had."""
    block = _of_host(scene, coarse=False, shared=False)
    _assign(scene, block, block.region.agent, "RW")
    content = _filled(scene, block)
    _assign(scene, block, _owner(scene, block.region), "RW")
    _assign(scene, block, block.region.agent, "RW")
    require_contents(scene, block.address, content, "the bytes are not at the block's address")


def _gpu(scene: Scene, block: Block) -> int:
    gpus = {a.handle for a in known_agents(scene, "gpu")}
    return scene.choose([a for a in owners(scene, block.region.handle) if a in gpus])


@proves("hsa_memory_assign_agent/transfers")
def an_owner_sees_what_the_one_before_wrote(scene: Scene) -> None:
    """After a change of owner a GPU reads what the host wrote, and the host what the GPU wrote."""
    some_gpu(scene)
    block = _of_host(scene, coarse=True, shared=True)
    gpu, host = _gpu(scene, block), block.region.agent
    _assign(scene, block, host, "RW")
    content = _filled(scene, block)
    _assign(scene, block, gpu, "RW")
    other = allocate(scene, of_host=True)
    half = min(len(content), other.size)
    copy(scene, (other.address, host), (block.address, gpu), half)
    summary = "the GPU does not see what the host wrote before it became the owner"
    require_contents(scene, other.address, content[:half], summary)
    fill(scene, other.address, content[:half][::-1])
    copy(scene, (block.address, gpu), (other.address, host), half)
    _assign(scene, block, host, "RW")
    summary = "the host does not see what the GPU wrote while it was the owner"
    require_contents(scene, block.address, content[:half][::-1], summary)


@proves("hsa_memory_assign_agent/whole-block")
def the_whole_block_changes_its_owner(scene: Scene) -> None:
    """A GPU that becomes the owner of a block reads its first bytes and its last."""
    some_gpu(scene)
    block = _of_host(scene, coarse=True, shared=True)
    gpu, host = _gpu(scene, block), block.region.agent
    _assign(scene, block, host, "RW")
    ends = [(block.address, b"first"[: block.size]), (block.address + block.rounded - 4, b"last")]
    for address, content in ends if block.rounded >= 16 else ends[:1]:
        fill(scene, address, content)
    _assign(scene, block, gpu, "RW")
    other = allocate(scene, of_host=True)
    for address, content in ends if block.rounded >= 16 else ends[:1]:
        length = min(len(content), other.size)
        copy(scene, (other.address, host), (address, gpu), length)
        summary = "the new owner does not see a part of the block"
        require_contents(scene, other.address, content[:length], summary)
