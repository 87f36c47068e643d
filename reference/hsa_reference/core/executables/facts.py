"""What conditions ask about executables and the code that is loaded into them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.amdgpu.code import Code
from hsa_reference.amdgpu.target import Target
from hsa_reference.core.executables.executable import ANY_ROUNDING, PROGRAM, Executable

_OLD = 2  # the version of code objects that no processor runs any more


@dataclass(frozen=True)
class Facts:
    """The facts, for arguments that earlier conditions have settled.

    Args:
        executables: by handle.
        code: returns the code of a reader or of a code object.
        targets: what each agent runs.
        any_rounding: whether code of all rounding modes suits every executable.

    """

    executables: Mapping[int, Executable]
    code: Callable[[int], Code | None]
    targets: Mapping[int, Sequence[Target]]
    any_rounding: bool = False

    def by_name(self) -> Mapping[str, Callable[..., bool]]:
        """Return the facts by the names that the vocabulary gives them."""
        return {
            "code_is_loadable": self._is_loadable,
            "code_is_loadable_on": self._is_loadable_on,
            "object_is_loadable_on": self._is_loadable_on,
            "program_code_was_loaded": self._program_code_was_loaded,
            "code_was_loaded": self._was_loaded,
            "declarations_are_met": self._are_met,
            "variables_defined": self._are_defined,
            "has_variable": self._has_variable,
            "variable_is_defined": self._has_variable,
            "has_variable_for": self._has_variable_for,
            "variable_is_defined_for": self._has_variable_for,
            "has_symbol": self._has_symbol,
            "has_symbol_in": self._has_symbol_in,
            "has_symbol_for": self._has_symbol_for,
        }

    def _is_loadable(self, _: int, origin: int) -> bool:
        """Return whether code can be for all agents alike: where it has nothing to run."""
        code = self.code(origin)
        return code is not None and code.version > _OLD and not code.kernels

    def _is_loadable_on(self, executable: int, origin: int, agent: int) -> bool:
        """Return whether code suits an executable's rounding mode and an agent's processor."""
        code, rounding = self.code(origin), self.executables[executable].rounding
        return (
            code is not None
            and code.version > _OLD
            and any(map(code.target.runs_on, self.targets[agent]))
            and (
                self.any_rounding
                or all(rounding in (ANY_ROUNDING, k.rounding) for k in code.kernels)
            )
        )

    def _program_code_was_loaded(self, executable: int) -> bool:
        return any(each.agent == PROGRAM for each in self.executables[executable].loaded)

    def _was_loaded(self, executable: int, origin: int, agent: int) -> bool:
        code = self.code(origin)
        return any((e.code, e.agent) == (code, agent) for e in self.executables[executable].loaded)

    def _are_met(self, executable: int, origin: int, agent: int) -> bool:
        code = self.code(origin)
        return code is None or self.executables[executable].meets(code, agent)

    def _are_defined(self, executable: int) -> bool:
        found = self.executables[executable]
        return all(found.meets(each.code, each.agent) for each in found.loaded)

    def _has_variable(self, executable: int, name: int) -> bool:
        return self._has_variable_for(executable, PROGRAM, name)

    def _has_variable_for(self, executable: int, agent: int, name: int) -> bool:
        found = self.executables[executable].symbols.get((memory.text(name), agent))
        return found is not None and not found.is_kernel

    def _has_symbol(self, executable: int, name: int) -> bool:
        wanted = memory.text(name)
        return any(wanted == known for known, _ in self.executables[executable].symbols)

    def _has_symbol_in(self, executable: int, module: int, name: int, agent: int) -> bool:
        """Return whether there is a symbol without a module: none here has one."""
        found = self.executables[executable].find(memory.text(name), agent)
        return found is not None and not (module and memory.text(module))

    def _has_symbol_for(self, executable: int, name: int, agent: int) -> bool:
        owner = memory.load(agent, 8) if agent else PROGRAM
        if agent and owner == PROGRAM:
            return False
        return (memory.text(name), owner) in self.executables[executable].symbols
