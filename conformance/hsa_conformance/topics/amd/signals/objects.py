"""Objects that live while something else happens: a handler of a signal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.core.signals.generators import signal

HANDLER: Final = "hsa_amd_signal_handler"


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    yield ObjectKind("handler", lambda: _handler(f), ("hsa_amd_signal_async_handler",))


def _handler(f: Fixtures) -> None:
    """Create a signal with a handler that waits for it."""
    f.session.set_up(
        "hsa_amd_signal_async_handler",
        signal=signal(f),
        cond=0,
        value=1,
        handler=Callback(HANDLER, (0,)),
        arg=0,
    )
