"""Properties of shared virtual memory: its attributes, and ranges that are moved."""

from hsa_conformance.topics.amd.svm.properties import attributes, prefetches

PROOFS = tuple(
    module.proves
    for module in (
        attributes,
        prefetches,
    )
)
