"""The page with the types of one topic: everything that is declared and is no function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hsa_spec import attribute_text
from hsa_spec.declaration import pointer, variable
from hsa_spec.model import (
    Attribute,
    CallbackType,
    Change,
    Declared,
    Enum,
    Macro,
    Registry,
    Struct,
    Table,
    Typedef,
)
from hsa_spec.pages.markup import INDEX, Words, code, table, topic_anchor, types
from hsa_spec.pages.parameters import parameters_table

#: What is said of the attributes that queries report.
_OF_ATTRIBUTES = ("Type of what is asked for", "Number", "Defined", "Decided by")
#: Values up to here are easier to read as decimal numbers.
_LARGEST_DECIMAL = 255


def has_types(registry: Registry, topic: str) -> bool:
    """Return whether a topic has any type."""
    return any(_of_topic(registry, topic))


def types_page(registry: Registry, topic: str, words: Words) -> str:
    """Return the page with the types of a topic, without the mark."""
    address = words.url(f"{INDEX}#{topic_anchor(topic)}")
    parts = [f"# Types of {topic}", f"Topic: [{topic}]({address})"]
    parts += [_declared(item, registry, words) for item in _of_topic(registry, topic)]
    return "\n\n".join(parts) + "\n"


def _of_topic(registry: Registry, topic: str) -> Iterator[Declared]:
    for group in types(registry):
        yield from (item for item in group.values() if item.topic == topic)


def _declared(  # noqa: PLR0911 - one return per sort
    item: Declared, registry: Registry, words: Words
) -> str:
    match item:
        case Enum():
            return _enum(item, registry, words)
        case Struct():
            return _struct(item, registry, words)
        case CallbackType():
            return _callback(item, registry, words)
        case Typedef():
            declaration = f"```c\ntypedef {variable(item.type, item.name, registry)};\n```"
            return _section(item, words, f"Type in `{item.header}`.", declaration)
        case Table():
            return _table(item, words)
        case Macro():
            return _macro(item, words)
        case _:
            return _section(item, words, f"A type that `{item.header}` had.")


def _enum(enum: Enum, registry: Registry, words: Words) -> str:
    rows = [
        (
            _number(e.value),
            code(e.name),
            " ".join([words.prose(e.summary), *_history(e.deprecated, e.changes, words)]),
            *_attribute(registry.attributes.get(e.name), registry, words),
            str(e.versions),
        )
        for e in enum.enumerators
    ]
    heads = ("Value", "Name", "Meaning", *_OF_ATTRIBUTES, "Exists")
    body = [f"Enumeration in `{enum.header}`.", *_users(enum.name, registry, words)]
    return _section(enum, words, " ".join(body), table(heads, rows))


def _attribute(attribute: Attribute | None, registry: Registry, words: Words) -> tuple[str, ...]:
    """Return the cells about what a query reports, empty where there is no query."""
    if attribute is None:
        return ("",) * len(_OF_ATTRIBUTES)
    length = attribute_text.how_long(attribute)
    other = attribute_text.elsewhere(attribute)
    condition = attribute_text.condition(attribute, registry)
    return (
        words.ctype(attribute.type) + (f", {words.prose(length)}" if length else ""),
        words.prose(attribute_text.number(attribute)),
        words.prose(f"{condition}; elsewhere {other}" if other else condition),
        attribute_text.decided(attribute),
    )


def _struct(struct: Struct, registry: Registry, words: Words) -> str:
    where, size = f"`{struct.header}`", f"{struct.size} bytes, aligned to {struct.alignment}"
    users = list(_users(struct.name, registry, words))
    if struct.handle:
        body = f"Opaque handle in {where}: a structure of {size}, with one member `handle`."
        return _section(struct, words, " ".join([body, *users]))
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
    history = _history(None, struct.changes, words)
    return _section(struct, words, " ".join([body, *users, *history]), table(heads, rows))


def _callback(callback: CallbackType, registry: Registry, words: Words) -> str:
    body = [f"Callback in `{callback.header}`.", *_users(callback.name, registry, words)]
    block = f"```c\n{pointer(callback, callback.name, registry)};\n```"
    params = parameters_table(callback.params, words)
    contract = "\n".join(f"- {words.prose(rule)}" for rule in callback.contract)
    return _section(callback, words, " ".join(body), block, params, contract)


def _table(functions: Table, words: Words) -> str:
    rows = [
        (str(index), code(m.name), words.name(m.function), str(m.versions))
        for index, m in enumerate(functions.members)
    ]
    start = " It starts with its own version, in 16 bytes." if functions.version else ""
    whose = f" of {code(str(functions.extension))}" if functions.extension else ""
    where = f"{whose} in `{functions.header}`"
    body = f"Table of functions{where}; the order is part of the ABI.{start}"
    return _section(functions, words, body, table(("", "Member", "Function", "Exists"), rows))


def _macro(macro: Macro, words: Words) -> str:
    value = f"Macro in `{macro.header}`: {code(str(macro.value))}."
    return _section(macro, words, " ".join([value, *_history(None, macro.changes, words)]))


def _history(deprecated: str | None, changes: Iterable[Change], words: Words) -> Iterator[str]:
    if deprecated:
        yield f"Deprecated: {words.prose(deprecated)}"
    for change in changes:
        yield f"{str(change.versions).capitalize()}: {words.prose(change.states)}"


def _section(item: Declared, words: Words, *parts: str) -> str:
    exists = "" if isinstance(item, Enum) or not str(item.versions) else f"Exists {item.versions}."
    kept = [part for part in (words.prose(item.summary), exists, *parts) if part]
    return "\n\n".join([f"## {item.name}", *kept])


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
