"""The reference implementation of the HSA runtime API."""

from hsa_reference.machine import Machine
from hsa_reference.machine_file import load_machine, machine_names
from hsa_reference.runtime import AnswerError, Runtime
from hsa_reference.section import MachineError
from hsa_reference.topics import implemented

__all__ = [
    "AnswerError",
    "Machine",
    "MachineError",
    "Runtime",
    "implemented",
    "load_machine",
    "machine_names",
]
