"""Sizes of C types on the 64-bit machines that the registry describes."""

from __future__ import annotations

import re

from hsa_spec.model import Registry

_SIZES = {
    "bool": 1,
    "char": 1,
    "uint8_t": 1,
    "uint16_t": 2,
    "int": 4,
    "int32_t": 4,
    "uint32_t": 4,
    "int64_t": 8,
    "uint64_t": 8,
    "size_t": 8,
}
_ARRAY = re.compile(r"^(?P<element>.+?)\s*\[(?P<count>\d+)\]$")


def size_of(ctype: str, registry: Registry) -> int:
    """Return the size of a C type in bytes.

    Args:
        ctype: the type as the registry writes it, such as `void**` or `uint8_t[128]`.
        registry: where enumerations and structures are looked up.

    Raises:
        KeyError: nothing defines the type.

    """
    name = ctype.replace("const", "").strip()
    if name.endswith("*") or name.startswith("callback:"):
        return 8
    if found := _ARRAY.match(name):
        return size_of(found["element"], registry) * int(found["count"])
    if name in _SIZES:
        return _SIZES[name]
    if name in registry.structs:
        return registry.structs[name].size
    if name in registry.enums:
        return 4
    raise KeyError(f"{ctype!r} is neither a C type nor one that the registry defines")


def pointee(ctype: str) -> str:
    """Return what a pointer type points at, `void` for an untyped one."""
    name = ctype.replace("const", "").strip()
    return name[:-1].strip() if name.endswith("*") else name
