"""Which instructions the suite's own kernels have, by processor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.code_objects import programs_of_gfx9, programs_of_rdna3
from hsa_conformance.code_objects.instructions import Does, Program
from hsa_conformance.code_objects.targets import Target

_GFX9: Final = 9
_RDNA3: Final = 11
_ANEW: Final = 11  # the first generation whose operations have other numbers
#: Processors from here on keep the place of private memory in a register of its own.
_PRIVATE_REGISTER: Final = ("gfx940", "gfx941", "gfx942", "gfx950")


def program(does: Does, target: Target) -> Program:
    """Return the instructions of a kernel.

    Args:
        does: what it does.
        target: the processor that it is for.

    Raises:
        KeyError: the suite has none that does it for the processor.

    """
    if does == "nothing":
        if target.generation >= _ANEW:
            return programs_of_rdna3.NOTHING
        return programs_of_gfx9.NOTHING
    return _programs(target)[does]


def has_kernels(target: Target) -> bool:
    """Return whether the suite has kernels for a processor that do something."""
    return bool(_programs(target))


def has_private_register(target: Target) -> bool:
    """Return whether waves find their private memory without instructions of the kernel."""
    return target.name in _PRIVATE_REGISTER or target.generation == _RDNA3


def _programs(target: Target) -> Mapping[Does, Program]:
    if target.generation == _RDNA3:
        return programs_of_rdna3.PROGRAMS
    if target.generation != _GFX9:
        return {}
    return programs_of_gfx9.NEW if has_private_register(target) else programs_of_gfx9.OLD
