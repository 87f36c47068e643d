"""Signals as properties of other topics use them: read, set, and waited for."""

from __future__ import annotations

import time
from typing import Final

from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.checks.properties import Scene
from hsa_conformance.engine.statuses import SUCCESS

#: Seconds after which something that has to come has not come.
PATIENCE: Final = 5.0
#: Seconds in which something that must not come would have come.
MOMENT: Final = 0.02
_STEP: Final = 0.001


def value(scene: Scene, signal: int) -> int:
    """Return the value of a signal."""
    return scene.set_up("hsa_signal_load_scacquire", signal=signal).status


def store(scene: Scene, signal: int, wanted: int) -> None:
    """Set a signal."""
    scene.set_up("hsa_signal_store_screlease", signal=signal, value=wanted)


def reaches(scene: Scene, signal: int, wanted: int) -> bool:
    """Return whether a signal gets a value before patience is over."""
    end = time.monotonic() + PATIENCE
    while value(scene, signal) != wanted:
        if time.monotonic() > end:
            return False
        time.sleep(_STEP)
    return True


def stays(scene: Scene, signal: int, wanted: int) -> bool:
    """Return whether a signal still has a value after a moment."""
    time.sleep(MOMENT)
    return value(scene, signal) == wanted


def invocations(scene: Scene, data: int, count: int) -> list[tuple[int, ...]]:
    """Return how callbacks were called with some data in this example.

    What another thread calls shows in the answer of whatever is called next.

    Args:
        scene: the property's scene.
        data: the last argument of the calls that are meant.
        count: how many to wait for, until patience is over.

    """
    end = time.monotonic() + PATIENCE
    success = scene.session.registry.constants[SUCCESS]
    while True:
        # Any call will do.
        scene.set_up("hsa_status_string", status=success, status_string=Out())
        found = [call for call in scene.session.heard if call[-1] == data]
        if len(found) >= count or time.monotonic() > end:
            return found
        time.sleep(_STEP)
