"""Queues: what a new one is like, its indices, its packets, and what is told of its errors."""

from hsa_conformance.suite.core.queues import atomicity, creation, errors, indices, packets, soft

__all__ = ["atomicity", "creation", "errors", "indices", "packets", "soft"]
