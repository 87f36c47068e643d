"""Queues that share hardware queues once there are as many of these as are allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.queues.generators import ACQUIRE, NORMAL, counted_queue
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.init.fixtures import discover
from hsa_conformance.topics.core.queues.generators import MULTI
from hsa_conformance.topics.shared.attributes import number

proves = Proofs()

INFO: Final = "hsa_amd_queue_get_info"
RELEASE: Final = "hsa_amd_counted_queue_release"
#: Says how many hardware queues there are for each priority.
LIMIT: Final = "GPU_MAX_HW_QUEUES"

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
    _require_sharing(found)
    return found


def _require_sharing(hardware: Collection[int]) -> None:
    """Go on only if many queues share hardware queues.

    Raises:
        CannotMake: each has its own.

    """
    if len(set(hardware)) == MANY:
        raise CannotMake("there are more hardware queues than the suite asks for")


@proves("hsa_amd_counted_queue_acquire/handles-differ", fresh=True, examples=FEW)
def no_two_calls_give_the_same_queue(scene: Scene) -> None:
    """No two calls for one GPU give the same queue, even if they share a hardware queue."""
    gpu = some_gpu(scene).handle
    found = [counted_queue(scene, agent=gpu) for _ in range(MANY)]
    scene.require(len(set(found)) == MANY, "two calls give the same queue", found)


@proves(
    "hsa_amd_counted_queue_acquire/new-up-to-limit", initialised=False, fresh=True, examples=FEW
)
def hardware_queues_are_new_until_the_limit(scene: Scene) -> None:
    """Each counted queue gets a new hardware queue until there are as many as are allowed.

    How many are allowed says GPU_MAX_HW_QUEUES, which is set before the runtime is initialised;
    where that cannot be, there are allowed as many as there are in the end.
    """
    limit = scene.each("limit", {str(most): most for most in (2, 3, 1)})
    known = scene.session.set_variable(LIMIT, str(limit))
    scene.set_up("hsa_init")
    discover(scene)
    found = _many(scene, some_gpu(scene).handle)
    if not known:
        limit = len(set(found))
    first = set(found[:limit])
    scene.require(len(first) == limit, f"one is shared before there are {limit}", found)
    scene.require(first.issuperset(found), f"there are more than {limit}", found)


@proves("hsa_amd_counted_queue_acquire/shares-at-limit", fresh=True, examples=FEW)
def hardware_queues_are_shared_within_a_priority(scene: Scene) -> None:
    """At the limit a queue shares hardware with one of its priority, not of another.

    One of another priority is there before, and another one comes after.
    """
    gpu = some_gpu(scene).handle
    before = _hardware(scene, counted_queue(scene, priority=NORMAL + 1, agent=gpu))
    found = set(_many(scene, gpu))
    after = _hardware(scene, counted_queue(scene, priority=NORMAL + 1, agent=gpu))
    for other in (before, after):
        scene.require(other not in found, "queues of two priorities share hardware", other)


@proves("hsa_amd_counted_queue_acquire/least-used", fresh=True, examples=FEW)
def the_least_used_hardware_queue_is_shared(scene: Scene) -> None:
    """At the limit the least used hardware queue is shared: use counts differ by one at most.

    When queues of one hardware queue are released, those that come next share that one.
    """
    gpu = some_gpu(scene).handle
    queues = [counted_queue(scene, agent=gpu) for _ in range(MANY)]
    of = {queue: _hardware(scene, queue) for queue in queues}
    counts = Counter(of.values())
    _require_sharing(counts)
    fewest = min(counts.values())
    scene.require(
        max(counts.values()) - fewest <= 1,
        "hardware queues are not used evenly",
        sorted(counts.values()),
    )
    left = scene.choose([hardware for hardware in counts if counts[hardware] == fewest])
    # One stays, so that the hardware queue is in use all the time.
    released = [queue for queue in queues if of[queue] == left][1:3]
    if len(counts) == 1 or not released:
        raise CannotMake("too few or too many hardware queues are there for one to be used less")
    for queue in released:
        scene.set_up(RELEASE, queue=queue)
    for _ in released:
        found = _hardware(scene, counted_queue(scene, agent=gpu))
        scene.require(found == left, f"the hardware queue is not {left}, the least used", found)


@proves("hsa_amd_counted_queue_acquire/flags-ignored", fresh=True, examples=FEW)
def the_flags_change_nothing(scene: Scene) -> None:
    """A counted queue is acquired whatever the flags are.

    At the limit it shares a hardware queue with those without flags.
    """
    gpu = some_gpu(scene).handle
    before = scene.draw(drawing.integers(0, MANY))
    plain = [_hardware(scene, counted_queue(scene, agent=gpu)) for _ in range(before)]
    answer = scene.call(
        ACQUIRE,
        agent=gpu,
        type=MULTI,
        priority=NORMAL,
        callback=0,
        data=0,
        flags=scene.draw(drawing.integers(0, 2**64 - 1)),
        queue=Out(),
    )
    scene.require_status(answer, SUCCESS)
    if len(set(plain)) < before:
        found = _hardware(scene, answer["queue"])
        scene.require(found in plain, "flags lead to another hardware queue", found)


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
    _require_sharing(before)
    for queue in queues:
        scene.set_up(RELEASE, queue=queue)
    after = [_hardware(scene, counted_queue(scene, agent=gpu)) for _ in range(MANY)]
    scene.require(before.issuperset(after), "another hardware queue came", after)
