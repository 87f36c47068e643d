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
        VirtualKfdError: there is no such machine, its file breaks a rule, or it cannot be imitated.

    """
    try:
        machine = machines.load_machine(name)
    except MachineError as error:
        raise VirtualKfdError(str(error)) from None
    if len(machine.cpus) > 1:
        raise VirtualKfdError(f"{name}: cpus: the imitated driver has one CPU; give one item")
    return machine
