"""Differences in tables of functions: members, their order, and the functions they are for."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.headers.declarations import Headers, HeaderTable
from hsa_spec.headers.difference import Difference, existence, presence_of
from hsa_spec.model import Registry, Table
from hsa_spec.releases import Release


def compare(registry: Registry, headers: Headers, release: Release) -> Iterator[Difference]:
    """Yield the differences of all tables of the registry."""
    for table in registry.tables.values():
        found = headers.tables.get(table.name)
        yield from presence_of(table, found, release)
        if found:
            yield from _one(table, found, release)


def _one(table: Table, found: HeaderTable, release: Release) -> Iterator[Difference]:
    theirs = dict(found.members)
    for member in table.members:
        subject = f"{table.name}.{member.name}"
        expected = release.has(member.versions)
        wrong = existence(found.place, subject, expected=expected, found=member.name in theirs)
        if wrong:
            yield wrong
        function = theirs.get(member.name)
        if function and function != member.function:
            message = f"it is for {function}, in the registry for {member.function}"
            yield Difference(found.place, subject, message)
    known = [m.name for m in table.members]
    for name in theirs:
        if name not in known:
            message = "the table of the registry is without it"
            yield Difference(found.place, f"{table.name}.{name}", message)
    order = [name for name in known if name in theirs]
    for ours, name in zip(order, (n for n in theirs if n in known), strict=True):
        if ours != name:
            message = f"{name} stands where the registry has {ours}"
            yield Difference(found.place, table.name, message)
            return
