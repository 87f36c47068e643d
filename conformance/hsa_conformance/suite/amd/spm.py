"""Properties of a GPU's streaming counters."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from hsa_conformance.checks.properties import Scene, proves
from hsa_conformance.peers import second_process
from hsa_conformance.strategies.amd.spm import offering

ACQUIRE: Final = "hsa_amd_spm_acquire"
RELEASE: Final = "hsa_amd_spm_release"


@proves("hsa_amd_spm_acquire/exclusive")
def one_process_at_a_time_holds_the_counters(scene: Scene) -> None:
    """The second one gets them when the first has given them back, and not before."""
    gpu = offering(scene)
    number = [agent.handle for agent in scene.agents()].index(gpu)
    other = Scene(second_process(scene.session), scene.draw, scene.clause)
    there = other.agents()[number].handle
    for _ in range(scene.draw(st.integers(1, 2))):
        scene.must(ACQUIRE, preferred_agent=gpu)
        answer = other.call(ACQUIRE, preferred_agent=there)
        scene.require(not answer.ok, "two processes hold the counters of one GPU", answer.name)
        scene.must(RELEASE, preferred_agent=gpu)
        scene.require_status(other.call(ACQUIRE, preferred_agent=there), "HSA_STATUS_SUCCESS")
        other.must(RELEASE, preferred_agent=there)
