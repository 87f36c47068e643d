"""An executable, and its symbols."""

from __future__ import annotations

from dataclasses import dataclass, field

from hsa_reference.amdgpu.code import Code, Definition
from hsa_reference.core.executables.loaded_code import LoadedCode

PROGRAM = 0  # stands for the agent of what all agents share
ANY_ROUNDING = 0  # HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT: code brings its own mode


@dataclass(frozen=True)
class Symbol:
    """A symbol of an executable.

    Args:
        handle: its value.
        executable: what it belongs to.
        name: its name.
        agent: the handle of the agent that it is for, PROGRAM for all.
        address: where it lies.
        readonly: whether it was defined in the segment that kernels only read.
        definition: what the code says of it, None where the application defined it.

    """

    handle: int
    executable: Executable
    name: bytes
    agent: int
    address: int
    readonly: bool = False
    definition: Definition | None = None

    @property
    def is_kernel(self) -> bool:
        """Return whether it is a kernel; all others are variables."""
        return self.definition is not None and self.definition.kernel is not None


@dataclass
class Executable:
    """An executable.

    Args:
        handle: its value.
        profile: a hsa_profile_t.
        rounding: a hsa_default_float_rounding_mode_t.
        frozen: whether it can no longer change.
        loaded: the code in it.
        symbols: by name and the handle of the agent, PROGRAM for all.

    """

    handle: int
    profile: int
    rounding: int
    frozen: bool = False
    loaded: list[LoadedCode] = field(default_factory=list)
    symbols: dict[tuple[bytes, int], Symbol] = field(default_factory=dict)

    def find(self, name: bytes, agent: int) -> Symbol | None:
        """Return the symbol of an agent, or the one that all share."""
        return self.symbols.get((name, agent)) or self.symbols.get((name, PROGRAM))

    def defines(self, code: Code, agent: int) -> bool:
        """Return whether something that code defines for an agent is defined already."""
        return any(self.find(name, agent) for name in code.definitions)

    def meets(self, code: Code, agent: int) -> bool:
        """Return whether everything that code leaves to others is defined for the agent."""
        return all(self.find(name, agent) for name in code.undefined)
