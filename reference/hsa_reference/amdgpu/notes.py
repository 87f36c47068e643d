"""The notes of a code object: what it is for, and metadata of its kernels."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgpack  # type: ignore[import-untyped]

from hsa_reference.amdgpu.elf import Note
from hsa_reference.amdgpu.errors import FormatError
from hsa_reference.amdgpu.target import Target

# "Note Records" in LLVM's "User Guide for AMDGPU Backend", and ROCr's amd_hsa_elf.h for version 2.
_METADATA = ("AMDGPU", 32)
_VERSION, _LANGUAGE, _ISA = (("AMD", kind) for kind in (1, 2, 3))


@dataclass(frozen=True)
class OldNotes:
    """What the notes of code of version 2 say.

    Args:
        version: of the code object, such as "2.1".
        target: the processor.
        machine_model: a hsa_machine_model_t.
        profile: a hsa_profile_t.
        rounding: a hsa_default_float_rounding_mode_t.

    """

    version: str
    target: Target
    machine_model: int
    profile: int
    rounding: int


def old_notes(notes: Sequence[Note]) -> OldNotes:
    """Return what the notes of code of version 2 say.

    Raises:
        FormatError: one is missing, or too short.

    """
    found = {(n.owner, n.type): n.content for n in notes}
    try:
        version = struct.unpack_from("<II", found[_VERSION])
        profile, model, rounding = struct.unpack_from("<8xBBB", found[_LANGUAGE])
        processor = struct.unpack_from("<4xIII", found[_ISA])
    except (KeyError, struct.error) as error:
        raise FormatError(f"notes of version 2: {error}") from error
    if model > 1 or profile > 1 or rounding > 2:
        raise FormatError("notes of version 2 with numbers that mean nothing")
    major, minor, stepping = processor
    return OldNotes(
        "{}.{}".format(*version),
        Target(f"gfx{major}{minor}{stepping:x}"),
        model,
        profile,
        rounding,
    )


def kernels(notes: Sequence[Note]) -> Mapping[bytes, Mapping[str, Any]]:
    """Return the metadata of kernels by the names of their descriptors.

    Raises:
        FormatError: the metadata is not what it has to be.

    """
    found = next((n.content for n in notes if (n.owner, n.type) == _METADATA), None)
    if found is None:
        return {}
    try:
        listed = msgpack.unpackb(found).get("amdhsa.kernels", [])
        return {kernel[".symbol"].encode(): kernel for kernel in listed}
    # MessagePack holds any types; that they are others raises what using them does.
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise FormatError(f"metadata: {type(error).__name__}: {error}") from error
