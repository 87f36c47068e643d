"""Differences in structures and handles: members, offsets, sizes."""

from __future__ import annotations

from collections.abc import Container, Iterator

from hsa_spec.headers.declarations import HeaderField, Headers, HeaderStruct, Place
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
        header = theirs[field.name]
        offset = field.offset - _missing_before(struct, field, theirs)
        for what, found_, ours in (
            ("type", header.type, _type_in(header, field)),
            ("offset", header.offset, offset),
            ("size", header.size, field.size),
        ):
            if found_ != ours:
                message = f"the {what} is {found_}, in the registry {ours}"
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


def _type_in(header: HeaderField, field: Field) -> str:
    """Return a member's type as the header would write it, if the header means the same."""
    is_callback = field.type == f"callback:{header.type}" or "(*)" in header.type
    return header.type if field.type.startswith("callback:") and is_callback else field.type


def _missing_before(struct: Struct, field: Field, theirs: Container[str]) -> int:
    """Return how many bytes before a member a release lacks, with which the member moves up."""
    before = (f for f in struct.fields if f.offset < field.offset and f.name not in theirs)
    return sum(f.size for f in before if _alone(struct, f))


def _alone(struct: Struct, field: Field) -> bool:
    """Return whether no other member shares a member's bytes."""
    end = field.offset + field.size
    overlapping = [f for f in struct.fields if f.offset < end and field.offset < f.offset + f.size]
    return overlapping == [field]


def _size(struct: Struct, present: list[Field]) -> int:
    """Return the size of a structure, in bytes, of which a release has only these members."""
    if len(present) == len(struct.fields):
        return struct.size
    names = {f.name for f in present}
    ends = (f.offset + f.size - _missing_before(struct, f, names) for f in present)
    end = max(ends, default=0)
    return -(-end // struct.alignment) * struct.alignment
