"""Which machines can be imitated."""

from __future__ import annotations

from pathlib import Path

from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_spec import machines
from hsa_spec.machines import Machine, MachineError

DEFAULT = "gfx90a"


def load_machine(name: str | Path) -> Machine:
    """Read a machine; see `hsa_spec.machines.load_machine`.

    Raises:
        VirtualKfdError: there is no such machine, or its file breaks a rule.

    """
    try:
        return machines.load_machine(name)
    except MachineError as error:
        raise VirtualKfdError(str(error)) from None
