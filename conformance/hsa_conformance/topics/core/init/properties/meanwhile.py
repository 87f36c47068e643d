"""What threads call while another one waits for a signal, or is in a handler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hsa_adapters.calls import Callback
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import A_HANG, Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.clean_up import giving_back
from hsa_conformance.topics.amd.signals.properties.creating import HANDLER
from hsa_conformance.topics.core.init.living import living
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.core.signals.properties.waits import FOREVER, waiting
from hsa_conformance.topics.shared.signals import LET_GO, invocations
from hsa_reports.demands import Survives

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
    make = _kind(scene)
    wait = scene.clause.function
    watched = signal(scene, 0)
    value = scene.draw(drawing.integers(1, 9))
    met = {"condition": equal, "compare_value": value}
    scene.session.start(wait, waiting(scene, watched, met, FOREVER))
    _make_and_give_back(scene, make, "while a thread waits")
    scene.call("hsa_signal_store_screlease", signal=watched, value=value)
    found = scene.session.join().status
    scene.require(found == value, f"{wait} does not return the value that was sent", found)


@proves("hsa_amd_signal_async_handler/others-go-on", fresh=True, examples=0.1)
def a_handler_that_runs_keeps_nobody_from_calling(scene: Scene) -> None:
    """While a handler of a signal runs, another thread makes something and gives it back.

    The handler is a long one: it ends only then.
    """
    make = _kind(scene)
    word, data = scene.session.place(bytes(8), "word"), scene.draw(drawing.integers(1, 2**64 - 1))
    scene.set_up(
        "hsa_amd_signal_async_handler",
        signal=signal(scene, 0),
        cond=scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"],
        value=0,
        handler=Callback(HANDLER, until=word),
        arg=data,
    )
    if not invocations(scene, data, 1):
        raise Blocked("hsa_amd_signal_async_handler/called-once-met", "no handler runs")
    try:
        _make_and_give_back(scene, make, "while a handler runs")
    except Ended as end:
        if end.kind != "HANG" or end.call is None:
            raise
        # It would come back after the handler, and only the handler's clause says that it must not.
        summary = f"{end.call.function} does not come back while a handler runs"
        scene.require(False, summary, A_HANG, Survives())
    scene.session.write(word, LET_GO)


def _kind(scene: Scene) -> Callable[[], object]:
    kinds = {name: make for name, make in living(scene).items() if name not in _APART}
    return scene.each("object", kinds)


def _make_and_give_back(scene: Scene, make: Callable[[], object], meanwhile: str) -> None:
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
