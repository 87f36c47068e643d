"""Modules of HSAIL, put together byte by byte: one variable, and no code.

The format is BRIG of version 1, as the chapter about it in the HSA Programmer's Reference Manual
lays it out.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

#: Numbers of the types of variables, and how the default rounding of any program is written.
U32, U64 = 3, 4
ANY_ROUNDING: Final = 1

_MODULE, _VARIABLE = 0x100B, 0x100E
_GLOBAL, _ALIGNED, _OF_PROGRAM = 2, 4, 1
_SECTION_HEAD, _HEAD = 16, 104
_SECTIONS: Final = (b"hsa_data", b"hsa_code", b"hsa_operand")


@dataclass(frozen=True)
class Module:
    """A module with one variable, which every module of its program shares.

    Attributes:
        machine_model: a hsa_machine_model_t.
        profile: a hsa_profile_t.
        variable: the name of the variable.
        type: the variable's type, U32 or U64.

    """

    machine_model: int
    profile: int
    variable: str = "&shared"
    type: int = U32

    @property
    def content(self) -> bytes:
        """The module as bytes; the variable is only declared."""
        names = [b"&module", self.variable.encode()]
        data = b"".join(struct.pack("<I", len(n)) + _padded(n) for n in names)
        first = len(_section_head(_SECTIONS[0]))
        second = first + 4 + len(_padded(names[0]))
        head = (20, _MODULE, first, 1, 0, self.profile, self.machine_model, ANY_ROUNDING, 0)
        variable = (28, _VARIABLE, second, 0, self.type, _GLOBAL, _ALIGNED, 0, 0, 0, 1, _OF_PROGRAM)
        code = struct.pack("<HHIIIBBBB", *head) + struct.pack("<HHIIHBBIIBBBB", *variable, 0)
        sections = [_section(n, c) for n, c in zip(_SECTIONS, (data, code, b""), strict=True)]
        places = [_HEAD + 8 * len(sections)]
        for section in sections:
            places.append(places[-1] + len(section))
        rest = (places[-1], bytes(64), 0, len(sections), _HEAD)
        return b"".join(
            [
                struct.pack("<8sIIQ64sIIQ", b"HSA BRIG", 1, 0, *rest),
                struct.pack(f"<{len(sections)}Q", *places[:-1]),
                *sections,
            ]
        )


def _padded(content: bytes) -> bytes:
    return content.ljust(-(-len(content) // 4) * 4, b"\0")


def _section_head(name: bytes, rest: int = 0) -> bytes:
    """Return what a section begins with, the size of all of it first."""
    size = _SECTION_HEAD + len(_padded(name))
    return struct.pack("<QII", size + rest, size, len(name)) + _padded(name)


def _section(name: bytes, content: bytes) -> bytes:
    return _section_head(name, len(content)) + content
