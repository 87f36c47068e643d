"""Queues whose packets can be intercepted, and functions that a runtime tells of its own queues."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import prod
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import UNKNOWN_SIZE
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.queues.generators import intercepted_queue
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.queues import BARRIER_BIT, barrier, fill, layout
from hsa_conformance.topics.shared.signals import MOMENT, becomes

proves = Proofs()

_LEAST = 4  # packets: what a library keeps a few of for itself is in no text
#: The fewest examples: each fills a ring several times.
FEW: Final = 0.2


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
        data=scene.draw(drawing.integers(0, (1 << 64) - 1)),
        private_segment_size=UNKNOWN_SIZE,
        group_segment_size=UNKNOWN_SIZE,
        queue=Out(),
    )
    scene.require_status(answer, SUCCESS)


@proves("hsa_amd_queue_intercept_register/written-completes", examples=FEW, once=True)
def what_handlers_write_is_processed(scene: Scene) -> None:
    """What handlers write for the packets of a queue is processed, each packet once and in order.

    A handler writes copies of what it is given, in one call. What is written is less than the queue
    holds, or more, and so is what is submitted.
    """
    queue = intercepted_queue(scene)
    size = layout(scene, queue).size
    written = {
        "several copies": scene.draw(drawing.integers(2, 4)),
        "as it comes": 1,
        "more than fits": size + scene.draw(drawing.integers(0, 3)),
    }
    copies = scene.each("written", written)
    others = scene.draw(drawing.lists(drawing.integers(1, 2), max_size=2))
    _require_processed(scene, queue, size, [(copies, 1), *((number, 1) for number in others)])


@proves("hsa_amd_queue_intercept_register/written-in-pieces", examples=FEW, once=True)
def what_a_handler_writes_in_pieces_is_processed(scene: Scene) -> None:
    """Packets that a handler writes in several calls are processed, each once and in order.

    They are less than the queue holds, or more, and so is what is submitted.
    """
    queue = intercepted_queue(scene)
    size = layout(scene, queue).size
    copies = {"several copies": scene.draw(drawing.integers(2, 6)), "more than fits": size + 2}
    pieces = scene.draw(drawing.integers(2, 4))
    written = scene.each("written", copies)
    _require_processed(scene, queue, size, [(max(written, pieces), pieces)])


def _require_processed(
    scene: Scene, queue: int, size: int, handlers: Sequence[tuple[int, int]]
) -> None:
    """Demand that what is written for packets of a queue is processed.

    Args:
        scene: the property's scene.
        queue: that can be intercepted.
        size: packets that it holds.
        handlers: how many copies each writes, and in how many calls; the last one gets packets
            first.

    """
    for writes in handlers:
        scene.set_up(
            "hsa_amd_queue_intercept_register",
            queue=queue,
            callback=Callback("hsa_amd_queue_intercept_handler", writes=writes),
            user_data=0,
        )
    submitted = {"as many as fit": size, "few": 3, "more than fit": size + 3}
    count = scene.each("submitted", submitted)
    factor = prod(copies for copies, _ in handlers)
    completions, packets = _in_turns(scene, count, factor)
    _submit_as_they_fit(scene, queue, size, packets)
    left = _left(scene, completions)
    summary = f"of {count * factor} written packets not each is processed once, and in order"
    scene.require(left == 0, summary, f"{left} are left")


def _in_turns(scene: Scene, count: int, factor: int) -> tuple[list[int], list[bytes]]:
    """Return packets, and signals that are 0 when each was processed so many times.

    Those of a turn wait until all of the turn before are processed, so that none may come before
    these.
    """
    turns = min(count, scene.draw(drawing.integers(1, 3)))
    shares = [count // turns + (turn < count % turns) for turn in range(turns)]
    completions = [signal(scene, share * factor) for share in shares]
    packets = list[bytes]()
    for share, before, done in zip(shares, [0, *completions], completions, strict=False):
        packets += [barrier([before], done, bits=BARRIER_BIT)] * share
    return completions, packets


def _submit_as_they_fit(scene: Scene, queue: int, size: int, packets: list[bytes]) -> None:
    """Submit packets one after the other, or as many at once as there is room for."""
    most = scene.choose([size, 1])
    sent = 0

    def room() -> int:
        read = scene.call("hsa_queue_load_read_index_scacquire", queue=queue).status
        return min(size - (sent - read), most)

    while sent < len(packets) and becomes(lambda: room() > 0):
        some = packets[sent : sent + room()]
        sent += len(some)
        scene.set_up("hsa_queue_store_write_index_screlease", queue=queue, value=sent)
        doorbell = fill(scene, queue, sent - len(some), *some)
        scene.call("hsa_signal_store_screlease", signal=doorbell, value=sent - 1)


def _left(scene: Scene, signals: list[int]) -> int:
    """Return by how much signals are not 0 when no packet is processed any more."""

    def off() -> int:
        found = (scene.call("hsa_signal_load_scacquire", signal=signal) for signal in signals)
        return sum(abs(answer.status) for answer in found)

    def less_than(most: int) -> Callable[[], bool]:
        return lambda: off() < most

    left = off()
    while left and becomes(less_than(left)):
        left = off()
    time.sleep(MOMENT)  # in which more than was written would be processed
    return off()


@proves("hsa_amd_runtime_queue_create_register/success", fresh=True)
def a_first_function_can_be_registered(scene: Scene) -> None:
    """The first function that is to be told of the runtime's queues is taken, with any data."""
    answer = scene.call(
        "hsa_amd_runtime_queue_create_register",
        callback=Callback("hsa_amd_runtime_queue_notifier"),
        user_data=scene.draw(drawing.integers(0, (1 << 64) - 1)),
    )
    scene.require_status(answer, SUCCESS)
