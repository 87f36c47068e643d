"""The machine-readable specification of the HSA runtime API."""

from hsa_spec.conditions.english import sentence as describe
from hsa_spec.errors import ConditionError, RegistryError
from hsa_spec.loader import load
from hsa_spec.model import (
    CallbackType,
    Clause,
    DecidedBy,
    Enum,
    Enumerator,
    Field,
    Function,
    Kind,
    Parameter,
    Registry,
    Source,
    Strength,
    Struct,
    Versions,
)
from hsa_spec.world import World

__all__ = [
    "CallbackType",
    "Clause",
    "ConditionError",
    "DecidedBy",
    "Enum",
    "Enumerator",
    "Field",
    "Function",
    "Kind",
    "Parameter",
    "Registry",
    "RegistryError",
    "Source",
    "Strength",
    "Struct",
    "Versions",
    "World",
    "describe",
    "load",
]
