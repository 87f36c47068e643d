"""The traversal of an agent's regions."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.memory.generators import discover
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.traversal import Traversal, require_known

proves = Proofs()


def _traversal(scene: Scene, agent: int | None = None) -> Traversal:
    chosen = scene.choose(known_agents(scene)).handle if agent is None else agent
    return Traversal(scene, "hsa_agent_iterate_regions", "hsa_region_callback", agent=chosen)


@proves("hsa_agent_iterate_regions/each-once")
def each_region_is_reported_once(scene: Scene) -> None:
    """Each region of an agent is reported once, and every traversal reports the same regions."""
    discover(scene)
    agent = scene.choose(known_agents(scene)).handle
    keys = scene.session.model.objects.get("region_of", {})
    _traversal(scene, agent).reports_once({region for of, region in keys if of == agent})


@proves("hsa_agent_iterate_regions/valid-regions")
def what_is_reported_is_a_region(scene: Scene) -> None:
    """Each handle that the traversal reports is a region that has a segment."""
    handles = _traversal(scene).handles()
    if not handles:
        raise Unsuitable("the agent has no region")
    answers = [
        ask(scene, "hsa_region_get_info", "HSA_REGION_INFO_SEGMENT", region=handle)
        for handle in handles
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_REGION")


@proves("hsa_agent_iterate_regions/passes-data")
def regions_come_with_the_data_of_the_caller(scene: Scene) -> None:
    """Each call of the callback gets the caller's data unchanged, NULL included."""
    _traversal(scene).passes_data()


@proves("hsa_agent_iterate_regions/stops-early")
def the_callback_ends_the_traversal_of_regions(scene: Scene) -> None:
    """No region is reported after the callback answers anything but success."""
    _traversal(scene).stops()


@proves("hsa_agent_iterate_regions/returns-callback-status")
def the_traversal_of_regions_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of regions answers the status with which the callback ended it."""
    _traversal(scene).returns_callback_status()


@proves("hsa_agent_iterate_regions/same-order")
def regions_come_in_the_same_order(scene: Scene) -> None:
    """Two traversals of an agent's regions report the same handles in the same order."""
    agent = scene.choose(known_agents(scene)).handle
    first, second = _traversal(scene, agent).handles(), _traversal(scene, agent).handles()
    names = ", ".join(f"{handle:#x}" for handle in second)
    scene.require(first == second, "the second traversal has another order", names)
