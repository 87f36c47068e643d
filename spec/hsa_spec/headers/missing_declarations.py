"""What only the headers have: declarations that the registry lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from hsa_spec.headers import enums
from hsa_spec.headers.declarations import (
    HeaderCallback,
    HeaderEnum,
    HeaderFunction,
    HeaderMacro,
    Headers,
    HeaderStruct,
    HeaderTable,
    HeaderTypedef,
)
from hsa_spec.headers.difference import Difference
from hsa_spec.model import Registry
from hsa_spec.releases import Release

Declared = (
    HeaderFunction | HeaderStruct | HeaderTable | HeaderCallback | HeaderTypedef | HeaderMacro
)


def compare(registry: Registry, headers: Headers, release: Release) -> Iterator[Difference]:
    """Yield what the headers of the API declare and the registry does not.

    Left out are what was retired later, names that are not the API's (all of those contain "hsa",
    or end in "Table"), headers of the implementation (amd_hsa_*.h), and macros without a value.
    """
    pairs: tuple[tuple[Mapping[str, Declared], Collection[str]], ...] = (
        (headers.functions, registry.functions),
        (headers.structs, registry.structs),
        (headers.tables, registry.tables),
        (headers.callbacks, registry.callbacks),
        (headers.typedefs, {**registry.typedefs, **registry.enums, **registry.structs}),
        ({n: m for n, m in headers.macros.items() if any(m.values)}, registry.macros),
    )
    retired = {n for n, r in registry.retired.items() if release.has(r.versions) is not False}
    for theirs, ours in pairs:
        for name, declared in theirs.items():
            if name not in ours and name not in retired and _is_api(name, declared):
                yield _only_here(name, declared)
    known = {part for e in registry.enums.values() for part in enums.parts_of(e, headers)}
    for enum in headers.enums:
        name = enum.name or next(iter(enum.values))
        if enum not in known and name not in retired and _is_api(name, enum):
            yield _only_here(name, enum)


def _is_api(name: str, declared: Declared | HeaderEnum) -> bool:
    ours = "hsa" in name.lower() or name.endswith("Table")
    return ours and declared.place.header.startswith("hsa")


def _only_here(name: str, declared: Declared | HeaderEnum) -> Difference:
    return Difference(declared.place, name, "in the header, but not in the registry")
