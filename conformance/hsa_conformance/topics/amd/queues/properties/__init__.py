"""Queues of AMD's GPUs: their compute units, attributes, engines, and hardware."""

from hsa_conformance.topics.amd.queues.properties import (
    attributes,
    counted_queues,
    creating,
    intercepting,
    masks,
)

PROOFS = tuple(
    module.proves
    for module in (
        attributes,
        counted_queues,
        creating,
        intercepting,
        masks,
    )
)
