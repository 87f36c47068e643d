"""The traversal of an agent's memory pools."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.properties.queries import POOL, anything, has_flag
from hsa_conformance.topics.amd.pools.state import Pool
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.traversal import Traversal, require_known

proves = Proofs()


def _pools_of(scene: Scene, agent: Agent) -> list[Pool]:
    return known_pools(scene, lambda p: p.agent == agent.handle)


def _traversal(scene: Scene, least: int = 0) -> tuple[Traversal, Agent]:
    """Return the traversal of the pools of an agent that has as many as that, and the agent."""
    agent = scene.choose([a for a in known_agents(scene) if len(_pools_of(scene, a)) >= least])
    function = "hsa_amd_agent_iterate_memory_pools"
    return Traversal(scene, function, "hsa_memory_pool_callback", agent=agent.handle), agent


@proves("hsa_amd_agent_iterate_memory_pools/once-per-pool")
def each_pool_is_reported_once(scene: Scene) -> None:
    """Each pool of an agent is reported once, and every traversal reports the same pools."""
    traversal, agent = _traversal(scene)
    traversal.reports_once({int(p.handle) for p in _pools_of(scene, agent)})


@proves("hsa_amd_agent_iterate_memory_pools/valid-pools")
def what_is_reported_is_a_pool(scene: Scene) -> None:
    """Each handle that the traversal reports is a pool that has a segment."""
    answers = [
        ask(scene, POOL, "HSA_AMD_MEMORY_POOL_INFO_SEGMENT", memory_pool=handle)
        for handle in _traversal(scene)[0].handles()
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_MEMORY_POOL")


@proves("hsa_amd_agent_iterate_memory_pools/passes-data")
def pools_come_with_the_data_of_the_caller(scene: Scene) -> None:
    """Each call of the callback gets the caller's data unchanged, NULL included."""
    _traversal(scene, least=1)[0].passes_data()


@proves("hsa_amd_agent_iterate_memory_pools/stops")
def the_callback_ends_the_traversal_of_pools(scene: Scene) -> None:
    """No pool is reported after the callback answers anything but success."""
    _traversal(scene, least=2)[0].stops()


@proves("hsa_amd_agent_iterate_memory_pools/returns-callback-status")
def the_traversal_of_pools_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of pools answers the status with which the callback ended it."""
    _traversal(scene, least=1)[0].returns_callback_status()


@proves("hsa_amd_agent_iterate_memory_pools/fine-grained-on-host")
def fine_grained_memory_is_the_hosts(scene: Scene) -> None:
    """A fine-grained pool belongs to a CPU agent."""
    fine = [p for p in known_pools(scene, anything) if has_flag(scene, p, "FINE_GRAINED")]
    pool = scene.available(fine, "fine-grained pool")
    scene.require(
        pool.location == "cpu",
        "a fine-grained pool belongs to an agent that is no CPU",
        pool.location,
    )
