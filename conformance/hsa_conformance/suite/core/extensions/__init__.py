"""Properties of the queries for extensions, and of their tables."""

from hsa_conformance.suite.core.extensions import names, support, tables

__all__ = ["names", "support", "tables"]
