"""What symbols of code say of themselves."""

from __future__ import annotations

from hsa_reference.amdgpu.code import Definition
from hsa_reference.amdgpu.kernels import Kernel

_ARGUMENTS = 16  # sizes of arguments are multiples of this
Values = dict[str, object]


def named(name: bytes) -> Values:
    """Return what is said of any symbol: all are of the whole program, and are definitions."""
    return {
        "NAME_LENGTH": len(name),
        "NAME": name,
        "MODULE_NAME_LENGTH": 0,
        "MODULE_NAME": b"",
        "LINKAGE": "HSA_SYMBOL_LINKAGE_PROGRAM",
        "IS_DEFINITION": True,
    }


def variable(definition: Definition | None, *, program: bool, readonly: bool = False) -> Values:
    """Return what is said of a variable.

    Args:
        definition: what its code says; None where the application defined it, whose size and
            alignment are not known.
        program: whether all agents share it.
        readonly: whether it lies in the segment that kernels only read.

    """
    allocation, segment = "PROGRAM" if program else "AGENT", "READONLY" if readonly else "GLOBAL"
    return {
        "TYPE": "HSA_SYMBOL_KIND_VARIABLE",
        "VARIABLE_ALLOCATION": f"HSA_VARIABLE_ALLOCATION_{allocation}",
        "VARIABLE_SEGMENT": f"HSA_VARIABLE_SEGMENT_{segment}",
        "VARIABLE_ALIGNMENT": definition.alignment if definition else 1,
        "VARIABLE_SIZE": definition.size if definition else 0,
        "VARIABLE_IS_CONST": definition.constant if definition else readonly,
    }


def kernel(found: Kernel) -> Values:
    """Return what is said of a kernel."""
    return {
        "TYPE": "HSA_SYMBOL_KIND_KERNEL",
        "KERNEL_KERNARG_SEGMENT_SIZE": -(-found.arguments // _ARGUMENTS) * _ARGUMENTS,
        "KERNEL_KERNARG_SEGMENT_ALIGNMENT": found.alignment,
        "KERNEL_GROUP_SEGMENT_SIZE": found.group,
        "KERNEL_PRIVATE_SEGMENT_SIZE": found.private,
        "KERNEL_DYNAMIC_CALLSTACK": found.dynamic_stack,
        "KERNEL_CALL_CONVENTION": 0,
    }
