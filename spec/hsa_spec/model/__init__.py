"""What the registry holds, as plain frozen data."""

from hsa_spec.model.attributes import (
    Attribute,
    Wanted,
)
from hsa_spec.model.clauses import (
    ANYTHING,
    CONVENTION,
    CONVENTIONS,
    DOCUMENTATION,
    SPECIFICATION,
    Clause,
    DecidedBy,
    Kind,
    Reading,
    Source,
    Strength,
)
from hsa_spec.model.functions import (
    Function,
    Parameter,
)
from hsa_spec.model.registry import (
    Declared,
    Registry,
    Subject,
)
from hsa_spec.model.rules import (
    NOWHERE,
    Rule,
    Statement,
    Transition,
)
from hsa_spec.model.types import (
    CallbackType,
    Enum,
    Enumerator,
    Extension,
    Field,
    Macro,
    Member,
    Retired,
    Struct,
    Table,
    Type,
    Typedef,
)
from hsa_spec.model.versions import (
    AMD_HEADERS,
    FOUNDATION_HEADER,
    NEVER,
    Change,
    Versions,
)

__all__ = [
    "AMD_HEADERS",
    "ANYTHING",
    "CONVENTION",
    "CONVENTIONS",
    "DOCUMENTATION",
    "FOUNDATION_HEADER",
    "NEVER",
    "NOWHERE",
    "SPECIFICATION",
    "Attribute",
    "CallbackType",
    "Change",
    "Clause",
    "DecidedBy",
    "Declared",
    "Enum",
    "Enumerator",
    "Extension",
    "Field",
    "Function",
    "Kind",
    "Macro",
    "Member",
    "Parameter",
    "Reading",
    "Registry",
    "Retired",
    "Rule",
    "Source",
    "Statement",
    "Strength",
    "Struct",
    "Subject",
    "Table",
    "Transition",
    "Type",
    "Typedef",
    "Versions",
    "Wanted",
]
