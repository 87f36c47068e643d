"""The list of the agents that can access an address."""

from __future__ import annotations

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import PATTERN, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake, Unsuitable
from hsa_conformance.engine.judging.statuses import OUT_OF_RESOURCES
from hsa_conformance.topics.amd.pools.blocks import allocate, allocate_from
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.shared.pointer_info import (
    ALLOCATOR,
    FUNCTION,
    ROOM,
    accessible,
    info,
    list_agents,
    listed,
    structure,
)

proves = Proofs()


@proves("hsa_amd_pointer_info/alloc-answers-null")
def a_list_without_memory_is_out_of_resources(scene: Scene) -> None:
    """When the allocator gives NULL, hsa_amd_pointer_info answers OUT_OF_RESOURCES."""
    answer = list_agents(scene, allocate(scene).address, array=0)
    if not answer.callbacks:
        raise CannotMake("no memory was asked for")
    scene.require_status(answer, OUT_OF_RESOURCES)


@proves("hsa_amd_pointer_info/accessible")
def the_list_lies_in_the_memory_that_was_supplied(scene: Scene) -> None:
    """The list of agents lies in memory from the allocator, and is as long as its count."""
    array = scene.session.place(bytes(ROOM), "array")
    answer = list_agents(scene, allocate(scene).address, array)
    if not answer.ok:
        raise Blocked(f"{FUNCTION}/success", answer.name)
    count = answer.number("num_agents_accessible")
    if count == 0:
        raise Unsuitable("no agent can access the block")
    place = answer.number("accessible")
    scene.require(
        place == array and bool(answer.callbacks),
        "accessible does not receive the memory from alloc",
        f"{place:#x} after {len(answer.callbacks)} calls of alloc",
    )
    handles = listed(scene, answer)
    known = {int(a.handle) for a in known_agents(scene)}
    scene.require(
        handles is not None and known.issuperset(handles) and len(set(handles)) == count,
        f"the list does not hold {count} agents",
        "memory that cannot be read" if handles is None else [f"{h:#x}" for h in handles],
    )


@proves("hsa_amd_pointer_info/accessible-room")
def enough_memory_is_asked_for(scene: Scene) -> None:
    """The allocator is asked for at least as many bytes as the list of agents has."""
    array = scene.session.place(bytes(ROOM), "array")
    answer = list_agents(scene, allocate(scene).address, array)
    if not answer.ok:
        raise Blocked(f"{FUNCTION}/success", answer.name)
    needed = 8 * answer.number("num_agents_accessible")
    asked = max((size for (size,) in answer.callbacks), default=0)
    scene.require(
        asked >= needed, f"too little memory was asked for: the list takes {needed} bytes", asked
    )


@proves("hsa_amd_pointer_info/accessible-not-asked")
def a_list_that_was_not_asked_for_is_not_made(scene: Scene) -> None:
    """Without one of the three arguments of the list, nothing is allocated or written."""
    array = scene.session.place(bytes(ROOM), "array")
    arguments: dict[str, Value] = {
        "alloc": Callback(ALLOCATOR, (int(array),)),
        "num_agents_accessible": Out(),
        "accessible": Out(),
    }
    missing = scene.draw(
        drawing.sets(drawing.sampled_from(sorted(arguments)), min_size=1, max_size=len(arguments))
    )
    arguments.update(dict.fromkeys(missing, 0))
    size = structure(scene).size
    block = allocate(scene)
    answer = scene.call(FUNCTION, ptr=block.address, info=info(scene, size, size), **arguments)
    scene.require(
        not answer.callbacks,
        f"alloc was called without {' and '.join(sorted(missing))}",
        answer.callbacks,
    )
    left = answer.outputs.get("accessible")
    scene.require(
        left is None or not left.strip(bytes([PATTERN])),
        f"accessible was written without {' and '.join(sorted(missing))}",
        left,
    )


@proves("hsa_amd_pointer_info/accessible-owner")
def the_gpu_of_a_pool_can_access_its_blocks(scene: Scene) -> None:
    """For a block from a GPU's pool, that GPU is in the list of agents with access."""
    some_gpu(scene)
    pool = scene.choose(known_pools(scene, lambda p: p.allocatable and p.location == "gpu"))
    block = allocate_from(scene, pool)
    scene.require(
        pool.agent in accessible(scene, block.address),
        "the agent of the block's pool is not among those that can access it",
        "a list without it",
    )
