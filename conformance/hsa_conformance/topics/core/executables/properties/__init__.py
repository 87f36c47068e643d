"""Executables: readers of code, loading, variables, symbols."""

from hsa_conformance.topics.core.executables.properties import (
    creation,
    destruction,
    freezing,
    invalid_code,
    kernels,
    layout,
    loading,
    lookups,
    readers,
    symbols,
    traversal,
    validation,
    variables,
)

PROOFS = tuple(
    module.proves
    for module in (
        creation,
        invalid_code,
        destruction,
        freezing,
        kernels,
        layout,
        loading,
        lookups,
        readers,
        symbols,
        traversal,
        validation,
        variables,
    )
)
