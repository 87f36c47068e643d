"""The reference implementation of the HSA runtime API."""

from hsa_reference.machine import Machine, load_machine
from hsa_reference.runtime import AnswerError, Runtime, implemented
from hsa_reference.section import MachineError

__all__ = ["AnswerError", "Machine", "MachineError", "Runtime", "implemented", "load_machine"]
