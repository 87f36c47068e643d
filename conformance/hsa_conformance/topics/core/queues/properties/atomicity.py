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
from typing import Final

from hsa_adapters.calls import Repeat
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.queues.properties.indices import ADDITIONS
from hsa_conformance.topics.shared.fast_threads import fast_threads
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


def _require_sum(scene: Scene, queue: int, first: int, added: int, words: str) -> None:
    """Require that a write index has grown by all that was added to it."""
    found, wanted = index(scene, queue, "write") % 2**64, (first + added) % 2**64
    summary = f"after {words} the index is {found:#x} instead of {wanted:#x}"
    scene.require(found == wanted, summary, f"{found:#x}")


@proves.each(ADDITIONS, "atomic", examples=0.1, once=True)
def additions_of_two_threads_all_take_effect(scene: Scene) -> None:
    """Two threads add to a write index: each gets results of its own, and no addition is lost."""
    for _ in range(ROUNDS):
        with _one_queue(scene) as (queue, first):
            _add_fast_and_slowly(scene, queue, first)


def _add_fast_and_slowly(scene: Scene, queue: int, first: int) -> None:
    # By itself: of two functions at one time nobody knows whose addition is lost.
    scene.session.start(scene.clause.function, {"queue": queue, "value": 1}, Repeat(FAST, 1))
    results = []
    for _ in range(SLOW):
        time.sleep(GAP)
        answer = scene.call(scene.clause.function, queue=queue, value=FAR)
        results.append((answer.status - first) % 2**64)
    made = scene.session.join().status
    added = made * (made + 1) // 2 + SLOW * FAR
    words = f"{made} additions in one thread and {SLOW} in another"
    _require_sum(scene, queue, first, added, words)
    parts = [result // FAR for result in results]
    scene.require(parts == list(range(SLOW)), "two additions have the same result", parts)


@proves.each(ADDITIONS, "atomic", examples=0.1, once=True)
def additions_of_two_fast_threads_all_take_effect(scene: Scene) -> None:
    """Two threads add to a write index as fast as they can: no addition is lost."""
    with _one_queue(scene) as (queue, first):
        arguments = [{"queue": queue, "value": value} for value in (1, OTHER)]
        for made in fast_threads(scene, scene.clause.function, arguments):
            words = f"{made} additions in each of two threads"
            _require_sum(scene, queue, first, made + made * OTHER, words)
