"""Queues: what a new one is like, its ring, its packets, its services, and its errors."""

from hsa_conformance.topics.core.queues.properties import (
    atomicity,
    creation,
    errors,
    histories,
    indices,
    kernels,
    packets,
    reuse,
    ring,
    services,
    soft_queues,
)

PROOFS = tuple(
    module.proves
    for module in (
        atomicity,
        creation,
        errors,
        histories,
        indices,
        kernels,
        reuse,
        packets,
        ring,
        services,
        soft_queues,
    )
)
