"""Properties of blocks that move between pools, and of an agent's early preparations."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import OUT_OF_RESOURCES, SUCCESS
from hsa_conformance.topics.amd.migration.generators import routes
from hsa_conformance.topics.amd.pools.fixtures import allocate_block, allow_access, new_block
from hsa_conformance.topics.amd.pools.state import Pool, pool_access
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.shared.memory import Marks
from hsa_conformance.topics.shared.pointer_info import accessible
from hsa_reports import Verdict

proves = Proofs()

MIGRATE: Final = "hsa_amd_memory_migrate"
PRELOAD: Final = "hsa_amd_agent_preload"


def _route(scene: Scene) -> tuple[Pool, Pool]:
    """Return two pools between which blocks can move."""
    return scene.available(routes(scene), "two pools between which blocks can move")


def _move(scene: Scene, block: int, pool: Pool) -> None:
    answer = scene.call(MIGRATE, ptr=block, memory_pool=pool.handle, flags=0)
    if answer.name == OUT_OF_RESOURCES:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the new pool has no room for the block")
    scene.require_status(answer, SUCCESS)


@proves("hsa_amd_memory_pool_can_migrate/says-yes")
def a_block_moves_where_it_can(scene: Scene) -> None:
    """Where the query says that blocks can migrate, one does, or there is no room for it."""
    old, new = _route(scene)
    _move(scene, allocate_block(scene, old), new)


@proves("hsa_amd_memory_migrate/contents-kept")
def a_block_that_moves_keeps_its_bytes(scene: Scene) -> None:
    """After a migration, the host, let in again, reads the old bytes at the old address."""
    host = known_agents(scene, "cpu")[0].handle
    model = scene.session.model
    reached = [r for r in routes(scene) if pool_access(model, host, r[1].handle) != "never"]
    old, new = scene.available(reached, "a pool that the host reaches and blocks can move to")
    allocated = new_block(scene, old)
    block, marks = allocated.address, Marks(scene, allocated.size)
    marks.put(block)
    _move(scene, block, new)
    if pool_access(model, host, new.handle) != "default":
        allow_access(scene, [host], block)
    marks.require(block, "the contents have changed on the way")


@proves("hsa_amd_memory_migrate/access-moves")
def the_agent_of_the_new_pool_alone_has_access(scene: Scene) -> None:
    """After a migration, of agents that need access to be granted only the new pool's has it.

    Before it, all agents that can be given access to the block have it.
    """
    old, new = _route(scene)
    block = allocate_block(scene, old)
    model = scene.session.model
    agents = [agent.handle for agent in known_agents(scene)]
    allow_access(scene, [a for a in agents if pool_access(model, a, old.handle) != "never"], block)
    _move(scene, block, new)
    found = accessible(scene, block)
    scene.require(new.agent in found, "the agent of the new pool has no access", sorted(found))
    others = [a for a in found if a != new.agent and pool_access(model, a, new.handle) != "default"]
    scene.require(not others, "other agents have access to the block, too", others)


@proves("hsa_amd_agent_preload/may-repeat")
def preparations_can_be_made_again(scene: Scene) -> None:
    """Preloading an agent again succeeds each time."""
    agent = some_gpu(scene).handle
    for _ in range(scene.draw(drawing.integers(2, 4))):
        flags = scene.draw(drawing.integers(0, 3))
        answer = scene.call(PRELOAD, agent=agent, flags=flags)
        scene.require_status(answer, SUCCESS)
