"""Deprecated code objects, and their symbols."""

from hsa_conformance.suite.core.code_objects import (  # noqa: F401
    kernels,
    loading,
    queries,
    serializing,
    symbols,
    traversal,
)
