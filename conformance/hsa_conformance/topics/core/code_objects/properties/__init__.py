"""Deprecated code objects, and their symbols."""

from hsa_conformance.topics.core.code_objects.properties import (
    kernels,
    loading,
    queries,
    serializing,
    symbols,
    traversal,
)

PROOFS = tuple(
    module.proves
    for module in (
        kernels,
        loading,
        queries,
        serializing,
        symbols,
        traversal,
    )
)
