"""Differences in enumerations: enumerators that are missing, that are more, and other values."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.headers.declarations import HeaderEnum, Headers, Place
from hsa_spec.headers.difference import MISSING, Difference, existence
from hsa_spec.headers.presence import Presence
from hsa_spec.model import Enum, Registry


def compare(registry: Registry, headers: Headers, presence: Presence) -> Iterator[Difference]:
    """Yield the differences of all enumerations of the registry."""
    for enum in registry.enums.values():
        parts = parts_of(enum, headers)
        if parts:
            yield from _one(enum, parts, presence)
        elif presence.needs_enum(enum.name):
            yield Difference(Place(enum.header), enum.name, MISSING)


def parts_of(enum: Enum, headers: Headers) -> list[HeaderEnum]:
    """Return the enumerations of the headers that together are this one."""
    return [part for part in headers.enums if _belongs(part, enum)]


def _belongs(part: HeaderEnum, enum: Enum) -> bool:
    """Return whether an enumeration of a header is this one, or adds to it and has no name."""
    if part.name is not None:
        return part.name == enum.name
    return not part.values.keys().isdisjoint(e.name for e in enum.enumerators)


def _one(enum: Enum, parts: list[HeaderEnum], presence: Presence) -> Iterator[Difference]:
    places = {name: part.place for part in parts for name in part.values}
    values = {name: value for part in parts for name, value in part.values.items()}
    for enumerator in enum.enumerators:
        name = enumerator.name
        place = places.get(name, parts[0].place)
        expected = presence.release.has(enumerator.versions)
        wrong = existence(place, name, expected=expected, found=name in values)
        if wrong:
            yield wrong
        value = presence.release.value_of(enumerator)
        # An enumerator with the highest bit is negative in some headers.
        if name in values and value is not None and (values[name] - int(value)) % 2**32:
            pair = f"{values[name]:#x}, in the registry {value:#x}"
            yield Difference(place, name, f"the value is {pair}")
    known = {e.name for e in enum.enumerators}
    for name in values:
        if name not in known:
            yield Difference(places[name], name, f"{enum.name} of the registry is without it")
