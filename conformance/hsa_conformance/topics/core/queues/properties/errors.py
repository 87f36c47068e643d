"""What the callback of a queue is told of a packet that no device can process."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from hsa_adapters.protocol import Callback
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.statuses import INVALID_PACKET_FORMAT
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.shared.queues import barrier, submit
from hsa_conformance.topics.shared.signals import invocations
from hsa_spec import DecidedBy

proves = Proofs()

#: No packet has this type.
UNKNOWN_TYPE: Final = 0x3F


def _reported(scene: Scene) -> tuple[int, int, list[tuple[int, ...]]]:
    """Submit a packet of no valid format; return the queue, its data and the callback's reports."""
    data = scene.draw(st.integers(1, 2**64 - 1))
    callback = Callback("hsa_queue_error_callback", returns=())
    queue = queues.queue(scene, callback=callback, data=data).handle
    submit(scene, queue, barrier(kind=UNKNOWN_TYPE))
    reports = invocations(scene, data, 1)
    scene.require(bool(reports), "the callback was not called with the data", "no such call")
    return queue, data, reports


@proves("hsa_queue_create/callback-arguments", examples=0.5)
def the_callback_is_told_what_and_where(scene: Scene) -> None:
    """A bad packet calls the queue's callback with an error status, the queue and its data."""
    queue, data, reports = _reported(scene)
    for status, source, given in reports:
        scene.require(
            status != 0 and source == queue and given == data,
            f"the callback was not called with an error, {queue:#x} and {data:#x}",
            (status, f"{source:#x}", f"{given:#x}"),
            decided_by=DecidedBy.RUNTIME,  # the device reports an error, and knows no more
        )


@proves("hsa_queue_create/packet-malformed", examples=0.5)
def a_malformed_packet_is_reported_as_one(scene: Scene) -> None:
    """A packet of no valid format is reported to the callback as INVALID_PACKET_FORMAT."""
    _, _, reports = _reported(scene)
    wanted = scene.session.registry.constants[INVALID_PACKET_FORMAT]
    status = scene.session.registry.status_name(reports[0][0])
    scene.require(
        reports[0][0] == wanted, "a malformed packet is reported as something else", status
    )
