"""Properties of signals that another process attaches to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.ipc.generators import (
    attach_signal,
    known_signal,
    name_of_signal,
    peer_of,
    shareable_signal,
)
from hsa_conformance.topics.core.signals.generators import VALUES
from hsa_conformance.topics.core.signals.properties.waits import FOREVER
from hsa_conformance.topics.shared.signals import interrupt, wrapped

proves = Proofs()

ATTACH: Final = "hsa_amd_ipc_signal_attach"
CREATE: Final = "hsa_amd_ipc_signal_create"


def _owner(scene: Scene) -> Scene:
    return Scene(scene.session.initialised_peer(), scene.draw, scene.clause)


def _require_value(scene: Scene, where: Scene, signal: int, wanted: int) -> None:
    found = where.session.call("hsa_signal_load_scacquire", signal=signal).status
    scene.require(
        wrapped(found) == wrapped(wanted),
        f"{wanted}, stored in one process, is not what the other loads",
        found,
    )


def _store(where: Scene, signal: int, value: int) -> None:
    where.session.call("hsa_signal_store_screlease", signal=signal, value=value)


def _require_one_value(scene: Scene, sides: list[tuple[Scene, int]]) -> None:
    """Demand that what any of the sides stores is loaded on all of them."""
    for _ in range(scene.draw(drawing.integers(1, 3))):
        value = scene.draw(VALUES)
        _store(*scene.choose(sides), value)
        for where, signal in sides:
            _require_value(scene, where, signal, value)


@proves("hsa_amd_ipc_signal_create/attachable")
def other_processes_attach_to_a_signal(scene: Scene) -> None:
    """Another process attaches to a signal by its name while other signals come and go."""
    owner = _owner(scene)
    shareable_signal(owner)
    shared = shareable_signal(owner)
    name = known_signal(scene.session, name_of_signal(owner, shared))
    for _ in range(scene.draw(drawing.integers(0, 2))):
        other = shareable_signal(owner)
        if scene.draw(drawing.booleans()):
            owner.set_up("hsa_signal_destroy", signal=other)
    scene.require_status(scene.call(ATTACH, handle=name, signal=Out()), SUCCESS)


@proves("hsa_amd_ipc_signal_create/may-repeat")
def a_signal_gets_a_name_as_often_as_asked_for(scene: Scene) -> None:
    """A signal is named several times, and each name leads to that signal."""
    owner = _owner(scene)
    shared = shareable_signal(owner)
    names = []
    for _ in range(scene.draw(drawing.integers(2, 4))):
        answer = owner.call(CREATE, signal=shared, handle=Out())
        scene.require_status(answer, SUCCESS)
        names.append(answer.outputs["handle"] or b"")
        name_of_signal(owner, shareable_signal(owner))
    for name in scene.shuffled(names[::-1]):
        attached = attach_signal(scene, known_signal(scene.session, name))
        _require_one_value(scene, [(owner, shared), (scene, attached)])
        # Whether it can be attached several times at once, another clause says.
        scene.set_up("hsa_signal_destroy", signal=attached)


@proves("hsa_amd_ipc_signal_attach/same-value")
def both_processes_see_one_value(scene: Scene) -> None:
    """Of an attached signal, each process loads what the other one stored, before or after."""
    owner = _owner(scene)
    value = scene.draw(VALUES)
    shared = shareable_signal(owner, value)
    attached = attach_signal(scene, known_signal(scene.session, name_of_signal(owner, shared)))
    _require_value(scene, scene, attached, value)
    _require_one_value(scene, [(owner, shared), (scene, attached)])


@proves("hsa_amd_ipc_signal_attach/same-value", examples=0.3)
def an_interrupted_wait_sees_what_the_other_process_stores(scene: Scene) -> None:
    """A wait for an attached signal, whose thread handles signals of the system, ends with a store.

    The other process stores what meets the condition. The wait may return before, as any may.
    """
    owner = _owner(scene)
    shared = shareable_signal(owner)
    attached = attach_signal(scene, known_signal(scene.session, name_of_signal(owner, shared)))
    arguments = {"signal": attached, "condition": 0, "compare_value": 1}
    waiting = {**arguments, "timeout_hint": FOREVER, "wait_state_hint": scene.choose([0, 1])}
    scene.session.start("hsa_signal_wait_scacquire", waiting)
    interrupt(scene)
    _store(owner, shared, 1)
    found = scene.session.join().status
    scene.require(found in (0, 1), "the value is none that the signal had", found)


@proves("hsa_amd_ipc_signal_attach/counted")
def a_signal_stays_until_it_was_destroyed_as_often_as_it_was_attached(scene: Scene) -> None:
    """A signal attached several times can be used until it is destroyed as often.

    Each attach may give the same handle or another.
    """
    owner = _owner(scene)
    shared = shareable_signal(owner)
    name = known_signal(scene.session, name_of_signal(owner, shared))
    given = [attach_signal(scene, name)]
    for _ in range(scene.draw(drawing.integers(1, 2))):
        answer = scene.call(ATTACH, handle=name, signal=Out())
        scene.require_status(answer, SUCCESS)
        given.append(answer["signal"])
    while given:
        gone = given.pop(scene.draw(drawing.integers(0, len(given) - 1)))
        answer = scene.call("hsa_signal_destroy", signal=gone)
        scene.require_status(answer, SUCCESS)
        if given:
            _require_one_value(scene, [(owner, shared), *((scene, left) for left in given)])


@proves("hsa_amd_signal_async_handler/shared-signals", examples=0.5)
def a_shared_signal_can_be_watched(scene: Scene) -> None:
    """A handler is registered for a signal that processes share, and answers SUCCESS."""
    kinds: dict[str, Callable[[Scene], int]] = {"made to be shared": shareable_signal}
    if scene.session.offers("hsa_amd_ipc_signal_attach"):
        kinds["attached"] = _attached
    answer = scene.call(
        "hsa_amd_signal_async_handler",
        signal=scene.each("signal", kinds)(scene),
        cond=scene.draw(drawing.integers(0, 3)),
        value=scene.draw(drawing.integers(-1, 1)),
        handler=Callback("hsa_amd_signal_handler", (0,)),
        arg=0,
    )
    scene.require_status(answer, SUCCESS)


def _attached(scene: Scene) -> int:
    peer = peer_of(scene)
    name = name_of_signal(peer, shareable_signal(peer))
    return attach_signal(scene, known_signal(scene.session, name))
