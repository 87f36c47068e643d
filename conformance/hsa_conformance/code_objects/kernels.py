"""What a code object says of a kernel: its descriptor, and its metadata.

Both are those of "Kernel Descriptor" and "Code Object Metadata" in LLVM's "User Guide for AMDGPU
Backend".
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from hsa_conformance.code_objects.instructions import Does
from hsa_conformance.code_objects.msgpack import Packable, pack
from hsa_conformance.code_objects.programs import has_private_register, program
from hsa_conformance.code_objects.targets import Target

DESCRIPTOR: Final = 64
TEXT: Final = 256  # bytes that the instructions of one kernel take

_FIRST_OF_32_LANES: Final = 10
_FIRST_WITHOUT_MODES: Final = 12
_DENORMALS: Final = 0xC0000
_MODES: Final = 1 << 21 | 1 << 23  # as all compilers set them: clamping, and NaN as IEEE 754 has it
_WAVEFRONT_OF_32: Final = 1 << 10
_PRIVATE: Final = 1
_ARGUMENTS_AT: Final = 4  # the scalar register that begins their address
# What comes before that: packet and queue, or what private memory is reached by.
_OF_ARGUMENTS: Final = 1 << 1 | 1 << 2 | 1 << 3
_WITH_PRIVATE_BUFFER: Final = 1 << 0 | 1 << 3


@dataclass(frozen=True)
class Kernel:
    """A kernel, which ends at once if nothing is said.

    Attributes:
        name: its name; the symbol of its descriptor has ".kd" behind it.
        arguments: bytes that its arguments take.
        group: bytes of static group memory.
        private: bytes of private memory.
        does: what it does; `doing` makes such kernels.

    """

    name: str
    arguments: int = 16
    group: int = 0
    private: int = 0
    does: Does = "nothing"


def doing(does: Does, target: Target, name: str = "kernel") -> Kernel:
    """Return a kernel of the suite's own.

    Args:
        does: what it does; see `programs`.
        target: the processor that it is for, for which the suite has kernels.
        name: its name.

    """
    code = program(does, target)
    return Kernel(name, -(-code.arguments // 16) * 16, 0, code.private, does)


def wavefront(target: Target) -> int:
    """Return how many work-items a wavefront has."""
    return 32 if target.generation >= _FIRST_OF_32_LANES else 64


def instructions(kernel: Kernel, target: Target) -> bytes:
    """Return the code of a kernel, filled up with the instruction that ends a program."""
    content, end = program(kernel.does, target).content, program("nothing", target).content
    return content + end * ((TEXT - len(content)) // len(end))


def descriptor(kernel: Kernel, target: Target, entry: int) -> bytes:
    """Return the descriptor of a kernel.

    Args:
        kernel: the kernel.
        target: the processor.
        entry: where the code starts, in bytes from the descriptor on.

    """
    registers, properties = _registers(kernel, target)
    return struct.pack(
        "<III4xq20xIIIHH4x",
        kernel.group,
        kernel.private,
        kernel.arguments,
        entry,
        0,
        _DENORMALS | (_MODES if target.generation < _FIRST_WITHOUT_MODES else 0),
        registers,
        properties | (_WAVEFRONT_OF_32 if wavefront(target) == 32 else 0),
        0,
    )


def _registers(kernel: Kernel, target: Target) -> tuple[int, int]:
    """Return what is in scalar registers at the start: how many, and what; see `programs`."""
    code = program(kernel.does, target)
    if not code.arguments:
        return 0, 0
    count = _ARGUMENTS_AT + 2 << 1
    if code.private and not has_private_register(target):
        return count | _PRIVATE, _WITH_PRIVATE_BUFFER
    return count | (_PRIVATE if code.private else 0), _OF_ARGUMENTS


def metadata(kernels: tuple[Kernel, ...], target: Target, version: tuple[int, int]) -> bytes:
    """Return the metadata of a code object with these kernels."""
    described: list[Packable] = [
        {
            ".name": k.name,
            ".symbol": f"{k.name}.kd",
            ".kernarg_segment_size": k.arguments,
            ".kernarg_segment_align": 8,
            ".group_segment_fixed_size": k.group,
            ".private_segment_fixed_size": k.private,
            ".wavefront_size": wavefront(target),
            ".sgpr_count": 16,
            ".vgpr_count": 4,
            ".max_flat_workgroup_size": 256,
            ".args": [],
        }
        for k in kernels
    ]
    return pack(
        {
            "amdhsa.version": list(version),
            "amdhsa.target": f"amdgcn-amd-amdhsa--{target.name}",
            "amdhsa.kernels": described,
        }
    )
