"""Signals with attributes, handlers of signals, and waits for several signals."""

from hsa_conformance.topics.amd.signals.properties import (
    calls_during_handlers,
    creating,
    handlers,
    interruption,
    serial,
    waiting,
)

PROOFS = tuple(
    module.proves
    for module in (
        creating,
        handlers,
        interruption,
        calls_during_handlers,
        serial,
        waiting,
    )
)
