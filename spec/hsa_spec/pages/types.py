"""The page with the enumerations, structures, handles and callbacks of one topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

from hsa_spec.declaration import pointer
from hsa_spec.model import CallbackType, Enum, Registry, Struct
from hsa_spec.pages.markup import INDEX, Words, code, table, topic_anchor
from hsa_spec.pages.parameters import parameters_table

_Type = TypeVar("_Type", Enum, Struct, CallbackType)

#: Values up to here are easier to read as decimal numbers.
_LARGEST_DECIMAL = 255


def has_types(registry: Registry, topic: str) -> bool:
    """Tell whether a topic has any type."""
    return any(_of_topic(registry, topic))


def types_page(registry: Registry, topic: str, words: Words) -> str:
    """Return the page with the types of a topic, without the mark."""
    enums, structs, callbacks = _of_topic(registry, topic)
    address = words.url(f"{INDEX}#{topic_anchor(topic)}")
    parts = [f"# Types of {topic}", f"Topic: [{topic}]({address})"]
    parts += [_enum(enum, registry, words) for enum in enums]
    parts += [_struct(struct, registry, words) for struct in structs]
    parts += [_callback(callback, registry, words) for callback in callbacks]
    return "\n\n".join(parts) + "\n"


def _of_topic(
    registry: Registry, topic: str
) -> tuple[list[Enum], list[Struct], list[CallbackType]]:
    def chosen(group: Mapping[str, _Type]) -> list[_Type]:
        return [item for item in group.values() if item.topic == topic]

    return chosen(registry.enums), chosen(registry.structs), chosen(registry.callbacks)


def _enum(enum: Enum, registry: Registry, words: Words) -> str:
    rows = [
        (
            _number(e.value),
            code(e.name),
            words.prose(e.summary),
            words.ctype(e.value_type) if e.value_type else "",
            str(e.versions),
        )
        for e in enum.enumerators
    ]
    heads = ("Value", "Name", "Meaning", "Type of what is asked for", "Exists")
    body = [f"Enumeration in `{enum.header}`.", *_users(enum.name, registry, words)]
    return _section(enum.name, words.prose(enum.summary), " ".join(body), table(heads, rows))


def _struct(struct: Struct, registry: Registry, words: Words) -> str:
    where, size = f"`{struct.header}`", f"{struct.size} bytes, aligned to {struct.alignment}"
    users = list(_users(struct.name, registry, words))
    summary = words.prose(struct.summary)
    if struct.handle:
        body = f"Opaque handle in {where}: a structure of {size}, with one member `handle`."
        return _section(struct.name, summary, " ".join([body, *users]))
    rows = [
        (
            str(f.offset),
            str(f.size),
            words.ctype(f.type),
            code(f.name),
            words.prose(f.summary),
            str(f.versions),
        )
        for f in struct.fields
    ]
    heads = ("Offset", "Size", "Type", "Name", "Meaning", "Exists")
    body = f"Structure in {where}: {size}."
    return _section(struct.name, summary, " ".join([body, *users]), table(heads, rows))


def _callback(callback: CallbackType, registry: Registry, words: Words) -> str:
    body = [f"Callback in `{callback.header}`.", *_users(callback.name, registry, words)]
    block = f"```c\n{pointer(callback, callback.name)};\n```"
    params = parameters_table(callback.params, words)
    return _section(callback.name, words.prose(callback.summary), " ".join(body), block, params)


def _section(name: str, *parts: str) -> str:
    return "\n\n".join([f"## {name}", *parts])


def _users(name: str, registry: Registry, words: Words) -> Iterator[str]:
    """Yield the sentence that names the functions with a parameter of this type, if there are."""
    users = [
        function.name
        for function in registry.functions.values()
        if any(name in re.findall(r"\w+", parameter.type) for parameter in function.params)
    ]
    if users:
        yield f"Used by {', '.join(words.name(user) for user in users)}."


def _number(value: int) -> str:
    return str(value) if value <= _LARGEST_DECIMAL else f"{value:#x}"
