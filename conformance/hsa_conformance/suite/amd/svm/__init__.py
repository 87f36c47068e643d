"""Properties of shared virtual memory: its attributes, and ranges that are moved."""

from hsa_conformance.suite.amd.svm import attributes, prefetches

__all__ = ["attributes", "prefetches"]
