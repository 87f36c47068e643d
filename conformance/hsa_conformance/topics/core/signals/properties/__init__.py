"""Signals: their values, waits for them, several threads at once, and groups."""

from hsa_conformance.topics.core.signals.properties import creating, groups, threads, values, waits

PROOFS = tuple(
    module.proves
    for module in (
        creating,
        groups,
        threads,
        values,
        waits,
    )
)
