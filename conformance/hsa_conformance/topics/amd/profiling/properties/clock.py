"""The clock of the system, which all times are on."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Scene


def now(scene: Scene) -> int:
    """Return the time, in ticks."""
    return _asked(scene, "HSA_SYSTEM_INFO_TIMESTAMP")


def frequency(scene: Scene) -> int:
    """Return how many ticks a second has."""
    return _asked(scene, "HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY")


def _asked(scene: Scene, name: str) -> int:
    attribute = scene.session.registry.constants[name]
    return scene.set_up("hsa_system_get_info", attribute=attribute, value=Out()).number("value")
