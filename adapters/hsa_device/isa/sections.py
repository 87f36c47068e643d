"""All sections, and what they know of an instruction."""

from __future__ import annotations

from enum import Enum

from hsa_device.isa.memory import ds, flat, mimg, mubuf, mubuf_format
from hsa_device.isa.scalar import smem, sop1, sop2, sopc, sopk, sopp
from hsa_device.isa.vector import vop1, vop2, vop3, vop3p, vopc
from hsa_device.model.compiled import Section

SECTIONS: tuple[Section, ...] = tuple(
    module.SECTION
    for module in (
        *(sop2, sopk, sop1, sopc, sopp, smem),
        *(vop2, vop1, vopc, vop3p, vop3),
        *(ds, mubuf, mubuf_format, mimg, flat),
    )
)
_BY_NAME = {name: s for s in SECTIONS for name in (*s.instructions, *s.ends)}


class Executed(Enum):
    """How an instruction is executed."""

    EXACTLY = "exactly"
    APPROXIMATELY = "approximately"  # where hardware itself rounds in a way that no text states
    NOT = "not"


def section_of(name: str) -> Section | None:
    """Return the section that has an instruction, None for none."""
    return _BY_NAME.get(name)


def executed(name: str) -> Executed:
    """Return how an instruction is executed, by its mnemonic without the encoding."""
    section = section_of(name)
    if section is None:
        return Executed.NOT
    return Executed.APPROXIMATELY if name in section.approximate else Executed.EXACTLY
