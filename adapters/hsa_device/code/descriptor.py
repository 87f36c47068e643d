"""Kernel descriptors: what a kernel needs, and what it finds in its registers.

The layout is that of "Kernel Descriptor" in LLVM's "User Guide for AMDGPU Backend".
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hsa_device.errors import FormatError
from hsa_device.targets import Family, Target

#: Of a descriptor, in bytes.
SIZE = 64
_LAYOUT = struct.Struct("<III4xq20xIIIHH4x")
_WAVE_OF_32 = 10  # a bit of the properties

#: What may be put into the first scalar registers: name, and how many registers, in their order.
USER_REGISTERS = (
    ("private_buffer", 4),
    ("dispatch_pointer", 2),
    ("queue_pointer", 2),
    ("arguments", 2),
    ("dispatch_id", 2),
    ("flat_scratch", 2),
    ("private_size", 1),
)


@dataclass(frozen=True)
class Descriptor:
    """A kernel descriptor; sizes are in bytes.

    Args:
        group: static LDS of a work-group.
        private: static scratch of a work-item.
        arguments: size of the arguments.
        entry: where the instructions start, counted from the descriptor.
        wave: work-items of a wave.
        vector_registers: how many a work-item has, accumulation registers included.
        accumulators: the first vector register that is an accumulation register.
        mode: the MODE register at the start: rounding, denormals, DX10_CLAMP and IEEE.
        user: what of USER_REGISTERS the kernel wants.
        user_count: scalar registers that are set from the packet.
        preloaded: registers of arguments after the others, and the first of them in the arguments.
        scratch: whether it needs scratch.
        groups: whether it wants the numbers of its work-group in x, y and z.
        group_info: whether it wants the register about its work-group.
        item_dimensions: in how many dimensions it wants the numbers of its work-items.

    """

    group: int
    private: int
    arguments: int
    entry: int
    wave: int
    vector_registers: int
    accumulators: int
    mode: int
    user: frozenset[str]
    user_count: int
    preloaded: tuple[int, int]
    scratch: bool
    groups: tuple[bool, bool, bool]
    group_info: bool
    item_dimensions: int


def read_descriptor(content: bytes, target: Target) -> Descriptor:
    """Return the descriptor that these bytes are.

    Args:
        content: its 64 bytes.
        target: the processor that is to execute the kernel.

    Raises:
        FormatError: it is for waves that the processor does not have, or wants what cannot be.

    """
    if len(content) != SIZE:
        raise FormatError(f"a kernel descriptor of {len(content)} bytes, not {SIZE}")
    group, private, arguments, entry, third, first, second, properties, preload = _LAYOUT.unpack(
        content
    )
    wave = 32 if properties >> _WAVE_OF_32 & 1 else 64
    if wave not in target.waves:
        raise FormatError("a kernel of waves of 32 work-items on a processor of waves of 64")
    user = frozenset(name for bit, (name, _) in enumerate(USER_REGISTERS) if properties >> bit & 1)
    preloaded = preload & 0x7F, preload >> 7
    count = second >> 1 & 31
    wanted = sum(size for name, size in USER_REGISTERS if name in user) + preloaded[0]
    if wanted > count:
        raise FormatError(f"{wanted} registers set from the packet, in room for {count}")
    return Descriptor(
        group,
        private,
        arguments,
        entry,
        wave,
        *_vector_registers(first & 63, third & 63, wave, target),
        (first >> 12 & 0xFF) | (first >> 21 & 1) << 8 | (first >> 23 & 1) << 9,
        user,
        count,
        preloaded,
        bool(second & 1),
        (bool(second >> 7 & 1), bool(second >> 8 & 1), bool(second >> 9 & 1)),
        bool(second >> 10 & 1),
        (second >> 11 & 3) + 1,
    )


def _vector_registers(count: int, first: int, wave: int, target: Target) -> tuple[int, int]:
    """Return how many registers there are, and the first that is an accumulation register."""
    if target.family is Family.CDNA:
        return (count + 1) * 8, (first + 1) * 4
    registers = (count + 1) * (8 if wave == 32 else 4)
    return registers, registers
