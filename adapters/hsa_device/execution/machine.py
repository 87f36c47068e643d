"""What of a GPU decides how many waves are resident."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_device.code import Descriptor
from hsa_device.errors import ResourcesError
from hsa_device.targets import TARGETS, Target


@dataclass(frozen=True)
class Machine:
    """A GPU.

    Args:
        processor: one of TARGETS.
        compute_units: how many it has.
        local: LDS of a compute unit, in bytes.

    """

    processor: str
    compute_units: int = 104
    local: int = 64 << 10

    @property
    def target(self) -> Target:
        """Return what it is of."""
        return TARGETS[self.processor]

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
        target = self.target
        registers = target.registers * 64 // descriptor.wave
        waves = target.simds * min(target.resident, registers // descriptor.vector_registers)
        groups = min(target.groups, waves // group_waves)
        if local:
            groups = min(groups, self.local // local)
        if not groups:
            raise ResourcesError(
                f"a work-group of {group_waves} waves with {descriptor.vector_registers} registers "
                f"each, where there is room for {waves} waves"
            )
        return groups * self.compute_units
