"""Code objects and the descriptors of their kernels ("User Guide for AMDGPU Backend" of LLVM)."""

from hsa_device.code.descriptor import Descriptor, read_descriptor
from hsa_device.code.objects import CodeObject, Segment, read_code_object

__all__ = ["CodeObject", "Descriptor", "Segment", "read_code_object", "read_descriptor"]
