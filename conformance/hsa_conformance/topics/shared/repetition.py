"""Work that is done many times, as long as the time of a long run lasts."""

from __future__ import annotations

import time
from collections.abc import Callable

from hsa_adapters import interrupts
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.fixtures import CannotMake


def repeated(scene: Scene, rounds: int, work: Callable[[], None]) -> None:
    """Do a piece of work so many times; the trace has the first.

    Args:
        scene: the process in which it is done.
        rounds: how many times; fewer would show nothing.
        work: one round, which gives back what it makes.

    Raises:
        CannotMake: the time of the run does not suffice.

    """
    end = time.monotonic() + scene.session.length
    work()
    for done in range(1, rounds):
        interrupts.checkpoint()
        if time.monotonic() > end:
            raise CannotMake(f"there was time for {done} of {rounds} rounds: give --for more")
        with scene.session.apart():
            work()
