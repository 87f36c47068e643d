"""Properties of shared virtual memory: its attributes, and ranges that are moved or given up."""

from hsa_conformance.topics.amd.svm.properties import attributes, discards, prefetches

PROOFS = tuple(
    module.proves
    for module in (
        attributes,
        discards,
        prefetches,
    )
)
