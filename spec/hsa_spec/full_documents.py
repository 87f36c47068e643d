"""Documents of the registry as YAML with nothing left to defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import yaml

from hsa_spec.documents import Document, read_documents
from hsa_spec.family import expanded
from hsa_spec.loader import REGISTRY, documents
from hsa_spec.places import kind_of

_MARK = "  # by default"


def in_full(name: str, root: Path = REGISTRY) -> str | None:
    """Return the document of a name in full, or None where no document has that name.

    A clause that its file does not name is marked. Loaded in place of what is written, the text
    gives the same registry.

    Args:
        name: a function, an attribute, an enumerator, or anything else that is declared.
        root: the folder that holds the YAML files.

    Raises:
        RegistryError: a file is malformed.

    """
    found = next((d for d in documents(root) if d.data[kind_of(d)] == name), None)
    if found is None:
        return _part(name, root)
    head, separator, clauses = as_yaml(found).partition("\nclauses:\n")
    for slug in set(found.data.get("clauses", ())) - _written(found):
        clauses = f"\n{clauses}".replace(f"\n  {slug}:", f"\n  {slug}:{_MARK}")[1:]
    return head + separator + clauses


def _part(name: str, root: Path) -> str | None:
    """Return what a document says of one attribute or enumerator, and of all of its kind."""
    for document in documents(root):
        if "attributes" in document.data and name in document.data["values"]:
            return _with(document, values={name: document.data["values"][name]})
    for document in documents(root):
        if one := [e for e in document.data.get("enumerators", ()) if e["name"] == name]:
            return _with(document, enumerators=one)
    return None


def _with(document: Document, **changed: object) -> str:
    return as_yaml(replace(document, data={**document.data, **changed}))


def as_yaml(document: Document) -> str:
    """Return what a document says, as YAML."""
    return yaml.safe_dump(document.data, sort_keys=False, allow_unicode=True, width=100)


def _written(document: Document) -> set[str]:
    name = document.data[kind_of(document)]
    written = expanded(read_documents(document.path))
    data = next(d.data for d in written if d.data.get(kind_of(document)) == name)
    return set(data.get("clauses", ()))
