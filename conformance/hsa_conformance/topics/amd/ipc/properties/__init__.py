"""Properties of memory and signals that processes share by name."""

from hsa_conformance.topics.amd.ipc.properties import memory, process_end, signals

PROOFS = tuple(
    module.proves
    for module in (
        process_end,
        memory,
        signals,
    )
)
