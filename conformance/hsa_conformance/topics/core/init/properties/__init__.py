"""Initialisation: how often, what libraries of tools are handed, which GPUs are seen, and ends."""

from hsa_conformance.topics.core.init.properties import (
    calls_during_waits,
    copies,
    counts,
    ends,
    first_questions,
    limits,
    restarts,
    threads,
    tools,
    visible_devices,
)

PROOFS = tuple(
    module.proves
    for module in (
        copies,
        counts,
        ends,
        first_questions,
        limits,
        calls_during_waits,
        restarts,
        threads,
        tools,
        visible_devices,
    )
)
