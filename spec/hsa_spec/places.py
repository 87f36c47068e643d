"""Where the registry's files say a thing."""

from __future__ import annotations

from pathlib import Path

from hsa_spec.documents import Document, read_documents
from hsa_spec.errors import RegistryError
from hsa_spec.family import expanded
from hsa_spec.model import Attribute, Declared, Registry, Rule

_KINDS = (
    *("function", "enum", "attributes", "struct", "handle", "callback"),
    *("macro", "table", "typedef", "retired", "rule"),
)


def kind_of(document: Document) -> str:
    """Return the key of a document that names what it declares."""
    return next(kind for kind in _KINDS if kind in document.data)


def document_of(registry: Registry, declared: Declared | Rule) -> tuple[Document, Document] | None:
    """Return the document of a declaration or a rule, and the same as it is written.

    They differ where a function is one of a family; neither says defaults.

    Args:
        registry: what was loaded.
        declared: a declaration of it.

    Returns:
        None where the file is gone or broken by now.

    """
    try:
        written = list(read_documents(registry.root / f"{declared.topic}.yaml"))
        for document in expanded(written):
            if document.data[kind_of(document)] == declared.name:
                return document, written[document.index]
    except (OSError, RegistryError):
        pass
    return None


def place_of_attribute(registry: Registry, attribute: Attribute) -> tuple[Path, int | None]:
    """Return the file and the line where the registry describes an attribute.

    The line is None where the file is gone or broken by now.
    """
    path = registry.root / f"{registry.enums[attribute.enum].topic}.yaml"
    try:
        for document in read_documents(path):
            if document.data.get("attributes") == attribute.enum:
                return path, document.line(["values", attribute.name])
    except (OSError, RegistryError):
        pass
    return path, None


def place_of(
    registry: Registry, declared: Declared | Rule, *keys: str | int
) -> tuple[Path, int | None]:
    """Return the file and the line of a declaration or a rule, or of a part of it.

    What is not written, such as a clause that nothing but a default says, is where the parts of its
    kind are. The line is None where the file is gone or broken by now.

    Args:
        registry: what was loaded.
        declared: a declaration of it.
        keys: what leads to the part, such as "clauses" and the slug of one.

    """
    path = registry.root / f"{declared.topic}.yaml"
    found = document_of(registry, declared)
    if found is None:
        return path, None
    document, _ = found
    return path, document.line(keys or [kind_of(document)])
