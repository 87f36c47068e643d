"""What threads call while another one waits for a signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.clean_up import giving_back
from hsa_conformance.topics.core.init.live_objects import living
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.core.signals.properties.waits import FOREVER, waiting

proves = Proofs()

#: How a thread may wait for a signal.
WAITS: Final = tuple(f"hsa_signal_wait_{order}" for order in ("relaxed", "scacquire", "acquire"))
#: What needs the thread for itself, or has many kinds of its own, or is nothing.
_APART: Final = {"nothing", "wait", "image"}


@proves.each(WAITS, "threads", examples=0.1)
def a_thread_that_waits_keeps_nobody_from_calling(scene: Scene) -> None:
    """While a thread waits for a signal, another makes something and gives it back.

    Then it sends the signal, and the wait ends with the value that was sent. It may end before, as
    any wait may, with the value from before.
    """
    equal = scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"]
    make = some_kind(scene)
    wait = scene.clause.function
    watched = signal(scene, 0)
    value = scene.draw(drawing.integers(1, 9))
    met = {"condition": equal, "compare_value": value}
    scene.session.start(wait, waiting(scene, watched, met, FOREVER))
    make_and_give_back(scene, make, "while a thread waits")
    scene.call("hsa_signal_store_screlease", signal=watched, value=value)
    found = scene.session.join().status
    summary = f"{wait} returns neither the value that was sent nor the one before"
    scene.require(found in (0, value), summary, found)


def some_kind(scene: Scene) -> Callable[[], object]:
    """Choose what is to be made while another thread is busy."""
    kinds = {name: make for name, make in living(scene).items() if name not in _APART}
    return scene.each("object", kinds)


def make_and_give_back(scene: Scene, make: Callable[[], object], meanwhile: str) -> None:
    """Demand that something can be made and given back.

    Args:
        scene: where.
        make: makes it.
        meanwhile: when, in words, such as "while a thread waits".

    """
    before = list(giving_back(scene.session))
    try:
        make()
    except Blocked as blocked:
        if blocked.end is None:
            raise
        raise blocked.end from None  # the other thread may keep it from coming back
    for function, given in giving_back(scene.session):
        if (function, given) not in before:
            answer = scene.session.call_with(function, given)
            scene.require(answer.ok, f"{function} fails {meanwhile}", answer.name)
