"""What a signal with attributes is like, and where its value is."""

from __future__ import annotations

import time
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.signals.generators import GPU_ONLY, IPC, signal_with
from hsa_conformance.topics.amd.signals.objects import HANDLER
from hsa_conformance.topics.core.signals.generators import VALUES, signal
from hsa_conformance.topics.shared.signals import (
    FALLING_ASLEEP,
    PATIENCE,
    reaches,
    store,
    ticks,
    value,
    woken,
)

proves = Proofs()

_NAME: Final = 32  # bytes of a hsa_amd_ipc_signal_t


@proves("hsa_amd_signal_create/initial-value")
def a_new_signal_has_its_initial_value(scene: Scene) -> None:
    """A new signal has its initial value, whatever its attributes are."""
    initial = scene.draw(VALUES)
    found = value(scene, signal_with(scene, scene.choose([0, GPU_ONLY, IPC]), initial))
    scene.require(found == initial, f"a new signal does not have the value {initial}", found)


@proves("hsa_amd_signal_create/ipc")
def a_signal_for_sharing_gets_a_name(scene: Scene) -> None:
    """A signal with the IPC attribute, alone or with another, can be named for sharing."""
    made = signal_with(scene, scene.choose([IPC, IPC | GPU_ONLY]), scene.draw(VALUES))
    answer = scene.call("hsa_amd_ipc_signal_create", signal=made, handle=Out())
    scene.require_status(answer, SUCCESS)


@proves("hsa_amd_signal_create/no-attributes")
def without_attributes_it_is_an_ordinary_signal(scene: Scene) -> None:
    """A signal without attributes answers like one from hsa_signal_create.

    Asked is what depends on the attributes.
    """
    made, ordinary = signal_with(scene, 0), signal(scene)

    def answers(subject: int) -> tuple[str, str, str]:
        return (
            scene.call("hsa_amd_signal_value_pointer", signal=subject, value_ptr=Out()).name,
            scene.call("hsa_amd_ipc_signal_create", signal=subject, handle=Out()).name,
            scene.call(
                "hsa_amd_signal_async_handler",
                signal=subject,
                cond=scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"],
                value=0,
                handler=Callback(HANDLER),
                arg=0,
            ).name,
        )

    found, wanted = answers(made), answers(ordinary)
    scene.require(
        found == wanted,
        f"a signal of hsa_signal_create answers {', '.join(wanted)}",
        ", ".join(found),
    )


@proves("hsa_amd_signal_create/ipc-any-process", examples=0.3, fresh=True)
def another_process_reads_writes_and_waits(scene: Scene) -> None:
    """Another process attaches to an IPC signal, loads, stores and waits; both see each value.

    It waits before the value that it waits for is stored.
    """
    first, second, third = (scene.draw(VALUES) for _ in range(3))
    here = signal_with(scene, IPC, first)
    name = scene.set_up("hsa_amd_ipc_signal_create", signal=here, handle=Out())
    other = Scene(scene.session.initialised_peer(), scene.draw, scene.clause)
    content = name.outputs["handle"] or bytes(_NAME)
    answer = other.call(
        "hsa_amd_ipc_signal_attach",
        handle=other.session.place(content, "the name of the signal"),
        signal=Out(),
    )
    scene.require(answer.ok, "another process cannot attach to the signal", answer.name)
    there = answer["signal"]
    found = value(other, there)
    scene.require(found == first, f"another process does not read {first}", found)
    store(other, there, second)
    scene.require(
        reaches(scene, here, second),
        f"the process does not read {second}, which another one stored",
        value(scene, here),
    )
    constants = scene.session.registry.constants
    waiting = {
        "signal": there,
        "condition": constants["HSA_SIGNAL_CONDITION_EQ"],
        "compare_value": third,
        "timeout_hint": ticks(other, PATIENCE),
        "wait_state_hint": constants["HSA_WAIT_STATE_BLOCKED"],
    }
    other.session.start("hsa_signal_wait_scacquire", waiting)
    time.sleep(FALLING_ASLEEP)
    store(scene, here, third)
    waited = woken(other, there, "EQ", third)
    scene.require(waited == third, f"another process waits for {third} in vain", waited)


def _value_at(scene: Scene, address: int) -> int:
    content = scene.session.read(address, 8)
    scene.require(content is not None, "the address of the value cannot be read", "no access")
    return int.from_bytes(content or b"", "little", signed=True)


def _pointer(scene: Scene, subject: int) -> int:
    return scene.set_up("hsa_amd_signal_value_pointer", signal=subject, value_ptr=Out())[
        "value_ptr"
    ]


@proves("hsa_amd_signal_value_pointer/points-at-value")
def what_is_stored_is_read_at_the_address(scene: Scene) -> None:
    """The address of a signal's value holds its first value and each one stored later."""
    current = scene.draw(VALUES)
    subject = signal_with(scene, scene.choose([GPU_ONLY, IPC]), current)
    address = _pointer(scene, subject)
    found = _value_at(scene, address)
    scene.require(found == current, f"the address does not hold the first value {current}", found)
    for wanted in scene.draw(drawing.lists(VALUES, min_size=1, max_size=3)):
        scene.set_up("hsa_signal_store_relaxed", signal=subject, value=wanted)
        found = _value_at(scene, address)
        scene.require(found == wanted, f"the address does not hold {wanted}", found)


@proves("hsa_amd_signal_value_pointer/lifetime")
def the_address_stays_good(scene: Scene) -> None:
    """A signal's value stays at one address while other signals come and go."""
    wanted = scene.draw(VALUES)
    subject = signal_with(scene, scene.choose([GPU_ONLY, IPC]))
    address = _pointer(scene, subject)
    others = [signal_with(scene, GPU_ONLY) for _ in range(scene.draw(drawing.integers(0, 3)))]
    for other in others:
        _pointer(scene, other)
        scene.set_up("hsa_signal_destroy", signal=other)
    again = _pointer(scene, subject)
    scene.require(again == address, "the value of the signal has moved", f"{again:#x}")
    store(scene, subject, wanted)
    found = _value_at(scene, address)
    scene.require(found == wanted, f"the address does not hold {wanted} any more", found)
