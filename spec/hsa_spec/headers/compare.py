"""Holds the registry against the headers of a release."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from hsa_spec.headers import (
    attributes,
    enums,
    functions,
    missing_declarations,
    names,
    structs,
    tables,
    texts,
)
from hsa_spec.headers.declarations import Headers
from hsa_spec.headers.difference import Difference
from hsa_spec.headers.presence import Presence
from hsa_spec.model import Registry
from hsa_spec.releases import Release


@dataclass(frozen=True)
class Comparison:
    """What came of it.

    Args:
        release: what the headers were taken for.
        differences: where registry and headers do not agree, by header and line.
        compared: how many functions, enums, structs, tables, callbacks, typedefs and macros both
            have, and how many the registry has, by these words.

    """

    release: Release
    differences: tuple[Difference, ...]
    compared: dict[str, tuple[int, int]]


def compare(registry: Registry, headers: Headers, release: Release) -> Comparison:
    """Compare what the registry holds with what headers declare.

    What the parser could not read is left out; `headers.problems` has it.

    Args:
        registry: the registry.
        headers: the headers.
        release: what is known of their ROCm release; where it names no interface version, the one
            that the headers declare is taken.

    """
    release = replace(release, interface=release.interface or headers.interface)
    readable = _without(registry, {p.construct for p in headers.problems})
    presence = Presence(registry, release)
    found = [
        *functions.compare(readable, headers, release),
        *enums.compare(readable, headers, presence),
        *attributes.compare(readable, headers),
        *structs.compare(readable, headers, presence),
        *tables.compare(readable, headers, release),
        *names.compare(readable, headers, release),
        *missing_declarations.compare(registry, headers, release),
        *texts.compare(readable, headers, release),
    ]
    found.sort(key=lambda difference: (difference.place.header, difference.place.line))
    # An enumeration that has no name in the headers goes by the registry's.
    named = {e.name for e in headers.enums if e.name}
    theirs: dict[str, Collection[str]] = {
        "functions": headers.functions,
        "enums": named | {n for n, e in readable.enums.items() if enums.parts_of(e, headers)},
        "structs": headers.structs,
        "tables": headers.tables,
        "callbacks": headers.callbacks,
        "typedefs": headers.typedefs,
        "macros": headers.macros,
    }
    ours: dict[str, Collection[str]] = {kind: getattr(registry, kind) for kind in theirs}
    return Comparison(
        release,
        tuple(found),
        {kind: (len(set(ours[kind]) & set(theirs[kind])), len(ours[kind])) for kind in theirs},
    )


def _without(registry: Registry, broken: Collection[str | None]) -> Registry:
    """Return the registry without what could not be read."""
    return replace(
        registry,
        functions={n: f for n, f in registry.functions.items() if n not in broken},
        enums={n: e for n, e in registry.enums.items() if n not in broken},
        structs={n: s for n, s in registry.structs.items() if n not in broken},
        tables={n: t for n, t in registry.tables.items() if n not in broken},
        callbacks={n: c for n, c in registry.callbacks.items() if n not in broken},
        typedefs={n: t for n, t in registry.typedefs.items() if n not in broken},
    )
