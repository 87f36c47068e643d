"""What of a GPU decides how many waves are resident."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_device.code import Descriptor
from hsa_device.errors import ResourcesError

#: What it may be of.
PROCESSORS = ("gfx90a", "gfx942")

_SIMDS = 4  # of a compute unit
_WAVES = 8  # of a SIMD
_REGISTERS = 512  # vector registers of each lane of a SIMD
_GROUPS = 32  # of a compute unit


@dataclass(frozen=True)
class Machine:
    """A GPU of the CDNA family (gfx90a, gfx942).

    Args:
        processor: such as "gfx90a".
        compute_units: how many it has.
        local: LDS of a compute unit, in bytes.

    """

    processor: str
    compute_units: int = 104
    local: int = 64 << 10

    @property
    def has_scratch_register(self) -> bool:
        """Return whether waves find where their scratch is without instructions of the kernel."""
        return self.processor == "gfx942"

    def resident(self, descriptor: Descriptor, group_waves: int, local: int) -> int:
        """Return how many work-groups are on the machine at a time.

        Args:
            descriptor: of the kernel.
            group_waves: waves of a work-group.
            local: LDS of a work-group in bytes.

        Raises:
            ResourcesError: there is no room for one.

        """
        if local > self.local:
            raise ResourcesError(f"{local} bytes of LDS, of {self.local}")
        waves = _SIMDS * min(_WAVES, _REGISTERS // descriptor.vector_registers)
        groups = min(_GROUPS, waves // group_waves)
        if local:
            groups = min(groups, self.local // local)
        if not groups:
            raise ResourcesError(
                f"a work-group of {group_waves} waves with {descriptor.vector_registers} registers "
                f"each, where there is room for {waves} waves"
            )
        return groups * self.compute_units
