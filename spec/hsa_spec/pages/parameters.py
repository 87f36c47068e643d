"""The parameters of a function or callback, with their facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hsa_spec.model import Parameter
from hsa_spec.pages.markup import Words, code, table

_DIRECTIONS = {"in": "in", "out": "out", "inout": "in and out"}
_ROLES = {
    "descriptor": "file descriptor",
    "enum": "enumeration value",
    "opaque": "passed on as it is",
}
_OWNERSHIP = {
    "creates": "the call creates it for the caller",
    "retains": "the call takes a reference to it for the caller",
    "borrows": "stays the runtime's",
    "consumes": "the caller gives it up",
}


def parameters_table(params: Sequence[Parameter], words: Words) -> str:
    """Return the table of these parameters."""
    rows = [
        (code(p.name), words.ctype(p.type), _DIRECTIONS[p.direction], ", ".join(_facts(p, words)))
        for p in params
    ]
    return table(("Name", "Type", "Direction", "Facts"), rows)


def _facts(parameter: Parameter, words: Words) -> Iterator[str]:
    if parameter.role:
        yield _ROLES.get(parameter.role, parameter.role)
    if parameter.named_by:
        yield f"of {words.ctype(parameter.named_by)}"
    if parameter.unit:
        yield f"in {parameter.unit}"
    if parameter.length:
        yield f"{code(parameter.length)} elements"
    if parameter.minimum is not None:
        yield f"at least {parameter.minimum}"
    if parameter.maximum is not None:
        yield f"at most {parameter.maximum}"
    if parameter.multiple_of:
        yield f"a multiple of {parameter.multiple_of}"
    if parameter.conditional:
        yield "not written by every success"
    if parameter.power_of_two:
        yield "a power of two"
    if parameter.reserved:
        special = ", ".join(str(value) for value in parameter.reserved)
        yield f"{special} has a meaning of its own"
    yield from _memory(parameter)
    if parameter.nullable:
        pointer = parameter.type.endswith("*") or parameter.type.startswith("callback:")
        yield "may be NULL" if pointer else "may be 0"


def _memory(parameter: Parameter) -> Iterator[str]:
    if parameter.ownership:
        yield _OWNERSHIP[parameter.ownership]
    if parameter.kept:
        yield "the library may use the memory after the call"
