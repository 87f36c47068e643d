"""Functions and callbacks of the registry as C declarations."""

from __future__ import annotations

from hsa_spec.model import CallbackType, Function, Parameter, Registry

_WIDTH = 80


def prototype(function: Function, registry: Registry) -> str:
    """Return the prototype of a function, on several lines where one is too long."""
    params = [_declare(p, registry) for p in function.params] or ["void"]
    head = f"{function.result} {function.name}("
    line = f"{head}{', '.join(params)});"
    return line if len(line) <= _WIDTH else head + ",".join(f"\n    {p}" for p in params) + ");"


def pointer(callback: CallbackType, name: str) -> str:
    """Return the declaration of a pointer to a callback."""
    params = ", ".join(f"{p.type} {p.name}" for p in callback.params) or "void"
    return f"{callback.result} (*{name})({params})"


def _declare(parameter: Parameter, registry: Registry) -> str:
    if parameter.type.startswith("callback:"):
        callback = registry.callbacks[parameter.type.removeprefix("callback:")]
        return pointer(callback, parameter.name)
    return f"{parameter.type} {parameter.name}"
