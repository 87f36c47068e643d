"""Queues whose packets can be intercepted, and functions that a runtime tells of its own queues."""

from __future__ import annotations

from hypothesis import strategies as st

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.generation.builder import UNKNOWN_SIZE
from hsa_conformance.engine.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.queues import generators as queues

proves = Proofs()

_LEAST = 4  # packets: what a library keeps a few of for itself is in no text


@proves("hsa_amd_queue_intercept_create/success")
def a_queue_that_can_be_intercepted_is_created(scene: Scene) -> None:
    """A queue of each size and type that the agent offers can be created to be intercepted."""
    agent = some_gpu(scene).handle
    offered = queues.limits(scene, agent)
    sizes = [1 << n for n in range(32) if max(offered.least, _LEAST) <= 1 << n <= offered.most]
    answer = scene.call(
        "hsa_amd_queue_intercept_create",
        agent_handle=agent,
        size=scene.one_of(sizes),
        type=scene.each("type", {str(kind): kind for kind in sorted(offered.types)}),
        callback=Callback("hsa_queue_error_callback"),
        data=scene.draw(st.integers(0, (1 << 64) - 1)),
        private_segment_size=UNKNOWN_SIZE,
        group_segment_size=UNKNOWN_SIZE,
        queue=Out(),
    )
    scene.require_status(answer, SUCCESS)


@proves("hsa_amd_runtime_queue_create_register/success")
def a_first_function_can_be_registered(scene: Scene) -> None:
    """The first function that is to be told of the runtime's queues is taken, with any data."""
    answer = scene.call(
        "hsa_amd_runtime_queue_create_register",
        callback=Callback("hsa_amd_runtime_queue_notifier"),
        user_data=scene.draw(st.integers(0, (1 << 64) - 1)),
    )
    scene.require_status(answer, SUCCESS)
