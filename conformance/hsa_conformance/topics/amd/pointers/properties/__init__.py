"""Properties of hsa_amd_pointer_info: the structure, what it says, and the list of agents."""

from hsa_conformance.topics.amd.pointers.properties import agents, memory, ranges, sizes

PROOFS = tuple(
    module.proves
    for module in (
        agents,
        memory,
        ranges,
        sizes,
    )
)
