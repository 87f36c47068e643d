"""The processor that code is for, and how it has to be set up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: The processors by their number in the flags of the ELF header: "Header" of "ELF Code Object" in
#: LLVM's "User Guide for AMDGPU Backend", which has the settings, too.
PROCESSORS: Mapping[int, str] = {
    0x20: "gfx600",
    0x21: "gfx601",
    0x22: "gfx700",
    0x23: "gfx701",
    0x24: "gfx702",
    0x25: "gfx703",
    0x26: "gfx704",
    0x28: "gfx801",
    0x29: "gfx802",
    0x2A: "gfx803",
    0x2B: "gfx810",
    0x2C: "gfx900",
    0x2D: "gfx902",
    0x2E: "gfx904",
    0x2F: "gfx906",
    0x30: "gfx908",
    0x31: "gfx909",
    0x32: "gfx90c",
    0x33: "gfx1010",
    0x34: "gfx1011",
    0x35: "gfx1012",
    0x36: "gfx1030",
    0x37: "gfx1031",
    0x38: "gfx1032",
    0x39: "gfx1033",
    0x3A: "gfx602",
    0x3B: "gfx705",
    0x3C: "gfx805",
    0x3D: "gfx1035",
    0x3E: "gfx1034",
    0x3F: "gfx90a",
    0x40: "gfx940",
    0x41: "gfx1100",
    0x42: "gfx1013",
    0x43: "gfx1150",
    0x44: "gfx1103",
    0x45: "gfx1036",
    0x46: "gfx1101",
    0x47: "gfx1102",
    0x48: "gfx1200",
    0x4A: "gfx1151",
    0x4B: "gfx941",
    0x4C: "gfx942",
    0x4E: "gfx1201",
    0x4F: "gfx950",
    0x55: "gfx1152",
    0x58: "gfx1153",
}

_FIRST_OF_32 = 10  # the generation from which on wavefronts have 32 work-items
_SETTINGS = {1: None, 2: False, 3: True}  # 0 is a processor that cannot be set up


@dataclass(frozen=True)
class Target:
    """A processor, and how it has to be set up; None where either setting will do.

    Args:
        processor: its name, such as "gfx942"; "" for one that is not known.
        xnack: whether accesses that fault are repeated.
        sramecc: whether errors in its memories are corrected.

    """

    processor: str
    xnack: bool | None = None
    sramecc: bool | None = None

    @property
    def wavefront(self) -> int:
        """Return how many work-items a wavefront usually has."""
        generation = self.processor.removeprefix("gfx")[:-2]
        return 32 if generation.isdigit() and int(generation) >= _FIRST_OF_32 else 64

    def runs_on(self, other: Target) -> bool:
        """Return whether code for this target runs on a processor that is set up so."""
        return self.processor == other.processor and all(
            None in (wanted, found) or wanted == found
            for wanted, found in ((self.xnack, other.xnack), (self.sramecc, other.sramecc))
        )


def from_name(name: str) -> Target:
    """Return the target that an instruction set architecture names after two dashes."""
    processor, *settings = name.rpartition("--")[2].split(":")
    chosen = {s[:-1]: s.endswith("+") for s in settings}
    return Target(processor, chosen.get("xnack"), chosen.get("sramecc"))


def from_flags(flags: int, version: int) -> Target:
    """Return the target that the flags of an ELF header name.

    Args:
        flags: the flags.
        version: of the code object; from 4 on, code may leave a setting open.

    """
    processor = PROCESSORS.get(flags & 0xFF, "")
    if version >= 4:
        return Target(processor, _SETTINGS.get(flags >> 8 & 3), _SETTINGS.get(flags >> 10 & 3))
    return Target(processor, bool(flags & 0x100) or None, bool(flags & 0x200) or None)
