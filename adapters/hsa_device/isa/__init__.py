"""The instructions that the device executes, in the sections of the ISA manuals.

"AMD Instinct MI200" is the manual; "AMD Instinct MI300" has the same sections. What RDNA3 calls
otherwise is a table of names (`rdna3/names.py`), and what means something else there has a
description of its own, from "RDNA3 Instruction Set Architecture". Edge cases are as they say. What
LLVM decodes and no section here has is not executed, and said to be lacking.
"""

from hsa_device.isa.instruction_set import ExecutionMode, InstructionSet
from hsa_device.isa.sections import instruction_set

__all__ = ["ExecutionMode", "InstructionSet", "instruction_set"]
