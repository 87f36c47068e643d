"""A C header made from the registry: the types, values and prototypes of one release."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from hsa_spec.declaration import pointer, prototype, variable
from hsa_spec.model import (
    CallbackType,
    Enum,
    Field,
    Function,
    Member,
    Registry,
    Struct,
    Table,
    Typedef,
    Versions,
)
from hsa_spec.releases import Release

Type = Enum | Struct | CallbackType | Typedef | Table

_INCLUDES = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
_NAME = re.compile(r"[A-Za-z_]\w*")
_INT_MAX = 2**31 - 1


def c_header(registry: Registry, release: Release) -> str:
    """Return the whole header.

    Args:
        registry: the registry.
        release: what it is for; what this release lacks, or may lack, is left out.

    """
    parts = ("#pragma once\n", _INCLUDES, types(registry, release), prototypes(registry, release))
    return "\n".join(parts)


def prototypes(registry: Registry, release: Release) -> str:
    """Return the prototypes alone, which a compiler takes beside the vendor's own header."""
    functions = (f for f in registry.functions.values() if f.export != "inline")
    return "".join(
        f"{prototype(_as_in(release, f, registry), registry)}\n"
        for f in functions
        if _has(release, f.versions)
    )


def types(registry: Registry, release: Release) -> str:
    """Return enumerations, structures, handles, callbacks and tables, each after what it uses."""
    tables: Sequence[dict[str, Type]] = (
        dict(registry.typedefs),
        dict(registry.enums),
        dict(registry.structs),
        dict(registry.callbacks),
        dict(registry.tables),
    )
    known = {name: t for table in tables for name, t in table.items()}
    wanted = {n: t for n, t in known.items() if _wanted(t, release)}
    text = "\n".join(_render(t, registry, release) for t in _in_order(wanted, registry))
    return "".join(_announced(wanted.values(), registry)) + text + "\n"


def _announced(wanted: Iterable[Type], registry: Registry) -> Iterator[str]:
    """Yield what has to be known before it is declared: names of structures, and nothing else."""
    for declared in wanted:
        if isinstance(declared, Struct | Table):
            yield f"typedef {_keyword(declared)} {declared.name} {declared.name};\n"
        elif isinstance(declared, Typedef) and declared.type.endswith("*"):
            target = declared.type.removesuffix("*")
            if target not in registry.structs:
                yield f"typedef struct {target} {target};\n"


def _keyword(declared: Struct | Table) -> str:
    is_union = isinstance(declared, Struct) and declared.union and _is_flat(declared.fields)
    return "union" if is_union else "struct"


def _is_flat(fields: Iterable[Field]) -> bool:
    """Return whether all members start at the same place."""
    return not any(f.offset for f in fields)


def _has(release: Release, versions: Versions) -> bool:
    return release.has(versions) is True


def _as_in(release: Release, function: Function, registry: Registry) -> Function:
    """Return a function with the types of a release, which may lack a typedef of later ones."""

    def older(ctype: str) -> str:
        typedef = registry.typedefs.get(ctype)
        return typedef.type if typedef and not _has(release, typedef.versions) else ctype

    return replace(function, params=tuple(replace(p, type=older(p.type)) for p in function.params))


def _wanted(declared: Type, release: Release) -> bool:
    if isinstance(declared, Enum):
        return any(_has(release, e.versions) for e in declared.enumerators)
    return _has(release, declared.versions)


def _in_order(wanted: dict[str, Type], registry: Registry) -> Iterator[Type]:
    done: set[str] = set()

    def visit(name: str) -> Iterator[Type]:
        if name in done or name not in wanted:
            return
        done.add(name)
        for used in _uses(wanted[name], registry):
            yield from visit(used)
        yield wanted[name]

    for name in wanted:
        yield from visit(name)


def _uses(declared: Type, registry: Registry) -> Iterable[str]:
    match declared:
        case Struct():
            texts = [f.type for f in declared.fields]
        case CallbackType():
            texts = [declared.result, *(p.type for p in declared.params)]
        case Typedef():
            texts = [declared.type]
        case Table():
            functions = [registry.functions.get(m.function) for m in declared.members]
            texts = [t for f in functions if f for t in (f.result, *(p.type for p in f.params))]
            texts += [m.function for m in declared.members]
        case _:
            texts = []
    return [name for text in texts for name in _NAME.findall(text)]


def _render(declared: Type, registry: Registry, release: Release) -> str:
    match declared:
        case Enum():
            values = [e for e in declared.enumerators if _has(release, e.versions)]
            body = "".join(f"  {e.name} = {_value(release.value_of(e))},\n" for e in values)
            return f"typedef enum {{\n{body}}} {declared.name};\n"
        case Struct():
            return _struct(declared, registry, release)
        case CallbackType():
            return f"typedef {pointer(declared, declared.name, registry)};\n"
        case Typedef():
            return f"typedef {variable(declared.type, declared.name, registry)};\n"
        case Table():
            return _table(declared, registry, release)


def _value(value: int | str | None) -> int | str | None:
    """Return a value that fits the type of an enumerator, which is int."""
    return value - 2**32 if isinstance(value, int) and value > _INT_MAX else value


def _struct(struct: Struct, registry: Registry, release: Release) -> str:
    fields = [f for f in struct.fields if _has(release, f.versions)]
    head = f"{_keyword(struct)} __attribute__((aligned({struct.alignment}))) {struct.name} {{\n"
    if not fields:  # a structure of bits alone
        body = f"  uint8_t bits[{struct.size}];\n"
    elif any(b.offset < a.offset + a.size for a, b in pairwise(fields)):
        # Members of an anonymous union stand side by side; each finds its place by itself.
        members = "".join(f"    {part}\n" for part in _placed(fields, registry))
        body = f"  union {{\n{members}  }};\n"
    else:
        body = "".join(f"  {variable(f.type, f.name, registry)};\n" for f in fields)
    return f"{head}{body}}};\n"


def _placed(fields: Iterable[Field], registry: Registry) -> Iterator[str]:
    """Yield members of a union, each behind as many bytes as its place asks for."""
    for part, group in groupby(fields, key=lambda f: f.name.rpartition(".")[0]):
        members = list(group)
        if part:
            start = min(f.offset for f in members)
            inner = [
                replace(f, name=f.name.rpartition(".")[2], offset=f.offset - start) for f in members
            ]
            text = f"union {{ {' '.join(_placed(inner, registry))} }} {part};"
            yield _behind(start, part, text)
            continue
        for field in members:
            text = f"{variable(field.type, field.name, registry)};"
            yield _behind(field.offset, field.name, text)


def _behind(offset: int, name: str, text: str) -> str:
    if not offset:
        return text
    return f"struct {{ uint8_t before_{name}[{offset}]; {text} }};"


def _table(table: Table, registry: Registry, release: Release) -> str:
    members = (m for m in table.members if _has(release, m.versions))
    version = "  uint32_t version[4];\n" if table.version else ""
    body = "".join(f"  {_member(m, registry, release)};\n" for m in members)
    return f"struct {table.name} {{\n{version}{body}}};\n"


def _member(member: Member, registry: Registry, release: Release) -> str:
    if member.function not in registry.functions:
        return f"{member.function} {member.name}"  # a callback type
    function = _as_in(release, registry.functions[member.function], registry)
    params = ", ".join(variable(p.type, p.name, registry) for p in function.params)
    return f"{function.result} (*{member.name})({params or 'void'})"
