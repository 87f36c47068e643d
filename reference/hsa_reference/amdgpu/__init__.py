"""The format of code objects for AMD GPUs; nothing here knows a runtime.

The formats are those of "User Guide for AMDGPU Backend" in LLVM's documentation. What is read here
was written by others: every offset and size in it is held against the bytes that are there.
"""
