"""What threads call while another one is in a handler."""

from __future__ import annotations

from hsa_adapters.calls import Callback
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import A_HANG, Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.signals.objects import HANDLER
from hsa_conformance.topics.core.init.properties.calls_during_waits import (
    make_and_give_back,
    some_kind,
)
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.signals import LET_GO, invocations
from hsa_reports.demands import Survives

proves = Proofs()


@proves("hsa_amd_signal_async_handler/others-go-on", fresh=True, examples=0.1)
def a_handler_that_runs_keeps_nobody_from_calling(scene: Scene) -> None:
    """While a handler of a signal runs, another thread makes something and gives it back.

    The handler is a long one: it ends only then.
    """
    make = some_kind(scene)
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
        make_and_give_back(scene, make, "while a handler runs")
    except Ended as end:
        if end.kind != "HANG" or end.call is None:
            raise
        # It would come back after the handler, and only the handler's clause says that it must not.
        summary = f"{end.call.function} does not come back while a handler runs"
        scene.require(False, summary, A_HANG, Survives())
    scene.session.write(word, LET_GO)
