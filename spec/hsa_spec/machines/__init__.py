"""Machines that HSA runs on, described in small YAML files.

The reference models a runtime on them, and the imitation of AMD's kernel driver answers for them.
"""

from hsa_spec.machines.images import usual_image_formats
from hsa_spec.machines.model import (
    Block,
    Cpu,
    Driver,
    Gpu,
    ImageFormats,
    Machine,
    MachineError,
    Pool,
    RuntimeModel,
    Sampling,
)
from hsa_spec.machines.reader import load_machine, machine_names
from hsa_spec.machines.targets import Cache, Target, targets

__all__ = [
    "Block",
    "Cache",
    "Cpu",
    "Driver",
    "Gpu",
    "ImageFormats",
    "Machine",
    "MachineError",
    "Pool",
    "RuntimeModel",
    "Sampling",
    "Target",
    "load_machine",
    "machine_names",
    "targets",
    "usual_image_formats",
]
