"""Sizes of C types on the 64-bit machines that the registry describes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from hsa_spec.model import Extension, Member, Registry, Table

_SIZES = {
    "bool": 1,
    "char": 1,
    "uint8_t": 1,
    "uint16_t": 2,
    "int16_t": 2,
    "int": 4,
    "int32_t": 4,
    "uint32_t": 4,
    "unsigned int": 4,
    "float": 4,
    "double": 8,
    "int64_t": 8,
    "intptr_t": 8,
    "uintptr_t": 8,
    "uint64_t": 8,
    "size_t": 8,
}
#: The bytes of the version that a table of the tools' interface starts with.
_VERSION = 16
_POINTER = 8
_ARRAY = re.compile(r"^(?P<element>.+?)\s*\[(?P<count>\d+)\]$")


def size_of(ctype: str, registry: Registry) -> int:
    """Return the size of a C type in bytes.

    Args:
        ctype: the type as the registry writes it, such as `void**` or `uint8_t[128]`.
        registry: where enumerations and structures are looked up.

    Raises:
        KeyError: nothing defines the type.

    """
    if ctype in _SIZES:  # most types, most times
        return _SIZES[ctype]
    name = unqualified(ctype)
    if name.endswith("*") or name.startswith("callback:"):
        return _POINTER
    if found := _ARRAY.match(name):
        return size_of(found["element"], registry) * int(found["count"])
    if name in registry.typedefs:
        return size_of(resolved(name, registry), registry)
    size = _SIZES.get(name) or _declared(name, registry)
    if size is None:
        raise KeyError(f"{ctype!r} is neither a C type nor one that the registry defines")
    return size


def _declared(name: str, registry: Registry) -> int | None:
    if name in registry.structs:
        return registry.structs[name].size
    if name in registry.tables:
        table = registry.tables[name]
        return _POINTER * len(table.members) + _VERSION * table.version
    return 4 if name in registry.enums else None


@cache
def pointee(ctype: str) -> str:
    """Return what a pointer type points at, `void` for an untyped one."""
    name = unqualified(ctype)
    return name[:-1].strip() if name.endswith("*") else name


@cache
def unqualified(ctype: str) -> str:
    """Return a type without `const` and `volatile`."""
    return re.sub(r"\b(?:const|volatile)\b", "", ctype).strip()


def resolved(ctype: str, registry: Registry) -> str:
    """Return the type that a typedef stands for in the end; other types stand for themselves."""
    while ctype in registry.typedefs:
        ctype = registry.typedefs[ctype].type
    return ctype


@dataclass(frozen=True)
class Place:
    """Where a program finds the address of a function that is reached through a table.

    Attributes:
        extension: the first version of an extension that has the function.
        table: its table.
        member: the member that points to the function.
        offset: of the member in the table, in bytes.

    """

    extension: Extension
    table: Table
    member: Member
    offset: int

    @property
    def end(self) -> int:
        """How many bytes of the table a program needs to have the member, and all before it."""
        return self.offset + _POINTER


def place_of(function: str, registry: Registry) -> Place | None:
    """Return the place of a function in the table of an extension, None where there is none."""
    places = [
        Place(table.extension, table, member, _POINTER * index)
        for table in registry.tables.values()
        if table.extension is not None
        for index, member in enumerate(table.members)
        if member.function == function
    ]
    return min(places, key=lambda p: (p.extension.major, p.extension.minor or 0), default=None)
