"""Which sections a family of processors has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from hsa_device.isa.instruction_set import InstructionSet
from hsa_device.isa.memory import ds, exchanges, flat, mimg, mubuf, mubuf_format
from hsa_device.isa.rdna3 import memory, moves, scalar, vector, vopd
from hsa_device.isa.rdna3.names import NAMES
from hsa_device.isa.scalar import smem, sop1, sop2, sopc, sopk, sopp
from hsa_device.isa.vector import vop1, vop2, vop3, vop3p, vopc
from hsa_device.model.compilation import Section
from hsa_device.targets import Family

T = TypeVar("T")

#: Those whose instructions RDNA3 has as well, though many under another name.
_COMMON = tuple(
    module.SECTION
    for module in (
        *(sop2, sopk, sop1, sopc, sopp, smem),
        *(vop2, vop1, vopc, vop3p, vop3),
        *(ds, exchanges, flat),
    )
)


def _renamed(table: Mapping[str, T]) -> dict[str, T]:
    return {NAMES.get(name, name): each for name, each in table.items()}


def _of_rdna3(section: Section) -> Section:
    return Section(
        section.name,
        _renamed(section.instructions),
        section.ends,
        frozenset(NAMES.get(name, name) for name in section.approximate),
    )


_SETS: Mapping[Family, InstructionSet] = {
    Family.CDNA: InstructionSet(
        (*_COMMON, *(module.SECTION for module in (mubuf, mubuf_format, mimg)))
    ),
    Family.RDNA3: InstructionSet(
        (
            *map(_of_rdna3, _COMMON),
            *(module.SECTION for module in (scalar, vector, moves, vopd, memory)),
        )
    ),
}


def instruction_set(family: Family) -> InstructionSet:
    """Return the instructions of a family."""
    return _SETS[family]
