"""Properties of memory pools: what they are, blocks of them, and who may access these."""

from hsa_conformance.topics.amd.pools.properties import (
    access,
    attributes,
    available,
    blocks,
    other_topics,
    routes,
    traversal,
)

PROOFS = tuple(
    module.proves
    for module in (
        access,
        attributes,
        available,
        blocks,
        other_topics,
        routes,
        traversal,
    )
)
