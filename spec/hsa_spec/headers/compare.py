"""Holds the registry against the headers of a release."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from hsa_spec.headers import enums, functions, structs
from hsa_spec.headers.declarations import Headers
from hsa_spec.headers.difference import Difference
from hsa_spec.headers.known import known
from hsa_spec.headers.presence import Presence
from hsa_spec.model import Registry
from hsa_spec.releases import Release


@dataclass(frozen=True)
class Comparison:
    """What came of it.

    Args:
        release: what the headers were taken for.
        differences: where registry and headers do not agree, by header and line.
        known: differences that are no mistake, as lines that say why.
        compared: how many functions, enums and structs both have, and how many the registry has,
            by these words.
        unregistered: how many of each only the headers have.

    """

    release: Release
    differences: tuple[Difference, ...]
    known: tuple[str, ...]
    compared: dict[str, tuple[int, int]]
    unregistered: dict[str, int]


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
        *structs.compare(readable, headers, presence),
    ]
    found.sort(key=lambda difference: (difference.place.header, difference.place.line))
    explained = {d: known(d, release) for d in found}
    # An enumeration that has no name in the headers goes by the registry's.
    named = {e.name for e in headers.enums if e.name}
    theirs = {
        "functions": headers.functions.keys(),
        "enums": named | {n for n, e in readable.enums.items() if enums.parts_of(e, headers)},
        "structs": headers.structs.keys(),
    }
    ours = {
        "functions": registry.functions.keys(),
        "enums": registry.enums.keys(),
        "structs": registry.structs.keys(),
    }
    return Comparison(
        release,
        tuple(d for d, why in explained.items() if not why),
        tuple(f"{d} ({why.why})" for d, why in explained.items() if why),
        {kind: (len(names & theirs[kind]), len(names)) for kind, names in ours.items()},
        {kind: len(theirs[kind] - names) for kind, names in ours.items()},
    )


def _without(registry: Registry, names: Collection[str | None]) -> Registry:
    """Return the registry without what has one of these names."""
    return replace(
        registry,
        functions={n: f for n, f in registry.functions.items() if n not in names},
        enums={n: e for n, e in registry.enums.items() if n not in names},
        structs={n: s for n, s in registry.structs.items() if n not in names},
    )
