"""Additions to one write index from two threads at once.

Both threads add again and again as fast as they can, each a number of its own: an addition that
reads and writes in two steps loses what came between, even where a processor takes the two steps
in one instruction. Or one thread does, and the other one adds a few times a number that the first
would never reach, and notes what each addition returns.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from hsa_adapters.calls import Repeat
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.queues.properties.indices import ADDITIONS
from hsa_conformance.topics.shared.fast_threads import fast_threads
from hsa_conformance.topics.shared.losses import Loss, loss_beside_others, require_no_loss
from hsa_conformance.topics.shared.queues import index

proves = Proofs()

#: Additions of the fast thread, at most: far more than it has time for.
FAST: Final = 1 << 30
#: Additions of the other thread, each of that many packets, with a pause before it.
SLOW: Final = 31
FAR: Final = 1 << 59
GAP: Final = 0.0003
#: How often two threads meet, each time on another queue.
ROUNDS: Final = 4
#: By how much the second thread adds where both are fast.
OTHER: Final = 1 << 32


@contextmanager
def _one_queue(scene: Scene) -> Iterator[tuple[int, int]]:
    """Give a queue and its write index, which it gets back: an agent has one cooperative queue."""
    queue = queues.shared_queue(scene).handle
    first = index(scene, queue, "write")
    yield queue, first
    scene.set_up("hsa_queue_store_write_index_screlease", queue=queue, value=first)


@proves.each(ADDITIONS, "atomic", examples=0.1, once=True)
def additions_of_two_threads_all_take_effect(scene: Scene) -> None:
    """Two threads add to a write index: each gets results of its own, and no addition is lost."""
    own = scene.clause.function
    for _ in range(ROUNDS // 2):
        require_no_loss(scene, _loss(scene, own, own))


@proves.each(ADDITIONS, "atomic", examples=0.1, once=True)
def other_additions_beside_it_take_effect(scene: Scene) -> None:
    """Another thread adds with another function: nothing is lost, or that one loses some as well.

    A function is at fault that loses additions beside most others, if these lose none among
    themselves.
    """
    own = scene.clause.function
    lost = loss_beside_others(scene, own, ADDITIONS, partial(_loss, scene), ROUNDS // 2)
    require_no_loss(scene, lost)


def _loss(scene: Scene, slow: str, fast: str) -> Loss | None:
    """Let two threads add to a write index; return what is lost, None if nothing is."""
    with _one_queue(scene) as (queue, first):
        scene.session.start(fast, {"queue": queue, "value": 1}, Repeat(FAST, 1))
        results = []
        for _ in range(SLOW):
            time.sleep(GAP)
            answer = scene.call(slow, queue=queue, value=FAR)
            results.append((answer.status - first) % 2**64)
        made = scene.session.join().status
        found = index(scene, queue, "write") % 2**64
    wanted = (first + made * (made + 1) // 2 + SLOW * FAR) % 2**64
    parts = [result // FAR for result in results]
    if found != wanted:
        words = f"after {made} calls of {fast} in one thread and {SLOW} of {slow} in another"
        return Loss(f"{words} the index is {found:#x} instead of {wanted:#x}", f"{found:#x}")
    if parts != list(range(SLOW)):
        return Loss("two additions have the same result", f"{parts}")
    return None


@proves.each(ADDITIONS, "atomic", examples=0.1, once=True)
def additions_of_two_fast_threads_all_take_effect(scene: Scene) -> None:
    """Two threads add to a write index as fast as they can: no addition is lost."""
    with _one_queue(scene) as (queue, first):
        arguments = [{"queue": queue, "value": value} for value in (1, OTHER)]
        for made in fast_threads(scene, scene.clause.function, arguments):
            found, wanted = index(scene, queue, "write"), first + made * (1 + OTHER)
            scene.require(
                (found - wanted) % 2**64 == 0,
                f"after {made} additions in each of two threads the index is {found % 2**64:#x} "
                f"instead of {wanted % 2**64:#x}",
                f"{found % 2**64:#x}",
            )
