"""What the callback of a queue is told of a packet that fails, and what becomes of the queue."""

from __future__ import annotations

import time

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import INVALID_PACKET_FORMAT, SUCCESS
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.queues.properties.reports import (
    failed,
    failing,
    malformed,
    require_reported,
    watched,
)
from hsa_conformance.topics.core.signals.generators import VALUES, signal
from hsa_conformance.topics.shared.queues import barrier, fill, submit
from hsa_conformance.topics.shared.signals import MOMENT, heard, invocations, reaches, stays, value
from hsa_spec import DecidedBy

proves = Proofs()


@proves("hsa_queue_create/callback-arguments", examples=0.5)
def the_callback_is_told_what_and_where(scene: Scene) -> None:
    """A packet that fails calls the queue's callback with an error, the queue and its data.

    The error is a status that a header names, or that hsa_status_string knows. The packet is
    malformed, or dispatches a kernel that traps, or one that begins with no instruction.
    """
    queue, data, reports = failed(scene, *failing(scene))
    for status, source, given in reports:
        scene.require(
            status != 0 and _has_name(scene, status) and source == queue and given == data,
            f"the callback was not called with an error, {queue:#x} and {data:#x}",
            (scene.session.registry.status_name(status), f"{source:#x}", f"{given:#x}"),
            decided_by=DecidedBy.RUNTIME,  # the device reports an error, and knows no more
        )


def _has_name(scene: Scene, status: int) -> bool:
    if status in scene.session.registry.enums["hsa_status_t"].by_value:
        return True
    # A vendor may have statuses of its own.
    return scene.session.call("hsa_status_string", status=status, status_string=Out()).ok


@proves("hsa_queue_create/packet-malformed", examples=0.5)
def a_malformed_packet_is_reported_as_one(scene: Scene) -> None:
    """A packet of no valid format is reported to the callback as INVALID_PACKET_FORMAT."""
    _, _, reports = failed(scene, malformed(scene))
    require_reported(scene, reports, INVALID_PACKET_FORMAT)


@proves("queue/nothing-after-an-error", examples=0.5)
def nothing_is_launched_after_an_error(scene: Scene) -> None:
    """Packets behind a malformed one, written before it is reported or after, never complete.

    Those before it do.
    """
    before, after = scene.draw(drawing.integers(0, 2)), scene.draw(drawing.integers(1, 3))
    gates = [signal(scene, 1) for _ in range(before + after + 1)]
    packets = [barrier(completion=gate) for gate in gates]
    packets[before : before + 1] = [malformed(scene)]
    later = scene.draw(drawing.integers(0, after))
    queue, data = watched(scene, len(packets))
    submit(scene, queue, *packets[: len(packets) - later])
    scene.require(bool(invocations(scene, data, 1)), "no error was reported", "no call")
    if later:
        submit(scene, queue, *packets[-later:])
    for gate in gates[:before]:
        done = reaches(scene, gate, 0)
        scene.require(
            done, "a packet before the malformed one did not complete", value(scene, gate)
        )
    for gate in gates[before + 1 :]:
        scene.require(
            stays(scene, gate, 1), "a packet after the malformed one completed", value(scene, gate)
        )


@proves("queue/reported-once", examples=0.5)
def an_error_is_reported_once(scene: Scene) -> None:
    """The callback of a queue is called once for the first malformed packet, and for no other."""
    queue, data = watched(scene, 3)
    bad = [malformed(scene) for _ in range(scene.draw(drawing.integers(1, 3)))]
    submit(scene, queue, *bad)
    invocations(scene, data, 1)
    time.sleep(MOMENT)
    found = len(invocations(scene, data, 1))
    scene.require(found == 1, "the callback was not called exactly once", f"{found} calls")


@proves("queue/error-may-be-inactivated", examples=0.5)
def a_queue_in_error_can_be_inactivated(scene: Scene) -> None:
    """A queue that has reported a packet which failed can be inactivated, also twice."""
    queue, _, _ = failed(scene, *failing(scene))
    for _ in range(scene.draw(drawing.integers(1, 2))):
        scene.require_status(scene.call("hsa_queue_inactivate", queue=queue), SUCCESS)


@proves("queue/error-may-be-destroyed", examples=0.5)
def a_queue_in_error_can_be_destroyed(scene: Scene) -> None:
    """A queue that has reported a packet which failed can be destroyed, inactivated or not."""
    queue, _, _ = failed(scene, *failing(scene))
    if scene.draw(drawing.booleans()):
        scene.set_up("hsa_queue_inactivate", queue=queue)
    scene.require_status(scene.call("hsa_queue_destroy", queue=queue), SUCCESS)


@proves("hsa_queue_destroy/callback-ends")
def no_error_is_reported_of_a_queue_that_is_gone(scene: Scene) -> None:
    """Once hsa_queue_destroy has returned, the callback of the queue is not called any more.

    A packet that fails is submitted right before, or up to two milliseconds before.
    """
    packet, agent = failing(scene)
    queue, data = watched(scene, 1, agent)
    pause = scene.draw(drawing.integers(0, 20)) / 10_000
    submit(scene, queue, packet)
    time.sleep(pause)
    scene.set_up("hsa_queue_destroy", queue=queue)
    before = len(heard(scene, data))
    time.sleep(MOMENT)
    later = len(invocations(scene, data, 0)) - before
    scene.require(later == 0, "the callback was called after the queue was destroyed", later)


@proves("queue/error-stays-alone", examples=0.5)
def an_error_of_one_queue_leaves_the_others(scene: Scene) -> None:
    """While one queue of an agent is in error, another one processes its packets."""
    completion = signal(scene, 2)
    data = scene.draw(drawing.integers(1, 2**64 - 1))
    callback = Callback("hsa_queue_error_callback", returns=())
    other = queues.queue(scene, slots=2)
    broken = queues.queue(scene, callback=callback, data=data, agent=other.agent).handle
    submit(scene, other.handle, barrier(completion=completion))
    submit(scene, broken, malformed(scene))
    scene.require(bool(invocations(scene, data, 1)), "no error was reported", "no call")
    submit(scene, other.handle, barrier(completion=completion))
    done = reaches(scene, completion, 0)
    scene.require(done, "a packet of another queue did not complete", value(scene, completion))


@proves("queue/no-default-callback", examples=0.5, fresh=True)
def an_error_that_nobody_asked_for_ends_nothing(scene: Scene) -> None:
    """After a malformed packet of a queue without a callback the process goes on.

    Signals keep their values, and the queue can be destroyed.
    """
    wanted = scene.draw(VALUES)
    probe = signal(scene, wanted)
    queue = queues.queue(scene).handle
    scene.set_up("hsa_queue_store_write_index_screlease", queue=queue, value=1)
    doorbell = fill(scene, queue, 0, malformed(scene))
    # Whatever ends the process from here on is what the clause is about.
    scene.call("hsa_signal_store_screlease", signal=doorbell, value=0)
    time.sleep(MOMENT)
    found = scene.call("hsa_signal_load_scacquire", signal=probe).status
    scene.require(found == wanted, "a signal does not have its value", found)
    scene.require_status(scene.call("hsa_queue_destroy", queue=queue), SUCCESS)
