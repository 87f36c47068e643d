"""The value of an attribute as numbers and texts, from the bytes that a query wrote."""

from __future__ import annotations

import re
from typing import Any, Final

from hsa_spec import Attribute, Registry
from hsa_spec.layout import resolved, size_of

_ARRAY: Final = re.compile(r"(.+?)\s*\[(\d*)\]")


def decoded(content: bytes, attribute: Attribute, registry: Registry) -> Any:  # noqa: ANN401
    """Return the value of an attribute.

    A text ends before its first NUL byte; an array or a plain structure is a tuple; a mask is a
    number; a structure with members is a mapping from their names, and so is each element.

    Args:
        content: the bytes of the value.
        attribute: the one that was asked for.
        registry: where its type is looked up.

    """
    if attribute.read_as == "positions":
        return int.from_bytes(content, "little")
    return _value(content, attribute.type, registry)


def _value(content: bytes, ctype: str, registry: Registry) -> Any:  # noqa: ANN401
    if found := _ARRAY.fullmatch(ctype):
        element = found[1]
        if element == "char":
            return content.partition(b"\0")[0].decode("utf-8", "replace")
        size = size_of(element, registry)
        places = range(0, len(content) - size + 1, size)
        return tuple(_value(content[p : p + size], element, registry) for p in places)
    struct = registry.structs.get(ctype)
    if struct is None or struct.handle:
        signed = resolved(ctype, registry).startswith("int")
        return int.from_bytes(content, "little", signed=signed)
    members = {
        f.name: _value(content[f.offset : f.offset + f.size], f.type, registry)
        for f in struct.fields
    }
    # What has dimensions alone is compared like an array of them.
    return tuple(members.values()) if set(members) == {"x", "y", "z"} else members
