"""The instructions that the device executes, in the sections of the ISA manual.

"AMD Instinct MI200" is the manual; "AMD Instinct MI300" has the same sections. Edge cases are as
they say. What LLVM decodes and no section here has is not executed, and said to be lacking.
"""

from hsa_device.isa.sections import SECTIONS, Executed, executed, section_of

__all__ = ["SECTIONS", "Executed", "executed", "section_of"]
