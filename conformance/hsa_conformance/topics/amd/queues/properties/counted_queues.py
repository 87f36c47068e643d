"""Queues that share hardware queues once there are as many of these as are allowed."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.queues.generators import ACQUIRE, NORMAL, counted_queue
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.queues.generators import MULTI
from hsa_conformance.topics.shared.attributes import number

proves = Proofs()

INFO: Final = "hsa_amd_queue_get_info"
RELEASE: Final = "hsa_amd_counted_queue_release"

#: More queues than there are hardware queues, unless somebody allowed very many.
MANY: Final = 12

#: What earlier examples got stays with the runtime, so each wants a process of its own.
FEW: Final = 0.3


def _hardware(scene: Scene, queue: int) -> int:
    return number(scene, INFO, "HSA_QUEUE_INFO_HW_ID", queue=queue)


def _users(scene: Scene, queue: int) -> int:
    return number(scene, INFO, "HSA_QUEUE_INFO_USE_COUNT", queue=queue)


def _many(scene: Scene, gpu: int) -> list[int]:
    """Return the hardware queues of many queues of a GPU and one priority, as they were got."""
    found = [_hardware(scene, counted_queue(scene, agent=gpu)) for _ in range(MANY)]
    if len(set(found)) == MANY:
        raise CannotMake("there are more hardware queues than the suite asks for")
    return found


@proves("hsa_amd_counted_queue_acquire/handles-differ", fresh=True, examples=FEW)
def no_two_calls_give_the_same_queue(scene: Scene) -> None:
    """No two calls give the same queue, even if they share a hardware queue."""
    found = [counted_queue(scene) for _ in range(MANY)]
    scene.require(len(set(found)) == MANY, "two calls give the same queue", found)


@proves("hsa_amd_counted_queue_acquire/new-up-to-limit", fresh=True, examples=FEW)
def hardware_queues_are_new_until_the_limit(scene: Scene) -> None:
    """Each counted queue gets a new hardware queue until there are as many as allowed."""
    found = _many(scene, some_gpu(scene).handle)
    limit = len(set(found))
    first = found[:limit]
    scene.require(len(set(first)) == limit, "one is shared before the limit is reached", found)


@proves("hsa_amd_counted_queue_acquire/shares-at-limit", fresh=True, examples=FEW)
def hardware_queues_are_shared_within_a_priority(scene: Scene) -> None:
    """At the limit a queue shares hardware with one of its priority, not of another."""
    gpu = some_gpu(scene).handle
    found = set(_many(scene, gpu))
    other = _hardware(scene, counted_queue(scene, priority=NORMAL + 1, agent=gpu))
    scene.require(other not in found, "queues of two priorities share hardware", other)


@proves("hsa_amd_counted_queue_acquire/least-used", fresh=True, examples=FEW)
def the_least_used_hardware_queue_is_shared(scene: Scene) -> None:
    """At the limit the least used hardware queue is shared: use counts differ by one at most."""
    found = _many(scene, some_gpu(scene).handle)
    counts = [found.count(hardware) for hardware in set(found)]
    scene.require(max(counts) - min(counts) <= 1, "hardware queues are not used evenly", counts)


@proves("hsa_amd_counted_queue_acquire/flags-ignored")
def the_flags_change_nothing(scene: Scene) -> None:
    """A counted queue is acquired whatever the flags are."""
    answer = scene.call(
        ACQUIRE,
        agent=some_gpu(scene).handle,
        type=MULTI,
        priority=NORMAL,
        callback=0,
        data=0,
        flags=scene.draw(drawing.integers(0, 2**64 - 1)),
        queue=Out(),
    )
    scene.require_status(answer, SUCCESS)


@proves("hsa_amd_counted_queue_release/count-falls", fresh=True, examples=FEW)
def one_user_fewer_is_counted(scene: Scene) -> None:
    """Releasing one of two queues that share a hardware queue lowers its use count by one."""
    gpu = some_gpu(scene).handle
    queues = [counted_queue(scene, agent=gpu) for _ in range(MANY)]
    users = {queue: _hardware(scene, queue) for queue in queues}
    first = queues[0]
    others = [q for q in queues[1:] if users[q] == users[first]]
    if not others:
        raise CannotMake("no two queues share hardware")
    before = _users(scene, others[0])
    scene.set_up(RELEASE, queue=first)
    found = _users(scene, others[0])
    scene.require(found == before - 1, f"there were {before} users", found)


@proves("hsa_amd_counted_queue_release/hardware-stays", fresh=True, examples=FEW)
def the_hardware_queue_serves_later_calls(scene: Scene) -> None:
    """After releases, later calls use the old hardware queues and no new one."""
    gpu = some_gpu(scene).handle
    queues = [counted_queue(scene, agent=gpu) for _ in range(MANY)]
    before = {_hardware(scene, queue) for queue in queues}
    if len(before) == MANY:
        raise CannotMake("there are more hardware queues than the suite asks for")
    for queue in queues:
        scene.set_up(RELEASE, queue=queue)
    found = _hardware(scene, counted_queue(scene, agent=gpu))
    scene.require(found in before, "another hardware queue came", found)
