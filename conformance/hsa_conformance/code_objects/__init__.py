"""Code objects for AMD GPUs, put together byte by byte: nothing here compiles anything.

The formats are those of "User Guide for AMDGPU Backend" in LLVM's documentation. A kernel
ends at once and need not run anywhere, or does what `programs` has words for.
"""

from hsa_conformance.code_objects.build import MADE, Code, Variable, addresses, build
from hsa_conformance.code_objects.instructions import Does
from hsa_conformance.code_objects.kernels import Kernel, doing
from hsa_conformance.code_objects.programs import has_kernels
from hsa_conformance.code_objects.targets import TARGETS, Target

__all__ = [
    "MADE",
    "TARGETS",
    "Code",
    "Does",
    "Kernel",
    "Target",
    "Variable",
    "addresses",
    "build",
    "doing",
    "has_kernels",
]
