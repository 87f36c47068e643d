"""What becomes of packets, above all of barriers, which every device takes that has queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared import kernels
from hsa_conformance.topics.shared.queues import (
    BARRIER_AND,
    BARRIER_BIT,
    BARRIER_OR,
    PACKET,
    barrier,
    barrier_value,
    layout,
    submit,
)
from hsa_conformance.topics.shared.signals import reaches, stays, store, value

proves = Proofs()

#: Nothing is learnt by waiting more often than this for what must not happen.
FEW: Final = 0.5

CONDITIONS: Final[dict[int, Callable[[int, int], bool]]] = {
    0: lambda found, wanted: found == wanted,
    1: lambda found, wanted: found != wanted,
    2: lambda found, wanted: found < wanted,
    3: lambda found, wanted: found >= wanted,
}


def _require_complete(scene: Scene, completion: int, what: str, least: int = 0) -> None:
    done = reaches(scene, completion, least)
    scene.require(done, f"{what} did not complete", f"completion signal {value(scene, completion)}")


def _require_pending(scene: Scene, completion: int, what: str) -> None:
    pending = stays(scene, completion, 1)
    scene.require(pending, f"{what} completed", f"completion signal {value(scene, completion)}")


def _any_packet(scene: Scene, completion: int, bits: int = 0) -> tuple[int | None, bytes]:
    """Return a packet that completes a signal at once, and whose queue it is for, if it matters.

    It is a barrier, or dispatches a kernel that does nothing, where kernels run.
    """
    kinds = ["barrier"]
    if scene.session.runs_kernels and kernels.agents(scene, "nothing"):
        kinds.append("dispatch")
    if scene.each("packet", {kind: kind for kind in kinds}) == "barrier":
        return None, barrier(completion=completion, bits=bits)
    kernel = kernels.loaded(scene, "nothing")
    return kernel.agent, kernels.packet(kernel, completion=completion, bits=bits)


def _among(scene: Scene, signals: list[int]) -> list[int]:
    """Put a list of up to five signals among handles that are 0."""
    padded = [*signals, *[0] * (5 - len(signals))]
    return scene.shuffled(padded)


@proves("hsa_queue_create/completion-decrements")
def the_completion_signal_goes_down_by_one(scene: Scene) -> None:
    """Each packet that completes takes its completion signal down by one, from any value."""
    first, packets = scene.draw(drawing.integers(-3, 5)), scene.draw(drawing.integers(1, 3))
    completion = signal(scene, first)
    agent, packet = _any_packet(scene, completion)
    queue = queues.queue(scene, slots=packets, agent=agent).handle
    submit(scene, queue, *[packet] * packets)
    wanted = first - packets
    done = reaches(scene, completion, wanted) and stays(scene, completion, wanted)
    found = value(scene, completion)
    scene.require(done, f"the signal did not go from {first} to {wanted}", found)


@proves("hsa_queue_create/completion-none")
def a_packet_needs_no_completion_signal(scene: Scene) -> None:
    """A packet without a completion signal is processed, and changes no signal."""
    bystander, completion = signal(scene, 0), signal(scene, 1)
    queue = queues.queue(scene, slots=2).handle
    submit(scene, queue, barrier([bystander]), barrier(completion=completion))
    _require_complete(scene, completion, "the packet after one without a completion signal")
    found = value(scene, bystander)
    scene.require(found == 0, "a packet without completion signal changed a signal", found)


@proves("hsa_queue_create/barrier-delays", examples=FEW)
def a_packet_waits_for_the_barrier_before_it(scene: Scene) -> None:
    """A packet after a barrier that waits completes only after it, with the barrier bit or not."""
    _require_after_a_barrier(scene, BARRIER_BIT if scene.draw(drawing.booleans()) else 0)


@proves("hsa_queue_create/barrier-bit", examples=FEW)
def a_packet_with_the_barrier_bit_waits_for_those_before_it(scene: Scene) -> None:
    """A packet with the barrier bit after a kernel that waits completes only after it.

    Where no such kernel runs, it comes after a barrier that waits, which shows less: such a barrier
    holds up packets without the bit, too.
    """
    if not (scene.session.runs_kernels and kernels.agents(scene, "wait")):
        _require_after_a_barrier(scene, BARRIER_BIT)
        return
    gate, completion = kernels.words(scene, 0, 0), signal(scene, 1)
    quick, held = kernels.several(scene, "nothing", "wait")
    kinds = {
        "barrier": barrier(completion=completion, bits=BARRIER_BIT),
        "dispatch": kernels.packet(quick, completion=completion, bits=BARRIER_BIT),
    }
    second = scene.each("packet", kinds)
    queue = queues.queue(scene, slots=2, agent=held.agent).handle
    place = kernels.arguments(scene, gate, gate + 8, 1)
    submit(scene, queue, kernels.packet(held, place), second)
    _require_pending(scene, completion, "a packet with the barrier bit after a kernel that waits")
    kernels.set_word(scene, gate)
    _require_complete(scene, completion, "a packet after a kernel that completed")


def _require_after_a_barrier(scene: Scene, bits: int) -> None:
    """Demand that a packet with these bits completes only after a barrier before it."""
    gate, completion = signal(scene, 1), signal(scene, 1)
    agent, second = _any_packet(scene, completion, bits)
    queue = queues.queue(scene, slots=2, agent=agent).handle
    submit(scene, queue, barrier([gate]), second)
    _require_pending(scene, completion, "a packet after a barrier that waits")
    store(scene, gate, 0)
    _require_complete(scene, completion, "a packet after a barrier that completed")


@proves("hsa_queue_create/barrier-and", examples=FEW)
def a_barrier_and_waits_for_all_of_its_signals(scene: Scene) -> None:
    """A barrier-AND packet completes once all its signals are 0, and not before."""
    gates = [
        signal(scene, scene.choose([1, -1, 7])) for _ in range(scene.draw(drawing.integers(1, 5)))
    ]
    completion = signal(scene, 1)
    queue = queues.queue(scene).handle
    submit(scene, queue, barrier(gates, completion))
    *others, last = scene.shuffled(gates)
    for gate in others:
        store(scene, gate, 0)
    _require_pending(scene, completion, "a barrier with a signal that is not 0")
    store(scene, last, 0)
    _require_complete(scene, completion, "a barrier all of whose signals are 0")


@proves("hsa_queue_create/barrier-and-none")
def signal_zero_counts_as_satisfied(scene: Scene) -> None:
    """In a barrier-AND packet the signal 0 counts as satisfied, alone and beside others."""
    done = [signal(scene, 0) for _ in range(scene.draw(drawing.integers(0, 4)))]
    completion = signal(scene, 1)
    queue = queues.queue(scene).handle
    submit(scene, queue, barrier(_among(scene, done), completion))
    _require_complete(scene, completion, "a barrier with nothing left to wait for")


@proves("hsa_queue_create/barrier-or", examples=FEW)
def a_barrier_or_waits_for_one_of_its_signals(scene: Scene) -> None:
    """A barrier-OR packet completes once one of its signals is 0, and not before."""
    gates = [signal(scene, 1) for _ in range(scene.draw(drawing.integers(1, 5)))]
    completion = signal(scene, 1)
    queue = queues.queue(scene).handle
    submit(scene, queue, barrier(gates, completion, BARRIER_OR))
    _require_pending(scene, completion, "a barrier none of whose signals is 0")
    store(scene, scene.choose(gates), 0)
    _require_complete(scene, completion, "a barrier one of whose signals is 0")


@proves("hsa_queue_create/barrier-or-none", examples=FEW)
def signal_zero_does_not_satisfy_a_barrier_or(scene: Scene) -> None:
    """In a barrier-OR packet, the signal 0 beside signals that are not 0 does not count."""
    gates = [signal(scene, 1) for _ in range(scene.draw(drawing.integers(1, 4)))]
    completion = signal(scene, 1)
    queue = queues.queue(scene).handle
    submit(scene, queue, barrier(_among(scene, gates), completion, BARRIER_OR))
    _require_pending(scene, completion, "a barrier with no signal at 0")
    store(scene, scene.choose(gates), 0)
    _require_complete(scene, completion, "a barrier one of whose signals is 0")


@proves("hsa_queue_create/barrier-value", examples=FEW)
def a_barrier_value_waits_for_its_condition(scene: Scene) -> None:
    """A barrier-value packet holds up itself and the next until the masked value is as it says.

    Without a signal both complete at once.
    """
    completion, later = signal(scene, 1), signal(scene, 1)
    after = barrier(completion=later)
    queue = queues.queue(scene, slots=2).handle
    if scene.draw(drawing.booleans()):
        submit(scene, queue, barrier_value(0, 1, -1, 0, completion), after)
        _require_complete(scene, completion, "a barrier-value packet without a signal")
        _require_complete(scene, later, "the packet after one without a signal")
        return
    condition = scene.choose(sorted(CONDITIONS))
    wanted, mask = scene.draw(drawing.integers(1, 14)), scene.choose([0xF, -1])
    meets = {n: CONDITIONS[condition](n & mask, wanted) for n in (*range(16), 0x10, 0x1F)}
    unmet = scene.choose([n for n in meets if not meets[n]])
    gate = signal(scene, unmet)
    submit(scene, queue, barrier_value(gate, wanted, mask, condition, completion), after)
    _require_pending(scene, completion, f"a barrier-value packet with its signal at {unmet}")
    _require_pending(scene, later, f"the packet after one with its signal at {unmet}")
    met = scene.choose([n for n in meets if meets[n]])
    store(scene, gate, met)
    _require_complete(scene, completion, f"a barrier-value packet with its signal at {met}")
    _require_complete(scene, later, f"the packet after one with its signal at {met}")


@proves("hsa_queue_create/invalid-packet-waits", examples=FEW)
def nothing_passes_an_invalid_packet(scene: Scene) -> None:
    """A packet after an INVALID one is not processed until that slot is filled."""
    completion = signal(scene, 1)
    queue = queues.queue(scene, slots=2).handle
    ring = layout(scene, queue)
    scene.set_up("hsa_queue_add_write_index_screlease", queue=queue, value=1)  # left unfilled
    submit(scene, queue, barrier(completion=completion))
    _require_pending(scene, completion, "a packet behind an invalid one")
    scene.session.write(ring.base, barrier()[:PACKET])
    scene.set_up("hsa_signal_store_screlease", signal=ring.doorbell, value=1)
    _require_complete(scene, completion, "a packet behind one that became valid")


@proves("packet/fence-scopes")
def a_barrier_packet_takes_each_scope_of_its_fences(scene: Scene) -> None:
    """A barrier packet completes with each scope before it and each scope after it."""
    constants = scene.session.registry.constants
    scopes = {name: constants[f"HSA_FENCE_SCOPE_{name}"] for name in ("NONE", "AGENT", "SYSTEM")}
    before, after = scene.each("acquire", scopes), scene.each("release", scopes)
    places = [constants[f"HSA_PACKET_HEADER_{w}_FENCE_SCOPE"] for w in ("ACQUIRE", "RELEASE")]
    bits = before << places[0] | after << places[1]
    kind, completion = scene.choose([BARRIER_AND, BARRIER_OR]), signal(scene, 1)
    queue = queues.queue(scene).handle
    submit(scene, queue, barrier([signal(scene, 0)], completion, kind, bits))
    _require_complete(scene, completion, f"a packet with the fences {before} and {after}")


@proves("hsa_queue_inactivate/ignores-packets", examples=FEW)
def an_inactive_queue_processes_nothing(scene: Scene) -> None:
    """A packet written after the queue is made inactive does not complete."""
    completion = signal(scene, 1)
    queue = queues.queue(scene).handle
    scene.set_up("hsa_queue_inactivate", queue=queue)
    submit(scene, queue, barrier(completion=completion))
    _require_pending(scene, completion, "a packet of an inactive queue")


@proves("hsa_queue_inactivate/destroyable")
def an_inactive_queue_can_be_destroyed(scene: Scene) -> None:
    """An inactive queue can be destroyed, of an agent or of the application."""
    queue = queues.any_queue(scene).handle
    scene.set_up("hsa_queue_inactivate", queue=queue)
    scene.require_status(scene.call("hsa_queue_destroy", queue=queue), SUCCESS)
