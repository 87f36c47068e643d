"""Copies of a process that fork makes, and the process that they are made of."""

from __future__ import annotations

from typing import Final

from hsa_adapters.ends import End
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.session.clean_up import giving_back
from hsa_conformance.topics.core.init.fixtures import pass_through, require_orderly, require_start
from hsa_conformance.topics.core.init.live_objects import living
from hsa_conformance.topics.shared.signals import PATIENCE

proves = Proofs()

#: Fewer examples than usual: each kind of object is tried with what has to be tried.
FEW: Final = 0.1
#: How a copy ends that calls nothing.
WAYS: Final = {"exit": "exit", "_exit": "leave", "SIGKILL": "kill"}


@proves("runtime/copies-end", fresh=True, examples=FEW)
def a_copy_that_calls_nothing_ends(scene: Scene) -> None:
    """A copy made by fork while something lives, which calls nothing, ends by exit or by _exit."""
    scene.session.need_own_process()
    scene.each("object", living(scene))()
    way = scene.each("end", {name: way for name, way in WAYS.items() if way != "kill"})
    require_orderly(scene, _copy(scene, way), "the copy")


@proves("runtime/original-goes-on", fresh=True, examples=FEW)
def a_process_goes_on_after_the_end_of_its_copy(scene: Scene) -> None:
    """After the end of a copy made by fork, what lived can be given back, and made again.

    The copy calls nothing. A wait that was under way ends when its condition is met.
    """
    scene.session.need_own_process()
    make = scene.each("object", living(scene))
    make()
    _copy(scene, scene.each("end", WAYS))
    waiting = scene.session.under_way
    if waiting is not None:
        handle = waiting.numbers["signal"]
        scene.call("hsa_signal_store_screlease", signal=handle, value=1)
        scene.session.join()
    for function, given in giving_back(scene.session):
        answer = scene.session.call_with(function, given)
        scene.require(answer.ok, f"{function} fails after the end of a copy", answer.name)
    make()
    scene.has_ended()  # nothing takes some things back, such as a handler


@proves("runtime/copies-begin", initialised=False, fresh=True, examples=FEW)
def a_copy_has_a_runtime_of_its_own(scene: Scene) -> None:
    """A copy made by fork while the runtime is not initialised starts one, and ends it.

    Afterwards the process that it was made of can start its own.
    """
    scene.session.need_own_process()
    started = pass_through(scene)
    times = scene.choose([1, 2])
    copy = _copy(scene, "exit", *["hsa_init"] * times, *["hsa_shut_down"] * times)
    require_orderly(scene, copy, "the copy")
    failed = [answer for answer in copy.answers if answer]
    if failed and not started:
        scene.set_up("hsa_init")  # where no process can start it, the copy says nothing
    scene.require(not failed, "a call fails in the copy", copy.answers)
    require_start(scene)


def _copy(scene: Scene, way: str, *calls: str) -> End:
    return scene.session.copy(calls, way, PATIENCE)
