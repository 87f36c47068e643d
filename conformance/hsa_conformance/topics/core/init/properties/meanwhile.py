"""What threads call while another one waits for a signal, as any program has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis import strategies as st

from hsa_conformance.engine.calls import Value
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.outcomes import Blocked
from hsa_conformance.engine.together import Task
from hsa_conformance.topics.core.init.living import living
from hsa_conformance.topics.core.signals.generators import signal

proves = Proofs()

#: How a thread may wait for a signal.
WAITS: Final = tuple(f"hsa_signal_wait_{order}" for order in ("relaxed", "scacquire", "acquire"))
#: What needs the thread for itself, or has many kinds of its own, or is nothing.
_APART: Final = {"nothing", "wait", "image"}
_FOREVER: Final = (1 << 64) - 1


@proves.each(WAITS, "threads", examples=0.1)
def a_thread_that_waits_keeps_nobody_from_calling(scene: Scene) -> None:
    """While a thread waits for a signal, another makes something and gives it back.

    Then it sends the signal, and the wait ends with the value that was sent.
    """
    kinds = {name: make for name, make in living(scene).items() if name not in _APART}
    make = scene.each("object", kinds)
    wait = scene.clause.function
    watched = signal(scene, 0)
    value = scene.draw(st.integers(1, 9))
    arguments: Mapping[str, Value] = {"signal": watched, "condition": 0, "compare_value": value}
    hints = {"timeout_hint": _FOREVER, "wait_state_hint": scene.draw(st.integers(0, 1))}
    scene.session.start(wait, {**arguments, **hints})
    before = _owed(scene)
    try:
        make()
    except Blocked as blocked:
        if blocked.end is None:
            raise
        raise blocked.end from None  # it may be the wait that keeps it from coming back
    for function, given in _owed(scene):
        if (function, given) not in before:
            answer = scene.session.call_with(function, given)
            scene.require(answer.ok, f"{function} fails while a thread waits", answer.name)
    scene.call("hsa_signal_store_screlease", signal=watched, value=value)
    found = scene.session.join().status
    scene.require(found == value, f"{wait} does not return the value that was sent", found)


def _owed(scene: Scene) -> list[Task]:
    """Return the calls that give back what there is."""
    session = scene.session
    return [
        (r.function, called) for r in session.rules.clean_up for called in r.calls(session.model)
    ]
