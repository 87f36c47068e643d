"""The notes of a code object, which say what it is for.

Their types are in "Note Records" of LLVM's "User Guide for AMDGPU Backend"; what those of version 2
hold is in ROCr's amd_hsa_elf.h.
"""

from __future__ import annotations

import struct
from typing import Final

from hsa_conformance.code_objects.targets import Target

_METADATA: Final = 32
_VERSION, _LANGUAGE, _ISA = 1, 2, 3
_LARGE_MODEL: Final = 1
_ROUND_TO_NEAREST: Final = 2


def modern(metadata: bytes) -> bytes:
    """Return the note of code from version 3 on."""
    return _note(b"AMDGPU\0", _METADATA, metadata)


def old(target: Target, profile: int) -> bytes:
    """Return the notes of code of version 2, which alone names a profile.

    Args:
        target: the processor, whose name has no letters but "gfx".
        profile: the number of the profile.

    """
    vendor, architecture = b"AMD\0", b"AMDGPU\0"
    number = target.name.removeprefix("gfx")
    isa = struct.pack(
        "<HHIII",
        len(vendor),
        len(architecture),
        int(number[:-2]),
        int(number[-2]),
        int(number[-1]),
    )
    language = struct.pack("<IIBBBx", 1, 0, profile, _LARGE_MODEL, _ROUND_TO_NEAREST)
    return (
        _note(vendor, _VERSION, struct.pack("<II", 2, 1))
        + _note(vendor, _LANGUAGE, language)
        + _note(vendor, _ISA, isa + vendor + architecture)
    )


def _note(owner: bytes, kind: int, description: bytes) -> bytes:
    return (
        struct.pack("<III", len(owner), len(description), kind)
        + _padded(owner)
        + _padded(description)
    )


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
