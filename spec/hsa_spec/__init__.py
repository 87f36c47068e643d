"""The machine-readable specification of the HSA runtime API."""

from hsa_spec.as_json import as_json
from hsa_spec.errors import ConditionError, RegistryError
from hsa_spec.loader import load
from hsa_spec.model import (
    Attribute,
    CallbackType,
    Change,
    Clause,
    DecidedBy,
    Enum,
    Enumerator,
    Extension,
    Field,
    Function,
    Kind,
    Macro,
    Member,
    Parameter,
    Prerequisite,
    Registry,
    RetiredType,
    Rule,
    Source,
    Strength,
    Struct,
    Table,
    Typedef,
    Versions,
)
from hsa_spec.releases import Release
from hsa_spec.sentences import sentence as describe
from hsa_spec.sets import Claim, NamedSet, named_sets, read_claim
from hsa_spec.world import World

__all__ = [
    "Attribute",
    "CallbackType",
    "Change",
    "Claim",
    "Clause",
    "ConditionError",
    "DecidedBy",
    "Enum",
    "Enumerator",
    "Extension",
    "Field",
    "Function",
    "Kind",
    "Macro",
    "Member",
    "NamedSet",
    "Parameter",
    "Prerequisite",
    "Registry",
    "RegistryError",
    "Release",
    "RetiredType",
    "Rule",
    "Source",
    "Strength",
    "Struct",
    "Table",
    "Typedef",
    "Versions",
    "World",
    "as_json",
    "describe",
    "load",
    "named_sets",
    "read_claim",
]
