"""Signals with attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.signals.generators import VALUES, signal

GPU_ONLY: Final = 1
IPC: Final = 2


def signal_with(fixtures: Fixtures, attributes: int, initial: int = 0) -> int:
    """Create a signal with attributes, and return its handle."""
    answer = fixtures.session.set_up(
        "hsa_amd_signal_create",
        initial_value=initial,
        num_consumers=0,
        consumers=0,
        attributes=attributes,
        signal=Out(),
    )
    return answer["signal"]


def _with_attributes(b: Builder, x: str) -> None:
    attributes = b.choose([GPU_ONLY, IPC, GPU_ONLY | IPC])
    b.values[x] = signal_with(b, attributes, b.draw(VALUES))


def _without_attributes(b: Builder, x: str) -> None:
    b.values[x] = signal(b, b.draw(VALUES))


GENERATORS: Mapping[str, Generators] = {
    "signal_has_attributes": Generators(_with_attributes, _without_attributes)
}
