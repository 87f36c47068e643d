"""Where the registry's files say a thing."""

from __future__ import annotations

from pathlib import Path

from hsa_spec.documents import Document, read_documents
from hsa_spec.errors import RegistryError
from hsa_spec.family import expanded
from hsa_spec.model import Declared, Registry

_KINDS = (
    *("function", "enum", "struct", "handle", "callback"),
    *("macro", "table", "typedef", "retired"),
)


def kind_of(document: Document) -> str:
    """Return the key of a document that names what it declares."""
    return next(kind for kind in _KINDS if kind in document.data)


def place_of(
    registry: Registry, declared: Declared, slug: str | None = None
) -> tuple[Path, int | None]:
    """Return the file and the line of a declaration, or of a clause.

    A clause that nothing but a default says is where the clauses of its function are. The line is
    None where the file is gone or broken by now.

    Args:
        registry: what was loaded.
        declared: a declaration of it.
        slug: the slug of a clause, where `declared` is a function.

    """
    path = registry.root / f"{declared.topic}.yaml"
    try:
        documents = list(expanded(read_documents(path)))
    except (OSError, RegistryError):
        return path, None
    for document in documents:
        kind = kind_of(document)
        if document.data[kind] == declared.name:
            return path, document.line(["clauses", slug] if slug else [kind])
    return path, None
