"""Executables: readers of code, loading, variables, symbols."""

from hsa_conformance.suite.core.executables import (  # noqa: F401
    creation,
    destruction,
    freezing,
    kernels,
    loading,
    lookups,
    readers,
    symbols,
    traversal,
    validation,
    variables,
)
