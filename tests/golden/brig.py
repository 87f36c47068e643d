"""Modules of HSAIL for golden cases, by name, laid out as Brig.h says."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

_MODULE, _VARIABLE, _KERNEL = 0x100B, 0x100E, 0x1008
_PROGRAM_LINKAGE = 1
_GLOBAL, _ALIGNED_8, _PROGRAM_ALLOCATION = 2, 4, 1
_U32, _U64 = 3, 4


@dataclass(frozen=True)
class Text:
    """A module in words.

    Args:
        model: BRIG_MACHINE_SMALL is 0, BRIG_MACHINE_LARGE is 1.
        profile: BRIG_PROFILE_BASE is 0, BRIG_PROFILE_FULL is 1.
        rounding: BRIG_ROUND_FLOAT_DEFAULT is 1, _NEAR_EVEN is 2, _ZERO is 3.
        variable: the type of a variable &counter, 0 for none.
        defined: whether the variable is defined here.
        kernel: whether there is a kernel &first.
        magic: what the module begins with.

    """

    model: int = 1
    profile: int = 1
    rounding: int = 1
    variable: int = 0
    defined: bool = True
    kernel: bool = False
    magic: bytes = b"HSA BRIG"


#: Large model, full profile and default rounding, but for what the name says.
MODULES: Mapping[str, Text] = {
    "module": Text(kernel=True),
    "module-base": Text(profile=0),
    "module-small": Text(model=0),
    "module-near": Text(rounding=2),
    "module-zero": Text(rounding=3),
    "module-counter": Text(variable=_U32),
    "module-counter-declared": Text(variable=_U32, defined=False),
    "module-counter-64": Text(variable=_U64, defined=False),
    "module-broken": Text(magic=b"HSA BRAG"),
}


def build_module(text: Text) -> bytes:
    """Return the bytes of a module."""
    names = b"".join(_string(name) for name in (b"&golden", b"&counter", b"&first"))
    data = _section(b"hsa_data", names)
    first = len(_header(b"hsa_data"))
    module, counter, kernel = first, first + 12, first + 24
    code = struct.pack(
        *("<HHIIIBBBB", 20, _MODULE, module, 1, 0, text.profile, text.model, text.rounding, 0)
    )
    if text.variable:
        code += struct.pack(
            *("<HHIIHBBIIBBBB", 28, _VARIABLE, counter, 0, text.variable, _GLOBAL, _ALIGNED_8),
            *(0, 0, int(text.defined), _PROGRAM_LINKAGE, _PROGRAM_ALLOCATION, 0),
        )
    if text.kernel:
        after = len(_header(b"hsa_code")) + len(code) + 28
        code += struct.pack(
            *("<HHIHHIIIBBH", 28, _KERNEL, kernel, 0, 0, after, after, after, 1, _PROGRAM_LINKAGE),
            0,
        )
    sections = (data, _section(b"hsa_code", code), _section(b"hsa_operand", b""))
    offsets, end = [], 104 + 8 * len(sections)
    for section in sections:
        offsets.append(end)
        end += len(section)
    header = struct.pack("<8sIIQ64sIIQ", text.magic, 1, 0, end, bytes(64), 0, len(sections), 104)
    return header + struct.pack("<3Q", *offsets) + b"".join(sections)


def _string(content: bytes) -> bytes:
    """Return a BrigData, of which each of the names above takes 12 bytes."""
    return struct.pack("<I8s", len(content), content)


def _section(name: bytes, content: bytes) -> bytes:
    head = _header(name)
    return struct.pack("<Q", len(head) + len(content)) + head[8:] + content


def _header(name: bytes) -> bytes:
    size = 16 + -(-len(name) // 4) * 4
    return struct.pack("<QII", 0, size, len(name)) + name.ljust(size - 16, b"\0")
