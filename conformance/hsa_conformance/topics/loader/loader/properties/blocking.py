"""What waits while a traversal of executables goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.amd.signals.generators import GPU_ONLY, signal_with
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.loader.loader.listing import OF_EXECUTABLES
from hsa_conformance.topics.shared.signals import MOMENT, invocations, ticks
from hsa_reports import Verdict

proves = Proofs()

#: What gives the address of the value of a signal, at which a callback can look.
_POINTER: Final = "hsa_amd_signal_value_pointer"


@proves("hsa_ven_amd_loader_iterate_executables/others-wait", fresh=True, examples=0.3)
def executables_are_made_and_destroyed_after_the_traversal(scene: Scene) -> None:
    """While the callback of a traversal runs, a thread creates or destroys an executable.

    Another thread lets the callback answer a moment later: the call has not come back by then.
    """
    if reason := scene.session.process.no_barrier:
        raise Unavailable(Verdict.UNTESTED, reason)
    if not scene.session.offers(_POINTER):
        raise Unsuitable("no thread can let a callback answer")
    doomed = executables.executable(scene)
    function, values = scene.each("call", _changes(scene, doomed))
    release, never = signal_with(scene, GPU_ONLY), signal(scene, 0)
    until = scene.set_up(_POINTER, signal=release, value_ptr=Out())["value_ptr"]
    data = scene.draw(drawing.integers(1, 2**64 - 1))
    callback = Callback("hsa_ven_amd_loader_executable_callback", until=until)
    scene.session.start(OF_EXECUTABLES, {"callback": callback, "data": data})
    if not invocations(scene, data, 1):
        raise Blocked(f"{OF_EXECUTABLES}/each-once", "the callback is not called")
    events = scene.session.together(
        [[(function, values)], _let_answer(scene, release, never)],
    )
    called = {event.answer.function.name: event for event in events}
    change, store = called[function], called["hsa_signal_store_screlease"]
    scene.session.join()
    scene.session.remember(change.answer)
    scene.require_status(change.answer, SUCCESS)
    scene.require(
        change.ended >= store.began,
        f"{function} comes back during a traversal of executables",
        f"{(store.began - change.ended) / 1e6:.1f} ms before the callback may answer",
    )


def _changes(scene: Scene, doomed: int) -> dict[str, Task]:
    """Return the calls that wait, by what reports call them."""
    out: dict[str, Value] = {"executable": Out()}
    offered: Mapping[str, Task] = {
        "destroy": ("hsa_executable_destroy", {"executable": doomed}),
        "create": ("hsa_executable_create", {**executables.OLD_BLANK, "profile": 0, **out}),
        "create_alt": ("hsa_executable_create_alt", {**executables.BLANK, "profile": 0, **out}),
    }
    return {name: task for name, task in offered.items() if scene.session.offers(task[0])}


def _let_answer(scene: Scene, release: int, never: int) -> list[Task]:
    """Return what a thread calls that lets a callback answer after a moment."""
    constants = scene.session.registry.constants
    wait = {
        "signal": never,
        "condition": constants["HSA_SIGNAL_CONDITION_NE"],
        "compare_value": 0,
        "timeout_hint": ticks(scene, MOMENT),
        "wait_state_hint": constants["HSA_WAIT_STATE_BLOCKED"],
    }
    return [
        ("hsa_signal_wait_scacquire", wait),
        ("hsa_signal_store_screlease", {"signal": release, "value": 1}),
    ]
