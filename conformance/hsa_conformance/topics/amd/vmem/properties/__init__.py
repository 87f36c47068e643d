"""Properties of the virtual memory API: addresses, memory without an address, and both joined."""

from hsa_conformance.topics.amd.vmem.properties import (
    access,
    address_space,
    handles,
    mappings,
    process_end,
    reservations,
    reuse,
    sharing,
    unmapping,
)

PROOFS = tuple(
    module.proves
    for module in (
        access,
        address_space,
        process_end,
        handles,
        reuse,
        mappings,
        reservations,
        sharing,
        unmapping,
    )
)
