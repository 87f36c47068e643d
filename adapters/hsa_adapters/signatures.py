"""From the registry's C types to the codes that the worker binds functions with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypedDict

from hsa_spec.layout import resolved
from hsa_spec.model import Parameter, Registry

_CODES: Mapping[str, str] = {
    "void": "void",
    "bool": "bool",
    "int": "i32",
    "int32_t": "i32",
    "unsigned": "u32",
    "unsigned int": "u32",
    "uint32_t": "u32",
    "int64_t": "i64",
    "uint64_t": "u64",
    "uint16_t": "u16",
    "uint8_t": "u8",
    "size_t": "size",
    "uintptr_t": "u64",
}


_REGISTER = 8  # bytes


class Signature(TypedDict):
    """Codes of the result and the arguments of a function or callback."""

    result: str
    args: list[str]


class Signatures(TypedDict):
    """Signatures of what a program gets from a library, and of the callback types, by name."""

    functions: dict[str, Signature]
    callbacks: dict[str, Signature]


def signatures(registry: Registry) -> Signatures:
    """Return the signatures of what a library may export, or point to in a table.

    Args:
        registry: the registry.

    Raises:
        ValueError: a type has no code; the message names type and function.

    """
    return {"functions": functions(registry), "callbacks": callbacks(registry)}


def functions(registry: Registry) -> dict[str, Signature]:
    """Return the signatures of exported functions and members of tables; errors as `signatures`."""
    found = (f for f in registry.functions.values() if f.export != "inline")
    return {f.name: _signature(registry, f.name, f.result, f.params) for f in found}


def callbacks(registry: Registry) -> dict[str, Signature]:
    """Return the signatures of the callback types by name; errors as `signatures`."""
    types = registry.callbacks.values()
    return {c.name: _signature(registry, c.name, c.result, c.params) for c in types}


def code(registry: Registry, c_type: str) -> str:
    """Return the code of a C type as the registry writes it.

    Args:
        registry: the registry, for its enums, handles and callback types.
        c_type: a type such as "uint32_t", "const void*", "hsa_agent_t" or "callback:name".

    Raises:
        ValueError: the type has no code.

    """
    name = re.sub(r"\b(const|volatile|enum|struct)\b\s*", "", c_type).strip()
    name = resolved(name, registry)
    if name.startswith("callback:"):
        return name
    if name in registry.callbacks:
        return f"callback:{name}"
    if name.endswith(("*", "]")):
        return "ptr"
    if name in registry.enums:
        values = registry.enums[name].values
        return "i32" if any(value < 0 for value in values) else "u32"
    if name in registry.structs:
        # What does not fit into a register is given by the address of a copy.
        size = registry.structs[name].size
        return "u64" if size <= _REGISTER else f"struct:{size}"
    if name in _CODES:
        return _CODES[name]
    raise ValueError(f"no code for the C type {c_type!r}")


def _signature(
    registry: Registry, name: str, result: str, params: Iterable[Parameter]
) -> Signature:
    try:
        return {
            "result": code(registry, result),
            "args": [code(registry, p.type) for p in params],
        }
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
