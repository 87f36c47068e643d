"""Properties of a GPU's streaming counters."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.spm.generators import offering
from hsa_conformance.topics.core.agents.fixtures import known_agents

proves = Proofs()

ACQUIRE: Final = "hsa_amd_spm_acquire"
RELEASE: Final = "hsa_amd_spm_release"


@proves("hsa_amd_spm_acquire/exclusive")
def one_process_at_a_time_holds_the_counters(scene: Scene) -> None:
    """A second process gets a GPU's counters only after the first has released them."""
    gpu = offering(scene)
    number = [agent.handle for agent in known_agents(scene)].index(gpu)
    other = Scene(scene.session.initialised_peer(), scene.draw, scene.clause)
    there = known_agents(other)[number].handle
    for _ in range(scene.draw(drawing.integers(1, 2))):
        scene.set_up(ACQUIRE, preferred_agent=gpu)
        answer = other.call(ACQUIRE, preferred_agent=there)
        scene.require(not answer.ok, "two processes hold the counters of one GPU", answer.name)
        scene.set_up(RELEASE, preferred_agent=gpu)
        scene.require_status(other.call(ACQUIRE, preferred_agent=there), SUCCESS)
        other.set_up(RELEASE, preferred_agent=there)
