"""Properties of the ways in which an agent can be sampled."""

from __future__ import annotations

from hsa_adapters.calls import Callback
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.pc_sampling.pc_sampling.generators import (
    CONFIGURATION,
    ITERATE,
    sampled_agent,
)

proves = Proofs()


@proves("hsa_ven_amd_pcs_iterate_configuration/each-once")
def every_iteration_lists_as_many_ways_with_the_callers_data(scene: Scene) -> None:
    """Each traversal lists as many ways of sampling, with the caller's data unchanged.

    Nobody samples meanwhile.
    """
    agent = sampled_agent(scene)
    counts = []
    for _ in range(scene.draw(drawing.integers(2, 3))):
        data = scene.draw(drawing.integers(0, (1 << 64) - 1))
        answer = scene.set_up(
            ITERATE,
            agent=agent,
            configuration_callback=Callback(CONFIGURATION),
            callback_data=data,
        )
        counts.append(len(answer.callbacks))
        given = [arguments[1] for arguments in answer.callbacks]
        scene.require(
            given == [data] * len(given), "callback_data was changed", [hex(g) for g in given]
        )
    scene.require(len(set(counts)) == 1, "the number of ways differs between calls", counts)
