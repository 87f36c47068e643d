"""What a code object says of a kernel: its descriptor, and its metadata."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from hsa_conformance.code_objects.msgpack import Packable, pack
from hsa_conformance.code_objects.targets import Target

DESCRIPTOR: Final = 64
TEXT: Final = 256  # bytes that the instructions of one kernel take

_FIRST_OF_32_LANES: Final = 10
_FIRST_OF_NEW_OPCODES: Final = 11
_DENORMALS: Final = 0xC0000
_WAVEFRONT_OF_32: Final = 1 << 10


@dataclass(frozen=True)
class Kernel:
    """A kernel that ends at once.

    Attributes:
        name: its name; the symbol of its descriptor has ".kd" behind it.
        arguments: bytes that its arguments take.
        group: bytes of static group memory.
        private: bytes of private memory.

    """

    name: str
    arguments: int = 16
    group: int = 0
    private: int = 0


def wavefront(target: Target) -> int:
    """Return how many work-items a wavefront has."""
    return 32 if target.generation >= _FIRST_OF_32_LANES else 64


def instructions(target: Target) -> bytes:
    """Return the code of a kernel: the instruction that ends a program, over and over."""
    end = 0xBFB00000 if target.generation >= _FIRST_OF_NEW_OPCODES else 0xBF810000
    return struct.pack("<I", end) * (TEXT // 4)


def descriptor(kernel: Kernel, target: Target, entry: int) -> bytes:
    """Return the descriptor of a kernel.

    Args:
        kernel: the kernel.
        target: the processor.
        entry: where the code starts, in bytes from the descriptor on.

    """
    return struct.pack(
        "<III4xq20xIIIHH4x",
        kernel.group,
        kernel.private,
        kernel.arguments,
        entry,
        0,
        _DENORMALS,
        0,
        _WAVEFRONT_OF_32 if wavefront(target) == 32 else 0,
        0,
    )


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
            ".sgpr_count": 8,
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
