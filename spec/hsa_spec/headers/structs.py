"""Differences in structures and handles: members, offsets, sizes."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.headers.declarations import Headers, HeaderStruct, Place
from hsa_spec.headers.difference import MISSING, Difference, existence
from hsa_spec.headers.presence import Presence
from hsa_spec.model import Field, Registry, Struct


def compare(registry: Registry, headers: Headers, presence: Presence) -> Iterator[Difference]:
    """Yield the differences of all structures and handles of the registry."""
    for struct in registry.structs.values():
        found = headers.structs.get(struct.name)
        if found:
            yield from _one(struct, found, presence)
        elif presence.needs_struct(struct.name):
            yield Difference(Place(struct.header), struct.name, MISSING)


def _one(struct: Struct, found: HeaderStruct, presence: Presence) -> Iterator[Difference]:
    theirs = {f.name: f for f in found.fields}
    for field in struct.fields:
        subject = f"{struct.name}.{field.name}"
        expected = presence.release.has(field.versions)
        wrong = existence(found.place, subject, expected=expected, found=field.name in theirs)
        if wrong:
            yield wrong
        if field.name not in theirs:
            continue
        for what in ("type", "offset", "size"):
            header, ours = getattr(theirs[field.name], what), getattr(field, what)
            if header != ours:
                message = f"the {what} is {header}, in the registry {ours}"
                yield Difference(found.place, subject, message)
    for name in theirs:
        if name not in struct.field:
            subject = f"{struct.name}.{name}"
            yield Difference(found.place, subject, "the structure of the registry is without it")
    size = _size(struct, [f for f in struct.fields if f.name in theirs])
    if (found.size, found.alignment) != (size, struct.alignment):
        pair = f"{found.size} bytes aligned to {found.alignment}"
        message = f"the header has {pair}, the registry {size} aligned to {struct.alignment}"
        yield Difference(found.place, struct.name, message)


def _size(struct: Struct, present: list[Field]) -> int:
    """Return the size of a structure, in bytes, of which a release has only these members."""
    if len(present) == len(struct.fields):
        return struct.size
    end = max((f.offset + f.size for f in present), default=0)
    return -(-end // struct.alignment) * struct.alignment
