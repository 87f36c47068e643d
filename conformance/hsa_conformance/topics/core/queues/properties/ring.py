"""The ring of a queue that an agent reads: its indices, its slots, and its structure."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.queues.generators import STRUCTURE
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.attributes import number
from hsa_conformance.topics.shared.queues import barrier, index, layout, put, submit
from hsa_conformance.topics.shared.signals import becomes, reaches, value

proves = Proofs()

#: Where the reserved member of a hsa_queue_t is, and its bytes.
_RESERVED: Final = slice(28, 32)
#: The fewest examples: each fills a ring.
FEW: Final = 0.2


@proves("queue/read-index-counts", examples=FEW)
def the_read_index_comes_to_be_the_write_index(scene: Scene) -> None:
    """Once all packets of a queue have completed, its read index becomes their number."""
    count = scene.draw(drawing.integers(1, 5))
    completion = signal(scene, count)
    queue = queues.queue(scene, slots=count).handle
    submit(scene, queue, *[barrier(completion=completion)] * count)
    scene.require(reaches(scene, completion, 0), "the packets did not complete", "still waiting")
    read = becomes(lambda: index(scene, queue, "read") == count)
    found = index(scene, queue, "read")
    scene.require(read, f"the read index did not become {count}", found)


@proves("queue/ring-wraps", examples=FEW)
def a_queue_processes_more_packets_than_its_ring_holds(scene: Scene) -> None:
    """Packets behind the end of a ring are taken from its start, in the slot of their index."""
    queue = queues.queue(scene).handle
    size = layout(scene, queue).size
    completion = signal(scene, 0)
    sent = 0
    for count in (size, scene.draw(drawing.integers(1, min(size, 9)))):
        _await_slots(scene, queue, sent)
        submit(scene, queue, *[barrier(completion=completion)] * count)
        sent += count
        done = reaches(scene, completion, -sent)
        scene.require(
            done, f"of {sent} packets not all completed", f"{-value(scene, completion)} did"
        )


@proves("queue/index-by-store", examples=FEW)
def a_single_producer_may_store_the_write_index(scene: Scene) -> None:
    """Packets of one producer complete when the write index was raised by a store."""
    queue = queues.queue(scene).handle
    completion = signal(scene, 0)
    for sent in range(1, scene.draw(drawing.integers(1, 4)) + 1):
        _await_slots(scene, queue, sent - 1)
        scene.set_up("hsa_queue_store_write_index_screlease", queue=queue, value=sent)
        put(scene, queue, sent - 1, barrier(completion=completion))
        done = reaches(scene, completion, -sent)
        scene.require(done, f"packet {sent - 1} did not complete", value(scene, completion))


def _await_slots(scene: Scene, queue: int, sent: int) -> None:
    """Wait until the slots of all packets that were sent can take others.

    Raises:
        Blocked: they never can.

    """
    if not becomes(lambda: index(scene, queue, "read") == sent):
        raise Blocked("queue/read-index-counts", "slots of packets that stay taken")


@proves("queue/features-of-agent")
def a_queue_has_features_of_its_agent(scene: Scene) -> None:
    """A queue of an agent has one or more features, all of which the agent has."""
    made = queues.queue(scene)
    found = layout(scene, made.handle).features
    offered = number(scene, "hsa_agent_get_info", "HSA_AGENT_INFO_FEATURE", agent=made.agent)
    scene.require(
        found != 0 and not found & ~offered,
        f"the features of a queue are none, or not all of those of its agent, {offered:#x}",
        f"{found:#x}",
    )


@proves("queue/reserved-zero")
def the_reserved_member_of_a_queue_is_zero(scene: Scene) -> None:
    """The reserved member of a new queue is 0, of an agent's and of the application's."""
    content = scene.session.read(queues.any_queue(scene).handle, STRUCTURE) or b""
    scene.require(content[_RESERVED] == bytes(4), "the reserved member is not 0", content.hex(" "))
