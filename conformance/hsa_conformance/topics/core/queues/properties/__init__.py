"""Queues: what a new one is like, its indices, its packets, and what is told of its errors."""

from hsa_conformance.topics.core.queues.properties import (
    atomicity,
    creation,
    errors,
    indices,
    packets,
    soft,
)

PROOFS = tuple(
    module.proves
    for module in (
        atomicity,
        creation,
        errors,
        indices,
        packets,
        soft,
    )
)
