"""Copies between agents that are waited for, but not for ever."""

from __future__ import annotations

from typing import Final

from hsa_conformance.checks.properties import Scene
from hsa_conformance.findings import Blocked
from hsa_conformance.strategies.builder import handle_array
from hsa_conformance.strategies.core.signals import signal
from hsa_conformance.suite.attributes import number

COPY: Final = "hsa_amd_memory_async_copy"

#: How long a copy may take, and how long one is looked at that must not begin, in seconds.
LONG: Final = 4.0
SHORT: Final = 0.02

#: What lies where: an address and the agent that it is for.
Place = tuple[int, int]


def start(scene: Scene, to: Place, of: Place, size: int, after: list[int] | None = None) -> int:
    """Begin a copy and return its completion signal, whose value is 1 until it is complete.

    Args:
        scene: the property's scene.
        to: the destination.
        of: the source.
        size: how many bytes.
        after: the signals that it has to wait for.

    Raises:
        Blocked: the copy is refused.

    """
    done = signal(scene, 1)
    scene.must(
        COPY,
        dst=to[0],
        dst_agent=to[1],
        src=of[0],
        src_agent=of[1],
        size=size,
        num_dep_signals=len(after or ()),
        dep_signals=handle_array(after) if after else 0,
        completion_signal=done,
    )
    return done


def copy(scene: Scene, to: Place, of: Place, size: int) -> None:
    """Copy bytes, for a property that is not about that; see `start`.

    Raises:
        Blocked: the copy is refused, or does not end well.

    """
    value = wait(scene, start(scene, to, of, size))
    if value != 0:
        raise Blocked(f"{COPY}/completion", f"a completion signal of {value}")


def wait(scene: Scene, of: int, below: int = 1, seconds: float = LONG) -> int:
    """Wait until the value of a signal is below a bound or the time is up, and return the value."""
    ticks = number(scene, "hsa_system_get_info", "HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY")
    constants = scene.session.registry.constants
    answer = scene.must(
        "hsa_signal_wait_scacquire",
        signal=of,
        condition=constants["HSA_SIGNAL_CONDITION_LT"],
        compare_value=below,
        timeout_hint=int(seconds * ticks),
        wait_state_hint=constants["HSA_WAIT_STATE_BLOCKED"],
    )
    return signed(answer.status)


def value(scene: Scene, of: int) -> int:
    """Return the value of a signal."""
    return signed(scene.must("hsa_signal_load_scacquire", signal=of).status)


def signed(word: int) -> int:
    """Return what 64 bits say as a signed number."""
    return word - (1 << 64) if word >> 63 else word
