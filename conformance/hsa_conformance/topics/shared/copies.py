"""Copies between agents that are waited for, but not for ever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared import signals
from hsa_conformance.topics.shared.memory import require_contents
from hsa_conformance.topics.shared.signals import MOMENT, PATIENCE

COPY: Final = "hsa_amd_memory_async_copy"

#: What lies where: an address and the agent that it is for.
Place = tuple[int, int]

#: Signals that a barrier packet depends on at most (hsa.h, hsa_barrier_and_packet_t.dep_signal).
_IN_PACKET: Final = 5


def linear(to: Place, of: Place, size: int) -> dict[str, Value]:
    """Return the arguments that say what is copied and where.

    Args:
        to: the destination.
        of: the source.
        size: how many bytes.

    """
    return {
        "dst": to[0],
        "dst_agent": to[1],
        "src": of[0],
        "src_agent": of[1],
        "size": size,
    }


def waiting(after: Sequence[int]) -> dict[str, Value]:
    """Return the arguments that name the signals to wait for."""
    return {
        "num_dep_signals": len(after),
        "dep_signals": handle_array(after) if after else 0,
    }


def copy(scene: Scene, to: Place, of: Place, size: int) -> None:
    """Copy bytes, for a property that is not about that; see `linear`.

    Raises:
        Blocked: the copy is refused, or does not end well.

    """
    done = signal(scene, 1)
    scene.set_up(COPY, **linear(to, of, size), **waiting(()), completion_signal=done)
    left = wait(scene, done)
    if left != 0:
        raise Blocked(f"{COPY}/completion", f"a completion signal of {left}")


def wait(scene: Scene, of: int, below: int = 1, seconds: float | None = None) -> int:
    """Wait until a signal is below a bound, and return its value.

    Args:
        scene: the property's scene.
        of: the signal.
        below: the bound.
        seconds: how long to wait for what must not come; None: until patience is over.

    """
    if seconds is None:
        return signals.awaited(scene, of, "LT", below)
    return signals.wait(scene, of, "LT", below, signals.ticks(scene, seconds))


def dependencies(scene: Scene) -> tuple[int, ...]:
    """Create signals that something is to wait for, none of which is 0.

    There are no more than fit into a barrier packet.
    """
    initial = drawing.integers(-3, 3).filter(bool)
    count = scene.elements("dependencies", most=_IN_PACKET)
    return tuple(signal(scene, scene.draw(initial)) for _ in range(count))


def require_waits(
    scene: Scene,
    done: int,
    after: Sequence[int],
    noun: str = "copy",
    untouched: tuple[int, bytes] | None = None,
) -> None:
    """Demand that something begins when all signals that it waits for are 0, and not before.

    Args:
        scene: the property's scene.
        done: its completion signal, whose value is 1.
        after: the signals, none of which is 0.
        noun: what it is.
        untouched: where it will write, and what is there as yet, if it writes anywhere.

    """
    for dependency in after:
        early = wait(scene, done, seconds=MOMENT)
        scene.require(early == 1, f"the {noun} is complete before all its signals were 0", early)
        if untouched is not None:
            address, old = untouched
            summary = f"the {noun} began before all its signals were 0"
            require_contents(scene, address, old, summary)
        signals.store(scene, dependency, 0)
    late = wait(scene, done)
    scene.require(
        late == 0, f"the {noun} is not complete {PATIENCE:g} s after all its signals were 0", late
    )


def completion(scene: Scene, initial: int) -> int:
    """Return a signal that is to be counted down, where there is another one already."""
    signal(scene, initial)
    return signal(scene, initial)


def require_counted_down(scene: Scene, done: int, initial: int) -> None:
    """Demand that a completion signal goes down by one."""
    wait(scene, done, below=initial)
    left = signals.value(scene, done)
    scene.require(
        left == initial - 1, f"the completion signal did not go from {initial} down by one", left
    )
