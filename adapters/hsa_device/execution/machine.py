"""What of a GPU decides how many waves are resident."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_device.code import Descriptor
from hsa_device.errors import ResourcesError
from hsa_device.targets import TARGETS, Target

_PRIVATE = 2  # the upper 16 bits of flat addresses that mean scratch


@dataclass(frozen=True)
class Machine:
    """A GPU.

    Args:
        processor: one of TARGETS.
        compute_units: how many it has.
        local: LDS of a compute unit, in bytes.
        shared: the upper 16 bits of flat addresses that mean LDS.

    """

    processor: str
    compute_units: int = 104
    local: int = 64 << 10
    shared: int = 1

    @property
    def target(self) -> Target:
        """Return what it is of."""
        return TARGETS[self.processor]

    @property
    def apertures(self) -> Mapping[str, int]:
        """Return where flat addresses mean LDS, and scratch: the first and the last of each."""
        bases = {"shared": self.shared << 48, "private": _PRIVATE << 48}
        limits = {f"src_{name}_limit": base + (1 << 32) - 1 for name, base in bases.items()}
        return {**{f"src_{name}_base": base for name, base in bases.items()}, **limits}

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
