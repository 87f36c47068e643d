"""Histories of what several threads do to one index of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.queues.properties import indices
from hsa_conformance.topics.shared.histories import (
    CALLS,
    Change,
    drawn_lanes,
    histories,
    require_order,
)
from hsa_conformance.topics.shared.queues import index

proves = Proofs()

_LOADS: Final = {which: indices.loads(which) for which in ("read", "write")}


def _raised(old: int, operands: Mapping[str, int]) -> int:
    return operands["value"] if old == operands["expected"] else old


_CHANGES: Final[Mapping[str, Change]] = {
    **{name: lambda old, _: old for names in _LOADS.values() for name in names},
    **{name: lambda old, operands: old + operands["value"] for name in indices.ADDITIONS},
    **dict.fromkeys(indices.EXCHANGES, _raised),
    **{name: lambda _, operands: operands["value"] for name in indices.STORES},
}
#: Of several threads at one time only these change an index: a store is for one alone.
_SHARED: Final = (*indices.ADDITIONS, *indices.EXCHANGES, *_LOADS["write"])


@proves.each(_SHARED, "threads", examples=0.1, once=True, chance=True)
def some_order_explains_what_threads_do_to_a_write_index(scene: Scene) -> None:
    """Two threads add to a write index and exchange it: some order explains what they get."""
    others = [name for name in _SHARED if scene.session.offers(name)]
    for _ in histories(scene):
        queue = queues.any_queue(scene, queues.MULTI).handle

        def make(name: str, queue: int = queue) -> Task:
            if name in _LOADS["write"]:
                return name, {"queue": queue}
            more = scene.draw(drawing.integers(1, 3))
            if name in indices.ADDITIONS:
                return name, {"queue": queue, "value": more}
            expected = scene.draw(drawing.integers(0, 12))
            return name, {"queue": queue, "expected": expected, "value": expected + more}

        lanes = drawn_lanes(scene, make, scene.clause.function, others)
        require_order(scene, lanes, _CHANGES, 0, partial(index, scene, queue, "write"))


@proves.each((*indices.STORES, *_LOADS["read"]), "threads", examples=0.1, once=True, chance=True)
def threads_load_what_another_has_stored(scene: Scene) -> None:
    """One thread stores an index, and another loads it: some order explains what they get."""
    function = scene.clause.function
    which = "read" if "_read_" in function else "write"
    stores = [name for name in indices.STORES if f"_{which}_" in name]
    for _ in histories(scene):
        made = queues.any_queue(scene) if which == "write" else queues.soft_queue(scene)
        queue = made.handle
        store = function if function in stores else scene.one_of(stores)
        load = function if function not in stores else scene.one_of(_LOADS[which])
        numbers = sorted(
            scene.draw(drawing.lists(drawing.integers(1, 1 << 40), min_size=CALLS, max_size=CALLS))
        )
        writer: list[Task] = [(store, {"queue": queue, "value": number}) for number in numbers]
        reader: list[Task] = [(load, {"queue": queue})] * len(numbers)
        lanes = [writer, reader]
        require_order(scene, lanes, _CHANGES, 0, partial(index, scene, queue, which))
