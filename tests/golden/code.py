"""Code objects for golden cases, by name."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.code_objects import TARGETS, Code, Kernel, Variable, build

_COUNTER = Variable("counter", 7)
#: Names, and what they stand for: kernels, variables, the version of code objects.
_CODES: Mapping[str, tuple[tuple[Kernel, ...], tuple[Variable, ...], int]] = {
    "kernel": ((Kernel("first", 24, 256, 64),), (_COUNTER, Variable("limit", 9, constant=True)), 5),
    "pointer": ((), (Variable("pointer", points_to="elsewhere"),), 4),
    "variables": ((), (_COUNTER,), 4),
    "old": ((), (_COUNTER,), 2),
}


def code_object(name: str, processor: str) -> bytes:
    """Return a code object.

    Args:
        name: a kernel `first` (24 bytes of arguments, 256 of group and 64 of private memory) with
            variables `counter` (7) and `limit` (9, constant) is "kernel"; "pointer" has a variable
            that points to `elsewhere`, which others define; "variables" has `counter` alone, and
            "old" is the same in version 2, for the base profile. "other" is for another processor.
        processor: such as "gfx942".

    """
    if name == "other":
        return build(Code(TARGETS["gfx803" if processor == "gfx900" else "gfx900"]))
    kernels, variables, version = _CODES[name]
    return build(Code(TARGETS[processor], kernels, variables, version))
