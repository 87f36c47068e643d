"""Properties of memory regions, blocks from them, copies, registrations and ownership."""

from hsa_conformance.topics.core.memory.properties import (
    blocks,
    copies,
    mandatory,
    ownership,
    regions,
    registrations,
    traversal,
)

PROOFS = tuple(
    module.proves
    for module in (
        blocks,
        copies,
        mandatory,
        ownership,
        regions,
        registrations,
        traversal,
    )
)
