"""Initialisation: how often, what libraries of tools are handed, which GPUs are seen, and ends."""

from hsa_conformance.topics.core.init.properties import (
    copies,
    counts,
    ends,
    first_questions,
    limits,
    meanwhile,
    restarts,
    threads,
    tools,
    visible,
)

PROOFS = tuple(
    module.proves
    for module in (
        copies,
        counts,
        ends,
        first_questions,
        limits,
        meanwhile,
        restarts,
        threads,
        tools,
        visible,
    )
)
