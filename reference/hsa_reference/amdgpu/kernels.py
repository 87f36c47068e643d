"""Kernels: what their descriptors and their metadata say."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hsa_reference.amdgpu.errors import FormatError

# "Kernel Descriptor" in LLVM's "User Guide for AMDGPU Backend".
SIZE = 64  # of a descriptor, in bytes
SUFFIX = b".kd"  # of the symbol of a descriptor
_DESCRIPTOR = struct.Struct("<III4xq24xIIH6x")
_LEAST_ALIGNMENT = 16
_WAVEFRONT_OF_32 = 1 << 10
_DYNAMIC_STACK = 1 << 11
#: A hsa_default_float_rounding_mode_t for a mode of the hardware; two of them HSA lacks.
_ROUNDING: Mapping[int, int] = {0: 2, 3: 1}


@dataclass(frozen=True)
class Kernel:
    """A kernel; sizes and alignment are in bytes.

    Args:
        group: static group memory of a work-group.
        private: static private memory of a work-item.
        arguments: size of its arguments.
        alignment: of its arguments.
        entry: where its instructions start, counted from the descriptor.
        wavefront: work-items in a wavefront.
        rounding: a hsa_default_float_rounding_mode_t, or None where HSA has none for its mode.
        dynamic_stack: whether the size of its stack is known at run time only.

    """

    group: int
    private: int
    arguments: int
    alignment: int
    entry: int
    wavefront: int
    rounding: int | None
    dynamic_stack: bool


def kernel(descriptor: bytes, metadata: Mapping[str, Any]) -> Kernel:
    """Return the kernel of a descriptor.

    Args:
        descriptor: its 64 bytes.
        metadata: what else is said of it; {} for nothing.

    Raises:
        FormatError: the metadata is not what it has to be.

    """
    group, private, arguments, entry, settings, _, properties = _DESCRIPTOR.unpack(descriptor)
    # Early code of version 3 says how large the arguments are in the metadata alone.
    size = metadata.get(".kernarg_segment_size", 0)
    alignment = metadata.get(".kernarg_segment_align", 1)
    if not isinstance(size, int) or not isinstance(alignment, int):
        raise FormatError("metadata: the arguments of a kernel")
    if not size and not alignment:
        alignment = 1  # GCC says 0 of kernels that take nothing
    if not 0 <= size < 1 << 32 or not 0 < alignment < 1 << 32 or alignment.bit_count() != 1:
        raise FormatError(f"metadata: {size} bytes of arguments, aligned to {alignment}")
    return Kernel(
        group,
        private,
        arguments or size,
        max(alignment, _LEAST_ALIGNMENT),
        entry,
        32 if properties & _WAVEFRONT_OF_32 else 64,
        _ROUNDING.get(settings >> 12 & 3),
        bool(properties & _DYNAMIC_STACK),
    )
