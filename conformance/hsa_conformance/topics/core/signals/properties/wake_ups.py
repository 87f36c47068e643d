"""Waits whose conditions are met at every moment: before they begin, as they begin, and later."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.core.signals.generators import VALUES, signal
from hsa_conformance.topics.core.signals.properties.operations import functions
from hsa_conformance.topics.core.signals.properties.waits import (
    FOREVER,
    drawn,
    met_by_change,
    waiting,
)
from hsa_conformance.topics.shared.histories import histories

proves = Proofs()

#: Signals of a history, each of which is waited for once.
SIGNALS: Final = 12
#: The most calls that the other thread makes before a store: some microseconds.
LATEST: Final = 24


@proves.each(functions("wait"), "returns-at-once", examples=0.1, once=True, chance=True)
def a_wait_ends_whenever_its_condition_is_met(scene: Scene) -> None:
    """A thread waits for one signal after another, and each wait ends, whenever another stores.

    The other thread stores into the same signals in the same order, each time after as many calls
    as are drawn. A condition that is met stays met.
    """
    function, load = scene.clause.function, scene.one_of([*functions("load")])
    for _ in histories(scene):
        waits: list[Task] = []
        stores: list[Task] = []
        for place in range(SIGNALS):
            old, new = scene.draw(drawing.lists(VALUES, min_size=2, max_size=2, unique=True))
            handle = signal(scene, old)
            condition = drawn(scene, met_by_change(old, new))
            waits.append((function, waiting(scene, handle, condition, FOREVER)))
            # Also where all that is drawn is as simple as can be, the moments differ.
            later = (scene.draw(drawing.integers(0, LATEST)) + 2 * place) % (LATEST + 1)
            stores += [(load, {"signal": handle})] * later
            stores.append(("hsa_signal_store_screlease", {"signal": handle, "value": new}))
        scene.session.together([stores, waits])
        scene.has_ended()
