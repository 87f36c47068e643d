"""Properties of copies that are not waited for, of copy engines, and of fills."""

from hsa_conformance.suite.amd.copies import boxes, engines, fills, linear

__all__ = ["boxes", "engines", "fills", "linear"]
