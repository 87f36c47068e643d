"""The processors that the device has, and what of them differs.

What is said here of a compute unit is in "User Guide for AMDGPU Backend" of LLVM, but for how many
registers a SIMD has (RDNA3 ISA, "VGPRs").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Family(Enum):
    """Processors with the same instructions."""

    CDNA = "CDNA"  # MI200 and MI300
    RDNA3 = "RDNA3"


@dataclass(frozen=True)
class Target:
    """A processor.

    Args:
        name: such as "gfx90a".
        number: in the flags of ELF headers.
        family: whose instructions it has.
        waves: how many work-items a wave may have.
        simds: of a compute unit.
        resident: waves of a SIMD.
        registers: vector registers of each of 64 lanes of a SIMD.
        groups: of a compute unit.
        scratch_register: whether waves find where their scratch is without instructions of the
            kernel.
        scratch_unit: bytes that the scratch of a wave is counted in, in a queue's structure.
        engines: how many shader engines it has, where that structure counts waves of each.

    """

    name: str
    number: int
    family: Family
    waves: Sequence[int]
    simds: int
    resident: int
    registers: int
    groups: int
    scratch_register: bool
    scratch_unit: int = 1024
    engines: int = 1


_ALL = (
    Target("gfx90a", 0x3F, Family.CDNA, (64,), 4, 8, 512, 32, scratch_register=False),
    Target("gfx942", 0x4C, Family.CDNA, (64,), 4, 8, 512, 32, scratch_register=True),
    Target(
        *("gfx1100", 0x41, Family.RDNA3, (32, 64), 2, 16, 768, 32),
        scratch_register=True,
        scratch_unit=256,
        engines=6,
    ),
)

#: By name.
TARGETS: Mapping[str, Target] = {target.name: target for target in _ALL}


def known() -> str:
    """Return the names of all, as a text."""
    *first, last = TARGETS
    return f"{', '.join(first)} and {last}"
