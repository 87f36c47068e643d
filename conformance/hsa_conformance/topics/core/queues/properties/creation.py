"""What a new queue of an agent is like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import UNKNOWN_SIZE
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.histories import histories
from hsa_conformance.topics.shared.queues import (
    barrier,
    index,
    layout,
    require_invalid,
    submit,
)
from hsa_conformance.topics.shared.signals import reaches, value
from hsa_reports import Verdict

proves = Proofs()

CREATE: Final = "hsa_queue_create"
SOFT: Final = "hsa_soft_queue_create"
#: Threads that create queues at one time, and queues of each.
THREADS: Final = 2
QUEUES: Final = 2


def _agent(scene: Scene) -> int:
    return scene.available(queues.agents_with_queues(scene), "agent that processes packets")


def _create(scene: Scene, arguments: Mapping[str, Value]) -> Answer:
    return scene.session.call_with(CREATE, arguments)


def _of_an_agent(scene: Scene) -> Task:
    agent = _agent(scene)
    offered = queues.limits(scene, agent)
    return CREATE, queues.arguments(agent, offered.least, min(offered.types))


def _soft(scene: Scene) -> Task:
    region, features = scene.choose(queues.host_regions(scene)), queues.AGENT_DISPATCH
    given = queues.soft_arguments(region, 16, queues.MULTI, features, signal(scene))
    return SOFT, given


@proves("hsa_queue_create/size")
def the_ring_holds_what_was_asked_for_or_the_least(scene: Scene) -> None:
    """A queue has the size asked for, or the agent's least size where that is more."""
    agent = _agent(scene)
    offered = queues.limits(scene, agent)
    size = 1 << scene.draw(drawing.integers(0, offered.most.bit_length() - 1))
    answer = _create(scene, queues.arguments(agent, size, min(offered.types)))
    scene.require_status(answer, SUCCESS)
    wanted = max(size, offered.least)
    found = layout(scene, answer["queue"]).size
    scene.require(found == wanted, f"the queue does not hold {wanted} packets", f"{found} packets")


@proves("hsa_queue_create/type")
def the_type_is_the_one_asked_for(scene: Scene) -> None:
    """The type in a new queue's structure is the one asked for."""
    agent = _agent(scene)
    offered = queues.limits(scene, agent)
    kind = scene.choose(sorted(offered.types))
    answer = _create(scene, queues.arguments(agent, offered.least, kind))
    scene.require_status(answer, SUCCESS)
    found = layout(scene, answer["queue"]).type
    scene.require(equal(found, kind), f"a queue of type {kind} says that it has another", found)


@proves("hsa_queue_create/base-aligned")
def the_ring_starts_at_a_multiple_of_64(scene: Scene) -> None:
    """The ring of a new queue starts at a multiple of 64 bytes."""
    base = layout(scene, queues.queue(scene).handle).base
    scene.require(base != 0 and base % 64 == 0, "the ring is not aligned to 64", f"{base:#x}")


@proves("hsa_queue_create/packets-invalid")
def every_packet_of_a_new_ring_is_invalid(scene: Scene) -> None:
    """Every packet of a new queue's ring is of type INVALID, the last one included.

    The ring takes a page or less, or more than 64 KiB or 2 MiB, as far as the agent offers that.
    """
    agent = _agent(scene)
    offered = queues.limits(scene, agent)
    sizes = {f"{size} packets": size for size in queues.RINGS if size <= offered.most}
    size = max(offered.least, scene.each("size", sizes or {"most": offered.most}))
    require_invalid(scene, queues.queue(scene, size=size, agent=agent).handle)


@proves("hsa_queue_create/indices-zero")
def both_indices_start_at_zero(scene: Scene) -> None:
    """The read index and the write index of a new queue are 0."""
    queue = queues.queue(scene).handle
    found = index(scene, queue, "read"), index(scene, queue, "write")
    scene.require(found == (0, 0), "the indices of a new queue are not 0", found)


@proves("hsa_queue_create/id-unique", fresh=True)
@proves("hsa_soft_queue_create/id-unique", fresh=True)
def a_queue_has_an_id_of_its_own(scene: Scene) -> None:
    """A queue has the id of no other one, be that of its kind or not, alive or destroyed."""
    places = {SOFT: queues.host_regions(scene), CREATE: queues.agents_with_queues(scene)}
    makers = [maker for maker, where in places.items() if where]
    own = scene.clause.function
    count = scene.draw(drawing.integers(2, 5)) if makers else 0
    others = [scene.one_of(makers) for _ in range(count)]
    seen: list[int] = []
    living: list[int] = []
    for maker in [*others, own]:
        living.append(_made_by(scene, maker))
        found = layout(scene, living[-1]).id
        if maker == own:
            scene.require(found not in seen, "the id is or was that of another queue", found)
        seen.append(found)
        if scene.draw(drawing.booleans()):
            gone = living.pop(scene.draw(drawing.integers(0, len(living) - 1)))
            scene.set_up("hsa_queue_destroy", queue=gone)


def _made_by(scene: Scene, function: str) -> int:
    return (queues.soft_queue(scene) if function == SOFT else queues.queue(scene)).handle


@proves("hsa_queue_create/id-unique", examples=0.2, once=True, chance=True)
def queues_of_several_threads_have_ids_of_their_own(scene: Scene) -> None:
    """Threads create queues at one time: no two of these have the same id, nor have later ones."""
    make = _soft if queues.host_regions(scene) and scene.draw(drawing.booleans()) else _of_an_agent
    seen: list[int] = []
    for _ in histories(scene):
        created = scene.session.together([[make(scene)] * QUEUES] * THREADS)
        for event in created:
            scene.session.remember(event.answer)
            scene.require_status(event.answer, SUCCESS)
        handles = [event.answer["queue"] for event in created]
        seen += [layout(scene, queue).id for queue in handles]
        scene.require(len(set(seen)) == len(seen), "two queues have the same id", seen)
        for queue in handles:
            scene.set_up("hsa_queue_destroy", queue=queue)


@proves("hsa_queue_create/cooperative-counted")
def a_cooperative_queue_is_destroyed_as_often_as_returned(scene: Scene) -> None:
    """A cooperative queue returned several times is there until it is destroyed as often.

    After each hsa_queue_destroy but the last it still completes a barrier.
    """
    able = [
        a
        for a in queues.agents_with_queues(scene)
        if queues.COOPERATIVE in queues.limits(scene, a).types
    ]
    agent = scene.available(able, "agent with cooperative queues")
    offered = queues.limits(scene, agent)
    times = scene.draw(drawing.integers(2, 3))
    given = [
        _create(scene, queues.arguments(agent, offered.least, queues.COOPERATIVE))
        for _ in range(times)
    ]
    handles = [answer["queue"] for answer in given if answer.ok]
    if len(handles) < times or len(set(handles)) > 1:
        raise Unavailable(Verdict.NOT_APPLICABLE, "each cooperative queue is another one here")
    for _ in range(times - 1):
        scene.require_status(scene.call("hsa_queue_destroy", queue=handles[0]), SUCCESS)
        summary = "the queue ended before its last hsa_queue_destroy"
        found = layout(scene, handles[0])
        scene.require(found.base != 0, summary, found)
        completion = signal(scene, 1)
        submit(scene, handles[0], barrier(completion=completion))
        done = reaches(scene, completion, 0)
        scene.require(done, summary, f"completion signal {value(scene, completion)}")
    scene.require_status(scene.call("hsa_queue_destroy", queue=handles[0]), SUCCESS)


@proves("hsa_queue_create/segment-hints")
def segment_sizes_may_be_left_open(scene: Scene) -> None:
    """A queue is created with UINT32_MAX for one segment size, or for both."""
    agent = _agent(scene)
    offered = queues.limits(scene, agent)
    hints = scene.choose([(UNKNOWN_SIZE, UNKNOWN_SIZE), (0, UNKNOWN_SIZE), (UNKNOWN_SIZE, 0)])
    answer = _create(scene, queues.arguments(agent, offered.least, min(offered.types), hints))
    scene.require_status(answer, SUCCESS)
