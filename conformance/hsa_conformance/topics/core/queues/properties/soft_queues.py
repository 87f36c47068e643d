"""Queues whose packets the application processes."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.queues import (
    Layout,
    barrier,
    fill,
    index,
    layout,
    require_invalid,
    submit,
)
from hsa_conformance.topics.shared.signals import stays, value

proves = Proofs()

_REGION = "region of a CPU to allocate in"
#: Packets that are written into a ring, from its start.
_SOME = 64


def _queue(scene: Scene) -> int:
    return queues.soft_queue(scene, size=1 << scene.draw(drawing.integers(0, 8))).handle


@proves("hsa_soft_queue_create/describes")
def the_queue_is_as_it_was_asked_for(scene: Scene) -> None:
    """A soft queue has the type, features, size and doorbell that were given."""
    bits = [queues.KERNEL_DISPATCH, queues.AGENT_DISPATCH]
    wanted = Layout(
        type=scene.choose([queues.MULTI, queues.SINGLE]),
        features=scene.choose([*bits, sum(bits)]),
        base=0,
        doorbell=signal(scene),
        size=1 << scene.draw(drawing.integers(0, 8)),
        id=0,
    )
    answer = scene.set_up(
        "hsa_soft_queue_create",
        region=scene.available(queues.host_regions(scene), _REGION),
        size=wanted.size,
        type=wanted.type,
        features=wanted.features,
        doorbell_signal=wanted.doorbell,
        queue=Out(),
    )
    found = layout(scene, answer["queue"])
    scene.require(
        (found.type, found.features, found.size, found.doorbell)
        == (wanted.type, wanted.features, wanted.size, wanted.doorbell),
        f"the queue is not as it was asked for: {wanted}",
        found,
    )


@proves("hsa_soft_queue_create/packets-invalid")
def every_packet_of_a_new_ring_is_invalid(scene: Scene) -> None:
    """Every packet of a new soft queue's ring is of type INVALID, the last one included.

    It is so as well where a queue of the same size was full of packets before it was destroyed.
    """
    size = scene.each("size", {f"{size} packets": size for size in queues.RINGS})
    first = queues.soft_queue(scene, size=size).handle
    require_invalid(scene, first)
    fill(scene, first, 0, *[barrier()] * min(size, _SOME))
    scene.set_up("hsa_queue_destroy", queue=first)
    require_invalid(scene, queues.soft_queue(scene, size=size).handle)


@proves("hsa_soft_queue_create/indices-zero")
def both_indices_start_at_zero(scene: Scene) -> None:
    """The read index and the write index of a new soft queue are 0."""
    queue = _queue(scene)
    found = index(scene, queue, "read"), index(scene, queue, "write")
    scene.require(found == (0, 0), "the indices of a new queue are not 0", found)


@proves("hsa_soft_queue_create/nobody-processes", examples=0.5)
def a_packet_stays_as_it_was_written(scene: Scene) -> None:
    """A barrier packet in a soft queue is not processed, and neither index changes."""
    completion = signal(scene, 1)
    queue = queues.soft_queue(scene).handle
    packet = barrier(completion=completion)
    submit(scene, queue, packet)
    unchanged = stays(scene, completion, 1)
    scene.require(unchanged, "a packet completed", value(scene, completion))
    found = scene.session.read(layout(scene, queue).base, len(packet))
    scene.require(
        found == packet, "the packet changed", "no access" if found is None else found.hex(" ")
    )
    indices = index(scene, queue, "read"), index(scene, queue, "write")
    scene.require(indices == (0, 1), "the indices are no longer 0 and 1", indices)
