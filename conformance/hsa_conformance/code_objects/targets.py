"""The processors that code can be for, as the flags of an ELF header number them.

LLVM's "User Guide for AMDGPU Backend" has the numbers in "Header" of "ELF Code Object".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_XNACK_ANY: Final = 0x100
_SRAMECC_ANY: Final = 0x400


@dataclass(frozen=True)
class Target:
    """A processor.

    Attributes:
        name: such as "gfx90a".
        machine: its number in the flags.
        xnack: whether it can be set up to repeat accesses that fault.
        sramecc: whether it can be set up to correct errors in its memories.

    """

    name: str
    machine: int
    xnack: bool = False
    sramecc: bool = False

    @property
    def flags(self) -> int:
        """The flags of code, from version 4 on, that suits the processor however it is set up."""
        return self.machine | _XNACK_ANY * self.xnack | _SRAMECC_ANY * self.sramecc

    @property
    def generation(self) -> int:
        """The number of the family, such as 9 or 11."""
        return int(self.name.removeprefix("gfx")[:-2])


TARGETS: Final = {
    target.name: target
    for target in (
        Target("gfx801", 0x28, xnack=True),
        Target("gfx803", 0x2A),
        Target("gfx900", 0x2C, xnack=True),
        Target("gfx902", 0x2D, xnack=True),
        Target("gfx904", 0x2E, xnack=True),
        Target("gfx906", 0x2F, xnack=True, sramecc=True),
        Target("gfx908", 0x30, xnack=True, sramecc=True),
        Target("gfx909", 0x31, xnack=True),
        Target("gfx90c", 0x32, xnack=True),
        Target("gfx90a", 0x3F, xnack=True, sramecc=True),
        Target("gfx940", 0x40, xnack=True, sramecc=True),
        Target("gfx941", 0x4B, xnack=True, sramecc=True),
        Target("gfx942", 0x4C, xnack=True, sramecc=True),
        Target("gfx950", 0x4F, xnack=True, sramecc=True),
        Target("gfx1010", 0x33, xnack=True),
        Target("gfx1011", 0x34, xnack=True),
        Target("gfx1012", 0x35, xnack=True),
        Target("gfx1013", 0x42, xnack=True),
        Target("gfx1030", 0x36),
        Target("gfx1031", 0x37),
        Target("gfx1032", 0x38),
        Target("gfx1033", 0x39),
        Target("gfx1034", 0x3E),
        Target("gfx1035", 0x3D),
        Target("gfx1036", 0x45),
        Target("gfx1100", 0x41),
        Target("gfx1101", 0x46),
        Target("gfx1102", 0x47),
        Target("gfx1103", 0x44),
        Target("gfx1150", 0x43),
        Target("gfx1151", 0x4A),
        Target("gfx1152", 0x55),
        Target("gfx1153", 0x58),
        Target("gfx1200", 0x48),
        Target("gfx1201", 0x4E),
    )
}
