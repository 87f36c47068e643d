"""What the registry says of a type, a constant or a status, as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hsa_spec.attribute_text import lines as attribute_lines
from hsa_spec.declaration import pointer, variable
from hsa_spec.model import (
    CallbackType,
    Change,
    Enum,
    Enumerator,
    Macro,
    Registry,
    Struct,
    Table,
    Type,
    Typedef,
    Versions,
)

STATUSES = "hsa_status_t"


def lines(item: Type, registry: Registry) -> list[str]:
    """Return what the registry says of a type, a macro or a table."""
    head = f"{item.name}  ({item.header}, topic {item.topic})"
    return [head, f"  {item.summary}", *(f"  {line}" for line in _body(item, registry))]


def enumerator_lines(enum: Enum, one: Enumerator, registry: Registry) -> list[str]:
    """Return what the registry says of an enumerator: of a status, also who answers with it."""
    attribute = registry.attributes.get(one.name)
    if attribute is not None:
        return attribute_lines(attribute, registry)
    head = f"{one.name} = {one.value:#x}  (of {enum.name}, {enum.header})"
    said = [one.summary, *_history(one.versions, one.deprecated, one.changes)]
    answers = _answers(one.name, registry) if enum.name == STATUSES else ()
    return [head, *(f"  {line}" for line in (*said, *answers))]


def _answers(status: str, registry: Registry) -> Iterator[str]:
    """Yield who lists a status, and the clauses that lead to it."""
    listing = [f.name for f in registry.functions.values() if status in f.documented]
    yield f"functions that list it: {', '.join(listing) or 'none'}"
    clauses = [c for c in registry.clauses.values() if status in c.status]
    yield f"clauses that lead to it: {len(clauses) or 'none'}"
    yield from (f"  {clause.id} [{clause.strength}]" for clause in clauses)


def _body(item: Type, registry: Registry) -> Iterator[str]:
    match item:
        case Enum():
            for e in item.enumerators:
                yield " ".join([f"{e.name} = {e.value:#x}", e.summary, str(e.versions)]).rstrip()
            return
        case Struct(handle=True):
            yield f"an opaque handle of {item.size} bytes"
        case Struct():
            yield f"{item.size} bytes, aligned to {item.alignment}"
            for f in item.fields:
                declared = variable(f.type, f.name, registry)
                yield " ".join([f"{f.offset:>4}  {declared}", f.summary, str(f.versions)]).rstrip()
        case CallbackType():
            yield f"{pointer(item, item.name, registry)};"
            yield from item.contract
        case Typedef():
            yield f"typedef {variable(item.type, item.name, registry)};"
        case Table():
            for number, m in enumerate(item.members):
                yield " ".join([f"{number:>4}  {m.name}", str(m.versions)]).rstrip()
        case Macro():
            yield f"#define {item.name} {item.value}"
        case _:
            pass
    changes = item.changes if isinstance(item, Struct | Table | Macro) else ()
    yield from _history(item.versions, None, changes)


def _history(
    versions: Versions, deprecated: str | None, changes: Iterable[Change]
) -> Iterator[str]:
    if str(versions):
        yield f"exists: {versions}"
    if deprecated:
        yield f"deprecated: {deprecated}"
    for change in changes:
        yield f"{change.versions}: {change.states}"
