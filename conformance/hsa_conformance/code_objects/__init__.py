"""Code objects for AMD GPUs, put together byte by byte: nothing here compiles anything.

The formats are those of "User Guide for AMDGPU Backend" in LLVM's documentation. A kernel ends at
once, and need not run anywhere.
"""

from hsa_conformance.code_objects.build import MADE, Code, Variable, addresses, build
from hsa_conformance.code_objects.kernels import Kernel
from hsa_conformance.code_objects.targets import TARGETS, Target

__all__ = ["MADE", "TARGETS", "Code", "Kernel", "Target", "Variable", "addresses", "build"]
