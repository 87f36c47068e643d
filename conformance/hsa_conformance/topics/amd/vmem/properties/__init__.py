"""Properties of the virtual memory API: addresses, memory without an address, and both joined."""

from hsa_conformance.topics.amd.vmem.properties import (
    access,
    addresses_alone,
    ended,
    handles,
    lasting,
    mappings,
    reservations,
    sharing,
    unmapping,
)

PROOFS = tuple(
    module.proves
    for module in (
        access,
        addresses_alone,
        ended,
        handles,
        lasting,
        mappings,
        reservations,
        sharing,
        unmapping,
    )
)
