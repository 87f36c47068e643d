"""Checks functions, callbacks, structures and enumerations: their types, layouts and values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hsa_spec.layout import pointee, resolved, size_of, unqualified
from hsa_spec.lint.finding import Finding, about_declaration
from hsa_spec.model import CallbackType, Enum, Function, Parameter, Registry, Struct

#: Names that mark the first or last value of a range, and so share it with another name; and those
#: of widths, which are numbers of bits.
_MARKER = re.compile(r"(^|_)(FIRST|LAST|MIN|MAX|WIDTH)(_|$)")


def check(registry: Registry) -> Iterator[Finding]:
    """Yield what is wrong with each declaration."""
    for function in registry.functions.values():
        for message in (*_types(registry, function), *_parameters(registry, function.params)):
            yield about_declaration(registry, function, "parameter", message)
    for callback in registry.callbacks.values():
        for message in (*_types(registry, callback), *_parameters(registry, callback.params)):
            yield about_declaration(registry, callback, "parameter", message)
    for struct in registry.structs.values():
        for message in (*_layout(registry, struct), *_handle(struct)):
            yield about_declaration(registry, struct, "layout", message)
    for enum in registry.enums.values():
        for message in _enumerators(registry, enum):
            yield about_declaration(registry, enum, "enumerator", message)


def _types(registry: Registry, declared: Function | CallbackType) -> Iterator[str]:
    types = {"the result": declared.result, **{p.name: p.type for p in declared.params}}
    for name, ctype in types.items():
        if (name, ctype) == ("the result", "void"):
            continue
        yield from _resolves(registry, name, ctype)


def _resolves(registry: Registry, name: str, ctype: str) -> Iterator[str]:
    if ctype.startswith("callback:"):
        if ctype.removeprefix("callback:") not in registry.callbacks:
            yield f"{name}: there is no {ctype.replace(':', ' ')}"
        return
    # `type[]` is an array whose length is told elsewhere.
    innermost = ctype.removesuffix("[]")
    while innermost != pointee(innermost):
        innermost = pointee(innermost)
    if innermost == "void" and ctype.endswith("*"):
        return
    try:
        size_of(innermost, registry)
    except KeyError as error:
        yield f"{name}: {error.args[0]}"


def _parameters(registry: Registry, params: Sequence[Parameter]) -> Iterator[str]:
    by_name = {p.name: p for p in params}
    if len(by_name) < len(params):
        yield "two parameters share a name"
    for p in params:
        if p.minimum is not None and p.maximum is not None and p.minimum > p.maximum:
            yield f"{p.name}: its minimum, {p.minimum}, is above its maximum, {p.maximum}"
        if p.direction != "in" and not p.type.endswith("*"):
            yield f"{p.name} is an output, and {p.type} is no pointer"
        if (p.role == "array") != (p.length is not None):
            yield f"{p.name}: an array names the parameter that counts it, and only an array does"
        if p.length and (p.length not in by_name or by_name[p.length].role != "count"):
            yield f"{p.name}: its length {p.length!r} is no parameter with the role count"
        if p.named_by is not None and (
            p.named_by not in registry.enums or p.role not in ("flags", "enum")
        ):
            yield f"{p.name}: {p.named_by!r} names no values or flags of it"
        if p.role == "enum" and {pointee(p.type), p.named_by}.isdisjoint(registry.enums):
            yield f"{p.name}: no enumeration names its values; say which one with named_by"
        if (p.role == "callback") != p.type.startswith("callback:"):
            yield f"{p.name}: the role callback and a type that starts with 'callback:' go together"
        if p.kept and (p.direction == "out" or not p.type.endswith("*") or p.role == "opaque"):
            yield f"{p.name}: only memory that the call is given to read can be kept"
        named = registry.structs.get(pointee(p.type))
        if p.role == "handle" and not (named and named.handle):
            yield f"{p.name}: {p.type} is neither a handle nor a pointer to one"


def _layout(registry: Registry, struct: Struct) -> Iterator[str]:
    end = 0
    for field in struct.fields:
        try:
            size = size_of(field.type, registry)
        except KeyError as error:
            yield f"{field.name}: {error.args[0]}"
            continue
        if size != field.size:
            yield f"{field.name}: {field.type} takes {size} bytes, not {field.size}"
        alignment = _alignment(registry, field.type)
        if field.offset % alignment:
            yield f"{field.name}: {field.type} starts at multiples of {alignment} bytes"
        if struct.alignment % alignment:
            yield f"{field.name} asks for an alignment of {alignment}, the structure for less"
        if field.offset < end and not struct.union:
            yield f"{field.name} overlaps what comes before it"
        end = max(end, field.offset + field.size)
    if end > struct.size:
        yield f"the last member ends at {end}, behind the structure's {struct.size} bytes"
    if struct.size % struct.alignment:
        yield f"{struct.size} bytes are no multiple of the alignment, {struct.alignment}"


def _alignment(registry: Registry, ctype: str) -> int:
    element = resolved(unqualified(ctype.partition("[")[0]), registry)
    found = registry.structs.get(element)
    return found.alignment if found else size_of(element, registry)


def _handle(struct: Struct) -> Iterator[str]:
    if struct.handle and [(f.type, f.offset) for f in struct.fields] != [("uint64_t", 0)]:
        yield "a handle is one member of type uint64_t"


def _enumerators(registry: Registry, enum: Enum) -> Iterator[str]:
    values: dict[int, str] = {}
    for enumerator in enum.enumerators:
        ended = enumerator.versions.until_rocm or enumerator.versions.until_interface
        if enumerator.deprecated or ended or _MARKER.search(enumerator.name):
            continue
        if enumerator.value in values:
            yield f"{enumerator.name} has the value of {values[enumerator.value]}"
        values[enumerator.value] = enumerator.name
