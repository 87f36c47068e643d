"""Agent dispatch packets in a queue of the application: a service is asked for and answered."""

from __future__ import annotations

import struct
from typing import Final

from hsa_conformance.engine.calls.comparing import address_in
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.memory import fill, require_contents
from hsa_conformance.topics.shared.queues import PACKET, index, layout, put
from hsa_conformance.topics.shared.signals import PATIENCE, ticks, value, woken

proves = Proofs()

AGENT_DISPATCH: Final = 4
#: Header, type of service, return address, arguments, completion signal.
_PACKET: Final = struct.Struct("<HHIQ4QQQ")
#: Where the return address and the completion signal are.
_BACK, _COMPLETION = 8, 56
_WORDS: Final = drawing.integers(0, 2**64 - 1)


def _queue(scene: Scene) -> int:
    """Create a queue of the application, of a few slots, that has taken packets before."""
    queue = queues.soft_queue(scene, size=1 << scene.draw(drawing.integers(0, 3))).handle
    before = scene.draw(drawing.integers(0, 9))
    for which in ("read", "write"):
        scene.set_up(f"hsa_queue_store_{which}_index_screlease", queue=queue, value=before)
    store = layout(scene, queue).doorbell
    scene.set_up("hsa_signal_store_screlease", signal=store, value=before - 1)
    return queue


def _request(scene: Scene, back: int, completion: int) -> bytes:
    service = scene.draw(drawing.integers(0, 2**16 - 1))
    arguments = [scene.draw(_WORDS) for _ in range(4)]
    return _PACKET.pack(AGENT_DISPATCH, service, 0, back, *arguments, 0, completion)


def _await(scene: Scene, handle: int, condition: str, operand: int) -> None:
    """Let a thread wait for a condition of a signal."""
    constants = scene.session.registry.constants
    values = {
        "signal": handle,
        "condition": constants[f"HSA_SIGNAL_CONDITION_{condition}"],
        "compare_value": operand,
        "timeout_hint": ticks(scene, PATIENCE),
        "wait_state_hint": constants["HSA_WAIT_STATE_BLOCKED"],
    }
    scene.session.start("hsa_signal_wait_scacquire", values)


@proves("packet/service-reaches-consumer")
def a_request_reaches_the_consumer(scene: Scene) -> None:
    """A thread that waits for the doorbell gets the index of an agent dispatch packet.

    The packet is in the slot of the index, as it was written, wherever the ring wraps.
    """
    queue = _queue(scene)
    ring, packet = layout(scene, queue), _request(scene, 0, signal(scene, 1))
    wanted = index(scene, queue, "write")
    _await(scene, ring.doorbell, "GTE", wanted)
    first = scene.set_up("hsa_queue_add_write_index_screlease", queue=queue, value=1).status
    put(scene, queue, first, packet)
    rung = woken(scene, ring.doorbell, "GTE", wanted)
    scene.require(rung == wanted, f"the doorbell did not become {wanted}", rung)
    found = scene.session.read(ring.base + rung % ring.size * PACKET, PACKET)
    scene.require(
        found == packet, "the packet changed", "no access" if found is None else found.hex(" ")
    )


@proves("packet/service-is-answered")
def the_answer_of_a_service_wakes_the_producer(scene: Scene) -> None:
    """The consumer's result is at the return address when the completion signal wakes the producer.

    The consumer takes both from the packet in the ring. Once it has raised the read index, the slot
    takes the next packet, whose result is another one.
    """
    queue = _queue(scene)
    ring, back, result = layout(scene, queue), scene.session.place(bytes(8), "result"), bytes(8)
    for _ in range(ring.size + 1):
        completion = signal(scene, 1)
        before = int.from_bytes(result, "little")
        result = scene.draw(_WORDS.filter(before.__ne__)).to_bytes(8, "little")
        number = scene.set_up("hsa_queue_add_write_index_screlease", queue=queue, value=1).status
        put(scene, queue, number, _request(scene, back, completion))
        _await(scene, completion, "LT", 1)
        packet = scene.session.read(ring.base + number % ring.size * PACKET, PACKET) or b""
        place = address_in(packet, _BACK, "return_address")
        handle = address_in(packet, _COMPLETION, "completion_signal")
        same = (place, handle) == (back, completion)
        scene.require(same, "the packet changed", packet.hex(" ") or "no access")
        fill(scene, place, result)
        scene.set_up("hsa_signal_subtract_screlease", signal=handle, value=1)
        left = woken(scene, completion, "LT", 1)
        scene.require(left == 0, "the completion signal did not go to 0", left)
        require_contents(scene, back, result, "the result is not there")
        scene.set_up("hsa_queue_store_read_index_screlease", queue=queue, value=number + 1)
        found = index(scene, queue, "read"), index(scene, queue, "write")
        scene.require(found == (number + 1, number + 1), "the queue is not empty", found)
        left = value(scene, completion)
        scene.require(left == 0, "the completion signal changed again", left)
