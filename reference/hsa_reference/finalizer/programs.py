"""Programs of HSAIL. There is no compiler: they are composed, and no code is made of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from hsa_reference import memory
from hsa_reference.attributes import write
from hsa_reference.callbacks import iterate
from hsa_reference.core.extensions import Extensions
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.finalizer.brig import BrigError, Module, read_module
from hsa_reference.handles import PROGRAMS
from hsa_reference.objects import Objects
from hsa_reference.state import Part, State
from hsa_reference.status import (
    FINALIZATION_FAILED,
    INCOMPATIBLE_MODULE,
    INVALID_ARGUMENT,
    NOT_INITIALIZED,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)

#: The rounding of each BrigRound that a module can have by default; None fits to any program.
_ROUNDING = {
    1: None,
    2: "HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR",
    3: "HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO",
}


@dataclass
class Program:
    """A program.

    Attributes:
        machine_model: a hsa_machine_model_t.
        profile: a hsa_profile_t.
        rounding: a hsa_default_float_rounding_mode_t.
        modules: what was read of each, by its address, in the order in which they were added.

    """

    machine_model: int
    profile: int
    rounding: int
    modules: Objects[int, Module] = field(default_factory=Objects)


class Programs(Part):
    """The live programs.

    Attributes:
        by_handle: with them.
        offered: whether the machine has the extension.

    """

    def __init__(self, state: State) -> None:
        self.by_handle: Objects[int, Program] = Objects()
        self.offered = state.machine.finalizer
        self._serial = 0
        if not self.offered:
            number = state.registry.constants["HSA_EXTENSION_FINALIZER"]
            state.part(Extensions).withdrawn.add(number)
        state.things["program"] = self.by_handle.get
        state.facts["has_finalizer"] = lambda: self.offered
        state.facts["is_module"] = lambda module: _read(module) is not None
        state.facts["module_fits"] = self._fits
        state.facts["module_included"] = lambda program, module: (
            module in self.by_handle[program].modules
        )
        state.facts["symbols_match"] = self._matches
        state.facts["directives_match"] = lambda program, directives: True
        state.facts["compiles"] = lambda program, isa: False

    def add(self, program: Program) -> int:
        """Return the handle of a new program."""
        self._serial += 1
        self.by_handle[PROGRAMS + self._serial] = program
        return PROGRAMS + self._serial

    def release(self) -> None:
        """Forget every program."""
        self.by_handle.clear()

    def _fits(self, program: int, address: int) -> bool:
        known, module = self.by_handle[program], _read(address)
        return module is not None and (module.machine_model, module.profile) == (
            known.machine_model,
            known.profile,
        )

    def _matches(self, program: int, address: int) -> bool:
        module = _read(address)
        return module is not None and all(
            symbol.matches(other.symbols[name])
            for other in self.by_handle[program].modules.values()
            for name, symbol in module.symbols.items()
            if name in other.symbols
        )


PART = Programs


def hsa_ext_program_create(
    state: State,
    machine_model: int,
    profile: int,
    default_float_rounding_mode: int,
    options: int,
    program: int,
) -> Answer:
    """Make an empty program."""
    programs = state.part(Programs)
    if not programs.offered:
        return NOT_INITIALIZED
    made = Program(machine_model, profile, default_float_rounding_mode)
    try:
        handle = programs.add(made)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(program, handle, 8)
    return SUCCESS


def hsa_ext_program_destroy(state: State, program: int) -> Answer:
    """Forget a program; its modules are the application's."""
    del state.part(Programs).by_handle[program]
    return SUCCESS


def hsa_ext_program_add_module(state: State, program: int, module: int) -> Answer:
    """Remember where a module is, and what it says."""
    found = state.part(Programs).by_handle[program]
    added = read_module(module)
    rounding = _ROUNDING[added.rounding]
    if rounding is not None and state.registry.constants[rounding] != found.rounding:
        return INCOMPATIBLE_MODULE
    try:
        found.modules[module] = added
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS


@unlocked
def hsa_ext_program_iterate_modules(state: State, program: int, callback: int, data: int) -> Answer:
    """Call the application with each module."""
    with LOCK:
        modules = list(state.part(Programs).by_handle[program].modules)
    return iterate(callback, modules, data, program)


@unlocked
def hsa_ext_program_get_info(state: State, program: int, attribute: int, value: int) -> Answer:
    """Write the value of an attribute."""
    found = state.part(Programs).by_handle[program]
    values = {
        "HSA_EXT_PROGRAM_INFO_MACHINE_MODEL": found.machine_model,
        "HSA_EXT_PROGRAM_INFO_PROFILE": found.profile,
        "HSA_EXT_PROGRAM_INFO_DEFAULT_FLOAT_ROUNDING_MODE": found.rounding,
    }
    known = write(state.registry, "hsa_ext_program_get_info", attribute, values, value)
    return SUCCESS if known else INVALID_ARGUMENT


def hsa_ext_program_finalize(
    state: State,
    program: int,
    isa: int,
    call_convention: int,
    control_directives: int,
    options: int,
    code_object_type: int,
    code_object: int,
) -> Answer:
    """Fail: nothing can be compiled, so the argument check does not let a call come here."""
    return FINALIZATION_FAILED


def _read(address: int) -> Module | None:
    try:
        module = read_module(address)
    except BrigError:
        return None
    return module if module.rounding in _ROUNDING else None
