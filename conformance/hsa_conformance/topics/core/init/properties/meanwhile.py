"""What threads call while another one waits for a signal, as any program has it."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.clean_up import giving_back
from hsa_conformance.engine.outcomes import Blocked
from hsa_conformance.topics.core.init.living import living
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

    Then it sends the signal, and the wait ends with the value that was sent.
    """
    equal = scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"]
    kinds = {name: make for name, make in living(scene).items() if name not in _APART}
    make = scene.each("object", kinds)
    wait = scene.clause.function
    watched = signal(scene, 0)
    value = scene.draw(st.integers(1, 9))
    met = {"condition": equal, "compare_value": value}
    scene.session.start(wait, waiting(scene, watched, met, FOREVER))
    before = list(giving_back(scene.session))
    try:
        make()
    except Blocked as blocked:
        if blocked.end is None:
            raise
        raise blocked.end from None  # it may be the wait that keeps it from coming back
    for function, given in giving_back(scene.session):
        if (function, given) not in before:
            answer = scene.session.call_with(function, given)
            scene.require(answer.ok, f"{function} fails while a thread waits", answer.name)
    scene.call("hsa_signal_store_screlease", signal=watched, value=value)
    found = scene.session.join().status
    scene.require(found == value, f"{wait} does not return the value that was sent", found)
