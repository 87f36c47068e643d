"""The reference implementation of the HSA runtime API."""

from hsa_reference.kernels import KernelsError
from hsa_reference.machine import Machine
from hsa_reference.modelling import load_machine
from hsa_reference.native import NativeError
from hsa_reference.runtime import AnswerError, Runtime
from hsa_reference.topics import NOT_MODELLED, implemented

__all__ = [
    "NOT_MODELLED",
    "AnswerError",
    "KernelsError",
    "Machine",
    "NativeError",
    "Runtime",
    "implemented",
    "load_machine",
]
