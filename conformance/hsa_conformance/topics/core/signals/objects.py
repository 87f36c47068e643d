"""Objects that live while something else happens: signals, groups, and a wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.core.signals.generators import group, signal

_NO_TIMEOUT: Final = (1 << 64) - 1


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    yield ObjectKind("signal", lambda: signal(f), ("hsa_signal_create",))
    yield ObjectKind("group", lambda: group(f, [signal(f)]), ("hsa_signal_group_create",))
    yield ObjectKind("wait", lambda: _wait(f), ("hsa_signal_create", "hsa_signal_wait_scacquire"))


def _wait(f: Fixtures) -> None:
    """Let a thread wait for a signal that nobody sets."""
    arguments = {"signal": signal(f), "condition": 0, "compare_value": 1}
    waiting = {**arguments, "timeout_hint": _NO_TIMEOUT, "wait_state_hint": 0}
    f.session.start("hsa_signal_wait_scacquire", waiting)
