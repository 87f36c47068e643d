"""Queues: what a new one is like, its indices, its packets, and what is told of its errors."""

from hsa_conformance.suite.core.queues import creation, errors, indices, packets, soft

__all__ = ["creation", "errors", "indices", "packets", "soft"]
