"""Properties of memory and signals that processes share by name."""

from hsa_conformance.topics.amd.ipc.properties import ended, memory, signals

PROOFS = tuple(
    module.proves
    for module in (
        ended,
        memory,
        signals,
    )
)
