"""Which agents can access a block, and how that is changed."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.pools.blocks import allocate_from
from hsa_conformance.topics.amd.pools.fixtures import known_pools, within_reach
from hsa_conformance.topics.amd.pools.state import Pool, pool_access
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.shared.pointer_info import accessible
from hsa_reports import Verdict

proves = Proofs()

ALLOW: Final = "hsa_amd_agents_allow_access"


def _reachable_pools(scene: Scene, device: str | None = None) -> list[Pool]:
    return [
        p for p in known_pools(scene, lambda p: p.allocatable) if within_reach(scene, p, device)
    ]


def _some(scene: Scene, agents: list[int]) -> list[int]:
    """Draw one or more of several agents, in any order."""
    return scene.shuffled(agents)[: scene.draw(drawing.integers(1, len(agents)))]


def _arguments(address: int, agents: list[int]) -> dict[str, Value]:
    return {
        "num_agents": len(agents),
        "agents": handle_array(agents),
        "flags": 0,
        "ptr": address,
    }


def _names(agents: set[int]) -> str:
    return ", ".join(f"{a:#x}" for a in sorted(agents)) or "none"


@proves("hsa_amd_agents_allow_access/grants-access")
def the_gpus_of_the_list_can_access_the_block(scene: Scene) -> None:
    """After access is allowed, hsa_amd_pointer_info lists each GPU that was named."""
    some_gpu(scene)
    pool = scene.choose(_reachable_pools(scene, "gpu"))
    agents = _some(scene, within_reach(scene, pool, "gpu"))
    block = allocate_from(scene, pool)
    scene.set_up(ALLOW, **_arguments(block.address, agents))
    found = accessible(scene, block.address)
    scene.require(
        found.issuperset(agents),
        f"not all of {', '.join(map(str, agents))} can access the block",
        f"agents with access: {_names(found)}",
    )


@proves("hsa_amd_agents_allow_access/grants-host-access")
def the_host_uses_the_block_of_a_gpu(scene: Scene) -> None:
    """After a CPU agent is given access to a GPU's block, the host reads what it wrote to it."""
    some_gpu(scene)
    pool = scene.choose([p for p in _reachable_pools(scene, "cpu") if p.location == "gpu"])
    block = allocate_from(scene, pool)
    agents = _some(scene, within_reach(scene, pool, "cpu"))
    others = within_reach(scene, pool, "gpu")
    if others and scene.draw(drawing.booleans()):
        agents = scene.shuffled([*agents, *_some(scene, others)])
    scene.set_up(ALLOW, **_arguments(block.address, agents))
    size = min(4, block.size)
    for offset in (0, scene.draw(drawing.integers(0, block.size - size)), block.size - size):
        written = scene.draw(drawing.binary(min_size=size, max_size=size))
        done = scene.session.write(block.address + offset, written)
        found = scene.session.read(block.address + offset, size) if done else None
        scene.require(
            found == written,
            f"the host does not read {written.hex(' ')} at byte {offset:#x} of the block",
            "memory that cannot be used" if found is None else found.hex(" "),
        )


@proves("hsa_amd_agents_allow_access/keeps-owner")
def the_agent_of_the_pool_keeps_its_access(scene: Scene) -> None:
    """The GPU of the block's pool keeps its access when the list leaves it out."""
    some_gpu(scene)
    pool = scene.choose([p for p in _reachable_pools(scene) if p.location == "gpu"])
    others = [a for a in within_reach(scene, pool) if a != pool.agent]
    if not others:
        raise CannotMake("no other agent can access the pool")
    block = allocate_from(scene, pool)
    scene.set_up(ALLOW, **_arguments(block.address, _some(scene, others)))
    found = accessible(scene, block.address)
    scene.require(
        pool.agent in found,
        f"{pool.agent} lost its access to a block of its own",
        f"agents with access: {_names(found)}",
    )


@proves("hsa_amd_agents_allow_access/takes-access-away")
def gpus_outside_the_list_lose_their_access(scene: Scene) -> None:
    """A GPU that a second list leaves out loses the access that a first list gave it."""
    if len(known_agents(scene, "gpu")) < 2:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the machine has fewer than two GPU agents")
    pool = scene.choose(_reachable_pools(scene, "gpu"))
    gpus = within_reach(scene, pool, "gpu")
    # An agent that need not ask for access has it whatever the list says.
    model = scene.session.model
    out = scene.choose(
        [g for g in gpus if g != pool.agent and pool_access(model, g, pool.handle) == "on_request"]
    )
    others = [a for a in within_reach(scene, pool) if a != out]
    if not others:
        raise CannotMake("the list would be empty")
    block = allocate_from(scene, pool)
    scene.set_up(ALLOW, **_arguments(block.address, gpus))
    scene.set_up(ALLOW, **_arguments(block.address, _some(scene, others)))
    found = accessible(scene, block.address)
    scene.require(
        out not in found,
        f"{out} can still access the block though the second list leaves it out",
        f"agents with access: {_names(found)}",
    )


@proves("hsa_amd_agents_allow_access/keeps-contents")
def the_contents_stay_when_access_changes(scene: Scene) -> None:
    """A change of access leaves the block's contents: the host reads what it wrote."""
    pool = scene.choose([p for p in _reachable_pools(scene) if p.location == "cpu"])
    block = allocate_from(scene, pool)
    written = scene.draw(drawing.binary(min_size=1, max_size=min(16, block.size)))
    address = block.address + scene.draw(drawing.integers(0, block.size - len(written)))
    if not scene.session.write(address, written):
        raise CannotMake("the host cannot write to the block")
    scene.set_up(ALLOW, **_arguments(block.address, _some(scene, within_reach(scene, pool))))
    found = scene.session.read(address, len(written))
    scene.require(
        found == written,
        f"the host does not read {written.hex(' ')} any more",
        "memory that cannot be read" if found is None else found.hex(" "),
    )


def _failing(scene: Scene, address: int, agents: list[int]) -> Answer:
    """Make a call that asks for access for these agents, and has one thing wrong."""
    arguments = _arguments(address, agents)
    mistakes = ("agent", "flags", "no agent")
    match scene.each("mistake", dict(zip(mistakes, mistakes, strict=True))):
        case "flags":
            arguments["flags"] = scene.session.place(bytes(4 * len(agents)), "flags")
        case "agent":
            arguments.update(_arguments(address, [*agents, 0]))
        case _:
            arguments["num_agents"] = 0
    return scene.call(ALLOW, **arguments)


@proves("hsa_amd_agents_allow_access/failure-changes-nothing", examples=2)
def a_failed_call_leaves_access_as_it_was(scene: Scene) -> None:
    """A failed call gives and takes no access, neither of the agents in its list nor of others.

    It comes after the allocation, then after a call that gave access to all agents within reach.
    """
    pool = scene.choose(_reachable_pools(scene))
    reach = within_reach(scene, pool)
    # A library may treat blocks of whole pages in another way.
    sizes = {"of whole granules": (pool.granule, pool.granule), "of any size": (2, 1)}
    least, granule = scene.each("block", sizes)
    block = allocate_from(scene, pool, least, granule)
    for granted in ([], reach):
        if granted:
            scene.set_up(ALLOW, **_arguments(block.address, granted))
        asked = scene.shuffled(reach)[: max(1, len(reach) - 1)]
        before = accessible(scene, block.address)
        if _failing(scene, block.address, asked).ok:
            raise CannotMake("the call did not fail")
        after = accessible(scene, block.address)
        scene.require(
            before == after,
            f"a failed call changed the agents with access, before: {_names(before)}",
            f"after: {_names(after)}",
        )
