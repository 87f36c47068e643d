"""What is under test, and what its words say of its release and its machine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_ROCM = re.compile(r"ROCm ([0-9.]+)(?:,|$)")
_VIRTUAL_KFD = re.compile(r"virtual KFD, machines? (.+)", re.DOTALL)


@dataclass(frozen=True)
class Subject:
    """What is under test; the members are those of the adapters' Subject."""

    adapter: str
    implementation: str
    path: str | None
    build_id: str | None
    release: str | None
    release_from: str | None
    host: Mapping[str, str]
    device: bool
    exports: tuple[str, ...]
    claims: tuple[str, ...] | None = None
    imitation: str | None = None

    @property
    def rocm(self) -> str | None:
        """Return its ROCm release, such as "6.1.2", or the range that it is in, such as "6.2..".

        None: it is no release of ROCm, or nobody knows which.
        """
        found = _ROCM.match(self.release or "")
        return found[1] if found else None

    @property
    def machines(self) -> tuple[str, ...]:
        """Return the machines of the virtual KFD, with their variables; none for any other."""
        found = _VIRTUAL_KFD.fullmatch(self.imitation or "")
        return tuple(found[1].split("; ")) if found else ()

    @property
    def machine(self) -> str | None:
        """Return the machine of the virtual KFD that is judged first; None for any other."""
        return names_of(self.machines[0])[0] if self.machines else None

    @property
    def emulated(self) -> bool:
        """Return whether somebody else's emulator stands in for the driver or its devices."""
        return self.imitation is not None and not self.machines


def virtual_kfd(machines: Sequence[str]) -> str:
    """Return what a subject says of its imitation, by what the machines are called."""
    return f"virtual KFD, machine{'s' * (len(machines) > 1)} {'; '.join(machines)}"


def names_of(machine: str) -> tuple[str, str]:
    """Return the names of an imitated machine, without its variables and with them.

    Args:
        machine: such as "gfx90a" or "gfx90a, HSA_ENABLE_INTERRUPT=0".

    """
    return machine.partition(",")[0], machine
