"""A GPU in software: it executes the instructions of code objects, and nothing of a runtime.

It needs numpy and LLVM's library (Debian: libllvm15 or libllvm19), and a C compiler for atomic
operations. It imports nothing else of this project. `python -m hsa_device FILE` lists a code
object; `hsa_device.wire`, which needs none of that, says how drivers reach a device that is a
process of its own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hsa_device.code import CodeObject, Descriptor, Segment, read_code_object, read_descriptor
    from hsa_device.decoding import Decoder, Instruction, decoder
    from hsa_device.errors import (
        DecoderError,
        DeviceError,
        DispatchError,
        FormatError,
        IllegalInstructionError,
        MemoryFaultError,
        NotExecutedError,
        ResourcesError,
        StoppedError,
        TrapError,
    )
    from hsa_device.execution.device import Device, Fidelity
    from hsa_device.execution.dispatch import Dispatch
    from hsa_device.execution.machine import Machine
    from hsa_device.isa import ExecutionMode, InstructionSet, instruction_set
    from hsa_device.memory import Memory, Range, content_at, mapped, without
    from hsa_device.targets import TARGETS, Target

__all__ = [
    "TARGETS",
    "CodeObject",
    "Decoder",
    "DecoderError",
    "Descriptor",
    "Device",
    "DeviceError",
    "Dispatch",
    "DispatchError",
    "ExecutionMode",
    "Fidelity",
    "FormatError",
    "IllegalInstructionError",
    "Instruction",
    "InstructionSet",
    "Machine",
    "Memory",
    "MemoryFaultError",
    "NotExecutedError",
    "Range",
    "ResourcesError",
    "Segment",
    "StoppedError",
    "Target",
    "TrapError",
    "content_at",
    "decoder",
    "instruction_set",
    "mapped",
    "read_code_object",
    "read_descriptor",
    "without",
]

#: Where they are: each is imported when it is first asked for.
_MODULES = {
    "hsa_device.code": (
        "CodeObject",
        "Descriptor",
        "Segment",
        "read_code_object",
        "read_descriptor",
    ),
    "hsa_device.decoding": (
        "Decoder",
        "Instruction",
        "decoder",
    ),
    "hsa_device.errors": (
        "DecoderError",
        "DeviceError",
        "DispatchError",
        "FormatError",
        "IllegalInstructionError",
        "MemoryFaultError",
        "NotExecutedError",
        "ResourcesError",
        "StoppedError",
        "TrapError",
    ),
    "hsa_device.execution.device": (
        "Device",
        "Fidelity",
    ),
    "hsa_device.execution.dispatch": ("Dispatch",),
    "hsa_device.execution.machine": ("Machine",),
    "hsa_device.isa": (
        "ExecutionMode",
        "InstructionSet",
        "instruction_set",
    ),
    "hsa_device.memory": (
        "Memory",
        "Range",
        "content_at",
        "mapped",
        "without",
    ),
    "hsa_device.targets": (
        "TARGETS",
        "Target",
    ),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
