"""Signals: their values, waits for them, several threads at once, and groups."""

from hsa_conformance.topics.core.signals.properties import (
    buffering,
    concurrent,
    creating,
    groups,
    histories,
    interruption,
    long_waits,
    orders,
    threads,
    values,
    waits,
    wake_ups,
)

PROOFS = tuple(
    module.proves
    for module in (
        buffering,
        concurrent,
        creating,
        groups,
        histories,
        interruption,
        long_waits,
        orders,
        threads,
        values,
        waits,
        wake_ups,
    )
)
