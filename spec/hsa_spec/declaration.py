"""Functions and callbacks of the registry as C declarations."""

from __future__ import annotations

import re

from hsa_spec.model import CallbackType, Function, Registry

_WIDTH = 80
_ARRAY = re.compile(r"^(.*?)\s*((?:\[\d+\])+)$")


def prototype(function: Function, registry: Registry) -> str:
    """Return the prototype of a function, on several lines where one is too long."""
    params = [variable(p.type, p.name, registry) for p in function.params] or ["void"]
    head = f"{function.result} {function.name}("
    line = f"{head}{', '.join(params)});"
    return line if len(line) <= _WIDTH else head + ",".join(f"\n    {p}" for p in params) + ");"


def pointer(callback: CallbackType, name: str, registry: Registry) -> str:
    """Return the declaration of a pointer to a callback."""
    params = ", ".join(variable(p.type, p.name, registry) for p in callback.params) or "void"
    return f"{callback.result} (*{name})({params})"


def variable(ctype: str, name: str, registry: Registry) -> str:
    """Return the declaration of a variable, a member or a parameter of a type of the registry."""
    if ctype.startswith("callback:"):
        return pointer(registry.callbacks[ctype.removeprefix("callback:")], name, registry)
    array = _ARRAY.match(ctype)
    return f"{array[1]} {name}{array[2]}" if array else f"{ctype} {name}"
