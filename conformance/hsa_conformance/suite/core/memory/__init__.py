"""Properties of memory regions, blocks from them, copies, registrations and ownership."""

from hsa_conformance.suite.core.memory import (
    blocks,
    copies,
    ownership,
    regions,
    registrations,
    traversal,
)

__all__ = ["blocks", "copies", "ownership", "regions", "registrations", "traversal"]
