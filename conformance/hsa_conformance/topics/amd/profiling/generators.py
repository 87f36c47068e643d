"""Signals of copies whose times were recorded."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.engine.outcomes import Unavailable
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.device_copies import copied, device_room, host_room
from hsa_reports import Verdict


def profile_copies(fixtures: Fixtures, *, enable: bool = True) -> None:
    """Have the times of copies recorded, or stop it."""
    fixtures.session.set_up("hsa_amd_profiling_async_copy_enable", enable=int(enable))


def profiled_copy(fixtures: Fixtures, done: int | None = None) -> int:
    """Let a GPU copy while times are recorded, and return the signal.

    Args:
        fixtures: where to copy.
        done: the signal; None for a new one.

    """
    source, target = host_room(fixtures), device_room(fixtures, fixtures.session.model.page_size)
    profile_copies(fixtures)
    finished = copied(fixtures, target, source, fixtures.session.model.page_size, done)
    fixtures.session.model.add("profiled_copy", finished, thing=finished)
    return finished


def _profiled(b: Builder, x: str) -> None:
    if b.function.name == "hsa_amd_profiling_get_dispatch_time":
        raise Unavailable(Verdict.UNTESTED, "the suite has no kernel to dispatch")
    b.values[x] = profiled_copy(b)


def _not_profiled(b: Builder, x: str) -> None:
    b.values[x] = signal(b)


GENERATORS: Mapping[str, Generators] = {"was_profiled": Generators(_profiled, _not_profiled)}
