"""Signals as they come from hsa_signal_create."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.signals.generators import VALUES, signal
from hsa_conformance.topics.core.signals.properties.values import load, require_value
from hsa_conformance.topics.core.signals.properties.waits import FOREVER

proves = Proofs()

CREATE = "hsa_signal_create"


def host_and_others(scene: Scene) -> list[int]:
    """Return agents for a list of consumers: the host's, which waits later, and maybe more."""
    host = [agent.handle for agent in known_agents(scene, "cpu")]
    others = [agent.handle for agent in known_agents(scene) if agent.device != "cpu"]
    return [*host, *others[: scene.draw(drawing.integers(0, len(others)))]]


def require_end_of_wait(scene: Scene, handle: int, value: int) -> None:
    """Demand that a wait for the value that a signal has ends with it."""
    answer = scene.call(
        "hsa_signal_wait_scacquire",
        signal=handle,
        condition=scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"],
        compare_value=value,
        timeout_hint=FOREVER,
        wait_state_hint=scene.session.registry.constants["HSA_WAIT_STATE_BLOCKED"],
    )
    require_value(scene, answer, value)


@proves("hsa_signal_create/initial-value")
def the_value_is_the_initial_one(scene: Scene) -> None:
    """A new signal has its initial value, whoever is listed as a consumer."""
    value = scene.draw(VALUES)
    consumers = scene.choose([[], host_and_others(scene)])
    answer = scene.set_up(
        CREATE,
        initial_value=value,
        num_consumers=len(consumers),
        consumers=handle_array(consumers) if consumers else 0,
        signal=Out(),
    )
    require_value(scene, load(scene, answer["signal"]), value)


@proves("signal/handle-zero-reserved")
def no_signal_has_the_handle_zero(scene: Scene) -> None:
    """No new signal has the handle 0, however many there are and whatever their values."""
    made = [signal(scene, scene.draw(VALUES)) for _ in range(scene.draw(drawing.integers(1, 12)))]
    scene.require(0 not in made, "a signal has the handle 0", made)


@proves("hsa_signal_create/distinct")
def each_call_gives_a_signal_of_its_own(scene: Scene) -> None:
    """Signals have handles of their own, and a store into one does not show in another."""
    initial = scene.draw(VALUES)
    handles = [signal(scene, initial) for _ in range(scene.draw(drawing.integers(2, 12)))]
    scene.require(len(set(handles)) == len(handles), "two signals share a handle", handles)
    written = scene.choose(handles)
    value = scene.draw(VALUES.filter(initial.__ne__))
    scene.call("hsa_signal_store_screlease", signal=written, value=value)
    for handle in handles:
        require_value(scene, load(scene, handle), value if handle == written else initial)


@proves("hsa_signal_create/consumers-only-hint")
def without_consumers_the_host_may_wait(scene: Scene) -> None:
    """The host's wait for a signal created without consumers ends with its value."""
    value = scene.draw(VALUES)
    require_end_of_wait(scene, signal(scene, value), value)


@proves("hsa_signal_create/consumers-copied")
def the_list_of_consumers_may_be_reused(scene: Scene) -> None:
    """A signal works, and waits for it end, after its list of consumers is overwritten."""
    session, value = scene.session, scene.draw(VALUES)
    consumers = host_and_others(scene)
    place = session.lay_out(handle_array(consumers))
    answer = scene.set_up(
        CREATE, initial_value=value, num_consumers=len(consumers), consumers=place, signal=Out()
    )
    handle = answer["signal"]
    session.write(place, scene.choose([b"\0", b"\xa5"]) * 8 * len(consumers))
    following = scene.draw(VALUES)
    scene.call("hsa_signal_store_screlease", signal=handle, value=following)
    require_end_of_wait(scene, handle, following)
