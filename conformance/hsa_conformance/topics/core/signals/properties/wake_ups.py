"""Waits whose conditions are met at every moment: before they begin, as they begin, and later."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.core.signals.generators import VALUES, signal
from hsa_conformance.topics.core.signals.properties.operations import functions
from hsa_conformance.topics.core.signals.properties.waits import (
    BLOCKED,
    FOREVER,
    drawn,
    met_by_change,
    waiting,
)
from hsa_conformance.topics.shared.histories import histories
from hsa_conformance.topics.shared.signals import ticks

proves = Proofs()

#: Signals of a history, each of which is waited for once.
SIGNALS: Final = 12
#: The most calls that the other thread makes before a store: some microseconds.
LATEST: Final = 24

#: Seconds in which the threads of a relay begin to wait.
PAUSE: Final = 0.05
#: Waits of a relay, and how many signals there are for each.
RELAY: Final = (60, 20, 3, 2)
LIVING: Final = 3


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


@proves.each(functions("wait"), "returns-at-once", examples=0.1, once=True, chance=True)
def a_relay_of_waits_comes_to_its_end(scene: Scene) -> None:
    """Each of many threads waits for a signal of its own, and then stores into the next one's.

    So each wait has to end while all that come later in the relay are under way.
    """
    function = scene.clause.function
    count = scene.choose(RELAY)
    relay = scene.shuffled([signal(scene) for _ in range(LIVING * count)])[:count]
    stores: list[Task] = [
        ("hsa_signal_store_screlease", {"signal": handle, "value": 1}) for handle in relay
    ]
    waits: list[Task] = []
    for handle in relay:
        condition = drawn(scene, met_by_change(0, 1))
        values = waiting(scene, handle, condition, FOREVER)
        # So many threads that spin would keep one another from running.
        waits.append((function, {**values, "wait_state_hint": BLOCKED}))
    # The first store comes once the others wait, unless threads take longer to begin.
    unmet = {**waiting(scene, signal(scene), drawn(scene, met_by_change(0, 1)), 0)}
    pause: Task = (function, {**unmet, "timeout_hint": ticks(scene, PAUSE)})
    lanes = [[wait, store] for wait, store in zip(waits, stores[1:], strict=False)]
    scene.session.together([[pause, stores[0]], *lanes, waits[-1:]])
    scene.has_ended()
