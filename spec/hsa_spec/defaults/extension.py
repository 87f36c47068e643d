"""Since when extensions have what no document dates: since the first version of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hsa_spec.documents import Document
from hsa_spec.model import AMD_HEADERS, FOUNDATION_HEADER, NEVER

#: The first version of the extension's interface.
FIRST: Final = {"amd_interface": "1.0"}

#: Since when the HSA Foundation's own header has what it declares.
FOUNDATION: Final = {"hsa": "1.1", "rocm": NEVER}

#: What the names of AMD's enumerators have in them, in hsa.h, too.
_MARK: Final = "_AMD_"


def dated(document: Document) -> Document:
    """Return a document in which everything of an extension says since when it is there."""
    data = {**document.data}
    if "rule" in data:  # its clauses are about functions, which say it
        return document
    whole = data.get("header") in AMD_HEADERS
    if data.get("header") == FOUNDATION_HEADER:
        return replace(document, data=_of_foundation(data))
    if whole and "enum" not in data and "attributes" not in data:
        data.setdefault("since", FIRST)
    if "enumerators" in data:
        data["enumerators"] = [
            _since(row) if whole or _MARK in row["name"] else row for row in data["enumerators"]
        ]
    if not whole and "clauses" in data:
        data["clauses"] = {
            slug: _since(clause) if _about_extension(clause["source"]) else clause
            for slug, clause in data["clauses"].items()
        }
    return replace(document, data=data)


def _of_foundation(data: Mapping[str, Any]) -> dict[str, Any]:
    if "enumerators" in data:
        rows = [{"since": FOUNDATION, **row} for row in data["enumerators"]]
        return {**data, "enumerators": rows}
    return {"since": FOUNDATION, **data}


def _about_extension(source: Mapping[str, Any]) -> bool:
    named = _MARK in str(source.get("enumerator", ""))
    return named or source.get("header") in AMD_HEADERS


def _since(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"since": FIRST, **row}
