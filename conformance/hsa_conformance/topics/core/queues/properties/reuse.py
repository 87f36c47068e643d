"""Queues that are created and destroyed many more times than there can be at once."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.builder import UNKNOWN_SIZE
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.shared.repetition import repeated

proves = Proofs()

#: More than any driver gives a process at once: Linux numbers 1024 of them.
ROUNDS: Final = 4096


@proves("hsa_queue_destroy/creates-again", fresh=True, examples=0.1, once=True)
def queues_do_not_run_out(scene: Scene) -> None:
    """A queue is created and destroyed 4096 times: each of them can be created."""
    agents = queues.agents_with_queues(scene)
    agent = scene.available(agents, "agent that processes packets")
    # What cannot be created at all is for another clause to say.
    first = queues.queue(scene, agent=agent).handle
    scene.set_up("hsa_queue_destroy", queue=first)
    offered = queues.limits(scene, agent)

    def work() -> None:
        answer = scene.call(
            "hsa_queue_create",
            agent=agent,
            size=offered.least,
            type=min(offered.types),
            callback=0,
            data=0,
            private_segment_size=UNKNOWN_SIZE,
            group_segment_size=UNKNOWN_SIZE,
            queue=Out(),
        )
        scene.require_status(answer, SUCCESS)
        scene.set_up("hsa_queue_destroy", queue=answer["queue"])

    repeated(scene, ROUNDS, work)
