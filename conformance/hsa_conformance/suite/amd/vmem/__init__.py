"""Properties of the virtual memory API: addresses, memory without an address, and both joined."""

from hsa_conformance.suite.amd.vmem import (
    access,
    handles,
    mappings,
    reservations,
    sharing,
    unmapping,
)

__all__ = ["access", "handles", "mappings", "reservations", "sharing", "unmapping"]
