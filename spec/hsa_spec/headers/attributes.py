"""Differences in attributes: what the comments of their enumerators state of type and objects."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hsa_spec.headers.declarations import Headers
from hsa_spec.headers.difference import Difference
from hsa_spec.headers.enums import parts_of
from hsa_spec.layout import resolved, size_of
from hsa_spec.model import Attribute, Registry

_MARKS = re.compile(r"\s*\n\s*(?:\*|//)?\s*")
_STATED = re.compile(
    r"(?:\b(?:type|size) of this attribute is|\bvalue type is|\breturns)"
    r"(?: an?)?(?: NUL-terminated)? (?:::)?(\w+)( ?\[\d+\])?",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\bundefined if\b|\bonly (?:defined|valid)\b|\bvalid only\b", re.IGNORECASE)


def compare(registry: Registry, headers: Headers) -> Iterator[Difference]:
    """Yield each attribute of which the headers state something else."""
    for name in dict.fromkeys(a.enum for a in registry.attributes.values()):
        parts = parts_of(registry.enums[name], headers) if name in registry.enums else []
        for part in parts:
            for enumerator, comment in part.comments.items():
                attribute = registry.attributes.get(enumerator)
                if attribute is not None and comment:
                    text = _MARKS.sub(" ", comment)
                    for message in _differences(attribute, text, registry):
                        yield Difference(part.place, enumerator, message)


def _differences(attribute: Attribute, text: str, registry: Registry) -> Iterator[str]:
    stated = stated_type(text, registry)
    known = resolved(attribute.type, registry)
    if stated is not None and attribute.inferred is None and stated != known:
        yield f"the stated type is {stated}, in the registry {attribute.type}"
    open_here = attribute.elsewhere == "undefined" or attribute.platform is not None
    if bool(_OPEN.search(text)) != open_here:
        found = "no object" if open_here else "some objects"
        yield f"the text leaves the value open for {found}, the registry says otherwise"


def stated_type(text: str, registry: Registry) -> str | None:
    """Return the C type that the text of an attribute states, None if it states none."""
    for name, count in _STATED.findall(text):
        ctype: str = resolved(name, registry) + count.strip()
        try:
            size_of(ctype, registry)
        except KeyError:  # an ordinary word
            continue
        return ctype
    return None
