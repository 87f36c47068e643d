"""What the rules look up: headers, and how a bad handle of each type is noticed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hsa_spec.documents import Document
from hsa_spec.model import FOUNDATION_HEADER

#: The header that a folder of the registry is about.
HEADERS = {
    "core": "hsa.h",
    "amd": "hsa_ext_amd.h",
    "aqlprofile": "hsa_ven_amd_aqlprofile.h",
    "counters": FOUNDATION_HEADER,
    "finalizer": "hsa_ext_finalize.h",
    "images": "hsa_ext_image.h",
    "loader": "hsa_ven_amd_loader.h",
    "pc_sampling": "hsa_ven_amd_pc_sampling.h",
    "profiling_events": FOUNDATION_HEADER,
    "rules": "hsa.h",
}
_NAMES = ("function", "struct", "handle", "enum")


@dataclass(frozen=True)
class Invalid:
    """How calls notice that a handle, or a pointer to a structure, is none.

    Args:
        unless: the term that holds for one that is valid.
        status: the status that calls answer otherwise.
        slug: the end of the slug of the clause about a value that no call returned.
        reserved: the header that says of 0 that it is no handle, if one does.

    """

    unless: str
    status: str
    slug: str = "unknown-handle"
    reserved: str = ""


@dataclass
class Facts:
    """What all documents together say.

    Args:
        headers: the header of each function, type and enumerator.
        invalid: how a bad value is noticed, by the C type of the parameter.
        enums: the names of the enumerations.

    """

    headers: dict[str, str] = field(default_factory=dict)
    invalid: dict[str, Invalid] = field(default_factory=dict)
    enums: set[str] = field(default_factory=set)


def declared(document: Document) -> Document:
    """Return a document that names its header and the directions of its parameters.

    Raises:
        RegistryError: it names no header, and its folder is about none.

    """
    data = document.data
    if "attributes" in data:  # their enumeration has one
        return document
    header = data.get("header") or HEADERS.get(document.path.parent.name)
    if header is None:
        raise document.error((), "'header' is a required property outside the folders of headers")
    data = {**data, "header": header}
    if "params" in data:
        data["params"] = [{"direction": "in", **p} for p in data["params"]]
    return replace(document, data=data)


def gather(documents: Iterable[Document]) -> Facts:
    """Return what documents say together."""
    facts = Facts()
    for data in (d.data for d in documents):
        for name in (data[key] for key in _NAMES if key in data):
            facts.headers[name] = data["header"]
            if "invalid" in data:
                ctype = f"{name}*" if "struct" in data else name
                facts.invalid[ctype] = _invalid(data["invalid"])
        if "enum" in data:
            facts.enums.add(data["enum"])
        for enumerator in data.get("enumerators", ()):
            facts.headers[enumerator["name"]] = data["header"]
    return facts


def status_name(text: str) -> str:
    """Return the whole name of a status that may lack its prefix."""
    return text if text.startswith("HSA_") else f"HSA_STATUS_{text}"


def _invalid(data: Mapping[str, Any]) -> Invalid:
    return Invalid(**{**data, "status": status_name(data["status"])})
