"""A GPU in software: it executes the instructions of code objects, and nothing of a runtime.

It needs numpy and LLVM's library (Debian: libllvm15 or libllvm19), and a C compiler for atomic
operations. It imports nothing else of this project. `python -m hsa_device FILE` lists a code
object.
"""

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
from hsa_device.isa import Executed, executed
from hsa_device.memory import Memory, Range, content_at, mapped, without

__all__ = [
    "CodeObject",
    "Decoder",
    "DecoderError",
    "Descriptor",
    "Device",
    "DeviceError",
    "Dispatch",
    "DispatchError",
    "Executed",
    "Fidelity",
    "FormatError",
    "IllegalInstructionError",
    "Instruction",
    "Machine",
    "Memory",
    "MemoryFaultError",
    "NotExecutedError",
    "Range",
    "ResourcesError",
    "Segment",
    "StoppedError",
    "TrapError",
    "content_at",
    "decoder",
    "executed",
    "mapped",
    "read_code_object",
    "read_descriptor",
    "without",
]
