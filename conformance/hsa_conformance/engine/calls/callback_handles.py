"""Handles that callbacks get, as what they are: the n-th of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.arguments import PreparedCall
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_reports import operands
from hsa_spec import CallbackType, Registry

Calls = tuple[tuple[int, ...], ...]


def listed(prepared: PreparedCall, calls: Calls, registry: Registry) -> Calls:
    """Return how the callback of a traversal was called, its handles under names.

    Callbacks that earlier calls were given may be called meanwhile: those that take other arguments
    are left out.

    Args:
        prepared: the call.
        calls: the arguments of each call of the callback.
        registry: the specification.

    """
    given = {argument.parameter.name: argument.value for argument in prepared.arguments}
    callback = given.get("callback")
    if not calls or not isinstance(callback, Callback) or "data" not in given:
        return calls
    kind = registry.callbacks[callback.type]
    if kind.result != "hsa_status_t":
        return calls
    calls = tuple(call for call in calls if len(call) == len(kind.params))
    asked = tuple(_asked(prepared))
    owner = next((str(v) for v in given.values() if isinstance(v, Symbol)), "")
    return tuple(
        tuple(
            _symbol(prepared, kind, asked, owner, place, index, value, registry)
            for place, value in enumerate(call)
        )
        for index, call in enumerate(calls, 1)
    )


def renamed(handle: int, name: str) -> Symbol:
    """Return a handle that was listed under another name; it stays what it is."""
    origin = handle.origin if isinstance(handle, Symbol) else None
    if isinstance(origin, operands.Listed):
        return Symbol(handle, name, origin=replace(origin, name=name))
    return Symbol(handle, name, origin=operands.Named(name))


def _asked(prepared: PreparedCall) -> Iterator[operands.Value]:
    """Yield the arguments with which the same is listed again, whatever the caller's data is."""
    for argument in prepared.arguments:
        if argument.parameter.name == "data":
            yield operands.Number(0)
        elif isinstance(argument.value, Callback):
            yield operands.Callback(argument.value.type, (0,))
        else:
            yield argument.event


def _symbol(
    prepared: PreparedCall,
    kind: CallbackType,
    asked: tuple[operands.Value, ...],
    owner: str,
    place: int,
    index: int,
    value: int,
    registry: Registry,
) -> int:
    c_type = kind.params[place].type
    struct = registry.structs.get(c_type)
    if struct is None or not struct.handle:
        return value
    noun = c_type.removeprefix("hsa_").removesuffix("_t")
    name = re.sub(r"\W", "_", f"{noun}{index}_of_{owner}" if owner else f"{noun}{index}_listed")
    function, address = prepared.function.name, prepared.event_address
    origin = operands.Listed(name, function, asked, place, index, address)
    return Symbol(value, name, origin=origin)
