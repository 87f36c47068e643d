"""Properties of memory pools: what they are, blocks of them, and who may access these."""

from hsa_conformance.suite.amd.pools import access, attributes, blocks, routes, traversal

__all__ = ["access", "attributes", "blocks", "routes", "traversal"]
