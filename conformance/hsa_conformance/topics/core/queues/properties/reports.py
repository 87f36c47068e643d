"""Queues that fail, and what their callbacks are told."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.code_objects import Does
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.shared import kernels
from hsa_conformance.topics.shared.queues import barrier, submit
from hsa_conformance.topics.shared.signals import invocations

#: No packet has these types.
UNKNOWN_TYPES: Final = drawing.integers(6, 255)

#: How a callback was called: with a status, a queue and data, each time.
Reports = list[tuple[int, ...]]


def watched(scene: Scene, slots: int, agent: int | None = None) -> tuple[int, int]:
    """Create a queue with a callback for its errors; return it and the callback's data.

    Args:
        scene: where choices come from.
        slots: how many packets it has to hold at once.
        agent: whose queue it is; None for any.

    """
    data = scene.draw(drawing.integers(1, 2**64 - 1))
    callback = Callback("hsa_queue_error_callback", returns=())
    queue = queues.queue(scene, callback=callback, data=data, slots=slots, agent=agent)
    return queue.handle, data


def malformed(scene: Scene) -> bytes:
    """Draw a packet of no valid format."""
    return barrier(kind=scene.draw(UNKNOWN_TYPES))


def failing(scene: Scene) -> tuple[bytes, int | None]:
    """Draw a packet that fails, and whose queue it is for, if it matters.

    It is malformed, or dispatches a kernel that traps or that begins with no instruction.
    """
    errors: dict[str, Does | None] = {"malformed packet": None}
    if scene.session.runs_kernels and kernels.agents(scene, "trap"):
        errors |= {"kernel that traps": "trap", "illegal instruction": "illegal"}
    does = scene.each("error", errors)
    if does is None:
        return malformed(scene), None
    kernel = kernels.failing(scene, does)
    return kernels.packet(kernel), kernel.agent


def failed(scene: Scene, packet: bytes, agent: int | None = None) -> tuple[int, int, Reports]:
    """Submit a packet that fails; return the queue, its data and the callback's reports.

    Raises:
        Violation: the callback is not called.

    """
    queue, data = watched(scene, 1, agent)
    submit(scene, queue, packet)
    reports = invocations(scene, data, 1)
    scene.require(bool(reports), "the callback was not called with the data", "no such call")
    return queue, data, reports


def require_reported(scene: Scene, reports: Reports, wanted: str) -> None:
    """Demand that the first report has a status, which is named."""
    status = scene.session.registry.status_name(reports[0][0])
    scene.require(status == wanted, f"it is not reported as {wanted}", status)
