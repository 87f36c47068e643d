"""Signals with attributes, handlers of signals, and waits for several signals."""

from hsa_conformance.topics.amd.signals.properties import (
    creating,
    handlers,
    interrupted,
    meanwhile,
    serial,
    waiting,
)

PROOFS = tuple(
    module.proves
    for module in (
        creating,
        handlers,
        interrupted,
        meanwhile,
        serial,
        waiting,
    )
)
