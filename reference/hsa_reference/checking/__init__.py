"""Says on stderr what a client of the API does wrong; the answers of the calls stay as they are.

The same checks serve the reference (`HSA_REFERENCE_CHECK`) and ROCr, as a tools library. What they
know of objects they learn from calls that succeed, so they ask no implementation.
"""

from hsa_reference.checking.checker import Checker

__all__ = ["Checker"]
