"""Waits whose thread handles signals of the operating system meanwhile.

A handler ends the sleep of its thread in the system, also one with SA_RESTART where the sleep has a
time. Whoever waits has to look again then: what a wait promises does not end with it.
"""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.core.signals.generators import VALUES, group, signal
from hsa_conformance.topics.core.signals.properties.groups import WAITS, waiting_for_any
from hsa_conformance.topics.core.signals.properties.operations import functions
from hsa_conformance.topics.core.signals.properties.waits import (
    FOREVER,
    drawn,
    met_by_change,
    waiting,
)
from hsa_conformance.topics.shared.signals import interrupt, store, wrapped

proves = Proofs()

#: Fewer examples than usual: each lasts as long as its interruptions.
FEW: Final = 0.3


@proves.each(functions("wait"), "returns-at-once", examples=FEW)
@proves.each(functions("wait"), "returns-meeting-value", examples=FEW)
def an_interrupted_wait_ends_once_its_condition_is_met(scene: Scene) -> None:
    """A wait whose thread handles signals of the system ends once a store meets its condition.

    It returns a value that the signal had. It may return before, as any wait may.
    """
    old, new = scene.draw(VALUES), scene.draw(VALUES)
    if old == new:
        raise CannotMake("nothing would change")
    handle = signal(scene, old)
    condition = drawn(scene, met_by_change(old, new))
    scene.session.start(scene.clause.function, waiting(scene, handle, condition, FOREVER))
    interrupt(scene)
    store(scene, handle, new)
    found = wrapped(scene.session.join().status)
    scene.require(found in (old, new), f"the value is neither {old} nor {new}", found)


@proves.each(WAITS, "names-the-signal", examples=FEW)
def an_interrupted_wait_for_a_group_names_a_signal_that_met_its_condition(scene: Scene) -> None:
    """A wait for a group whose thread handles signals of the system names the signal that is met.

    None of them meets its condition until one is stored, after the interruptions.
    """
    old, new = scene.draw(VALUES), scene.draw(VALUES)
    if old == new:
        raise CannotMake("nothing would change")
    handles = [signal(scene, old) for _ in range(2)]
    condition = drawn(scene, met_by_change(old, new))
    arguments = waiting_for_any(scene, group(scene, handles), [condition] * 2)
    met = handles[scene.position("met condition", 2)]
    scene.session.start(scene.clause.function, arguments)
    interrupt(scene)
    store(scene, met, new)
    answer = scene.session.join()
    scene.require(answer.ok, "the wait fails", answer.name)
    found = answer["signal"]
    summary = "the signal that is written did not meet its condition"
    scene.require(found == met, summary, f"{found:#x}")
