"""The end of the other process of two that share something."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Scene

#: Fewer examples than usual: each takes two fresh processes.
FEW: Final = 0.2

_WAYS: Final = {"SIGKILL": "kill", "exit": "exit"}


def partner(scene: Scene) -> Scene:
    """Start and initialise a second process, and return a scene that plays there."""
    return Scene(scene.session.initialised_peer(), scene.draw, scene.clause)


def doomed_partner(scene: Scene) -> Scene:
    """Start and initialise a second process that can be ended; see `partner`.

    Raises:
        Unavailable: it would be no process of its own.

    """
    scene.session.need_own_process()
    return partner(scene)


def end_partner(scene: Scene) -> None:
    """End the second process at once, in one of the ways in which processes do."""
    scene.session.peer().end_by(scene.each("end", _WAYS))
