"""The reference count of the runtime."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import NOT_INITIALIZED
from hsa_conformance.topics.core.init.fixtures import end, require_start
from hsa_conformance.topics.core.init.live_objects import living
from hsa_reports import Verdict

proves = Proofs()


_QUERY: Final = "hsa_system_get_info"


def _question(scene: Scene) -> dict[str, Value]:
    attribute = scene.session.registry.constants["HSA_SYSTEM_INFO_VERSION_MAJOR"]
    return {"attribute": attribute, "value": Out()}


def _start(scene: Scene, count: int) -> None:
    """Initialise the runtime several times; a query that never works says nothing about that."""
    for _ in range(count):
        scene.set_up("hsa_init")
        scene.set_up(_QUERY, **_question(scene))


def _require_usable(scene: Scene, when: str) -> None:
    answer = scene.call(_QUERY, **_question(scene))
    scene.require(answer.ok, f"the runtime is not usable {when}", answer.name)


@proves("hsa_init/counted", initialised=False, fresh=True)
def usable_until_shut_down_as_often_as_initialised(scene: Scene) -> None:
    """After several hsa_init a query works before each hsa_shut_down, the last one included."""
    count = scene.draw(drawing.integers(1, 5))
    _start(scene, count)
    for done in range(count):
        _require_usable(scene, f"after {count} hsa_init and {done} hsa_shut_down")
        scene.set_up("hsa_shut_down")


@proves("hsa_init/starts-again", initialised=False, fresh=True)
def starts_again_after_the_last_shut_down(scene: Scene) -> None:
    """After the last hsa_shut_down, hsa_init succeeds and the runtime can be used again.

    Calls of hsa_shut_down that are refused in between count for nothing.
    """
    _start(scene, scene.draw(drawing.integers(1, 2)))
    for _ in range(scene.draw(drawing.integers(1, 3))):
        end(scene)
        for _ in range(scene.draw(drawing.integers(0, 2))):
            scene.call("hsa_shut_down")
        require_start(scene)
        _require_usable(scene, "after it was started again")


@proves("hsa_init/starts-again", fresh=True)
def starts_again_with_what_lived_before(scene: Scene) -> None:
    """After hsa_shut_down with an object that still lived, hsa_init succeeds.

    No call is under way then: what comes of a wait beyond the end is not defined.
    """
    kinds = living(scene)
    scene.each("object", {name: kinds[name] for name in kinds if name not in ("nothing", "wait")})()
    answer = scene.call("hsa_shut_down")
    if not answer.ok:
        raise Blocked("hsa_shut_down/success", answer.name)
    require_start(scene)
    _require_usable(scene, "after it was started again")


@proves("hsa_init/failure-leaves-uninitialized", initialised=False, fresh=True)
def a_failed_start_counts_for_nothing(scene: Scene) -> None:
    """After failed calls of hsa_init, hsa_shut_down answers NOT_INITIALIZED."""
    for _ in range(scene.draw(drawing.integers(1, 3))):
        if scene.call("hsa_init").ok:
            raise Unavailable(Verdict.NOT_APPLICABLE, "hsa_init does not fail here")
    scene.require_status(scene.call("hsa_shut_down"), NOT_INITIALIZED)


@proves("hsa_shut_down/counted", initialised=False, fresh=True)
def shuts_down_as_often_as_it_was_initialised(scene: Scene) -> None:
    """hsa_shut_down finds something to shut down as often as hsa_init has succeeded.

    Once it is shut down, further calls are refused, and count for nothing after the next start.
    """
    _shut_down_all(scene)


@proves("hsa_shut_down/last-one-ends", initialised=False, fresh=True)
def ends_with_as_many_shut_downs_as_initialisations(scene: Scene) -> None:
    """After as many hsa_shut_down as hsa_init, the next answers NOT_INITIALIZED."""
    _shut_down_all(scene)
    scene.require_status(scene.call("hsa_shut_down"), NOT_INITIALIZED)


def _shut_down_all(scene: Scene) -> None:
    """Initialise the runtime several times, and shut it down as often; perhaps do so once more."""
    for _ in range(scene.draw(drawing.integers(0, 1))):
        scene.set_up("hsa_init")
        scene.set_up("hsa_shut_down")
        for _ in range(scene.draw(drawing.integers(0, 2))):
            scene.call("hsa_shut_down")
    count = scene.draw(drawing.integers(1, 5))
    for _ in range(count):
        scene.set_up("hsa_init")
    for done in range(count):
        answer = scene.call("hsa_shut_down")
        scene.require(
            answer.name != NOT_INITIALIZED,
            f"{count} hsa_init and {done} hsa_shut_down leave nothing to shut down",
            answer.name,
        )
        if not answer.ok:
            raise Blocked("hsa_shut_down/success", answer.name)


@proves("runtime/of-one-process", initialised=False, fresh=True)
def each_process_counts_for_itself(scene: Scene) -> None:
    """What one process initialises and shuts down changes nothing in another one.

    The other is not initialised before it says so; once it has shut down, the first can still be
    used, and is shut down as often as it was initialised.
    """
    count, other = scene.draw(drawing.integers(1, 3)), scene.draw(drawing.integers(0, 2))
    _start(scene, count)
    peer = scene.session.peer()
    scene.require_status(peer.call("hsa_shut_down"), NOT_INITIALIZED)
    for _ in range(other):
        peer.set_up("hsa_init")
    for _ in range(other):
        peer.set_up("hsa_shut_down")
    scene.require_status(peer.call("hsa_shut_down"), NOT_INITIALIZED)
    for done in range(count):
        _require_usable(scene, f"after {other} hsa_init elsewhere, and {done} hsa_shut_down here")
        scene.set_up("hsa_shut_down")
    scene.require_status(scene.call("hsa_shut_down"), NOT_INITIALIZED)
