"""Properties of instruction set architectures and wavefronts."""

from hsa_conformance.suite.core.isas import attributes, names, policies, traversals

__all__ = ["attributes", "names", "policies", "traversals"]
