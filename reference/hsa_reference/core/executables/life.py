"""Executables from their creation to their end."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.attributes import write
from hsa_reference.core.executables.executable import ANY_ROUNDING
from hsa_reference.core.executables.state import Executables
from hsa_reference.effects import unlocked
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer


def hsa_executable_create(
    state: State, profile: int, executable_state: int, options: int, executable: int
) -> Answer:
    """Make an executable that takes code of any rounding mode."""
    frozen = executable_state == state.registry.constants["HSA_EXECUTABLE_STATE_FROZEN"]
    return _create(state, profile, ANY_ROUNDING, executable, frozen=frozen)


def hsa_executable_create_alt(
    state: State, profile: int, default_float_rounding_mode: int, options: int, executable: int
) -> Answer:
    """Make an executable."""
    return _create(state, profile, default_float_rounding_mode, executable)


def _create(
    state: State, profile: int, rounding: int, executable: int, *, frozen: bool = False
) -> Answer:
    try:
        made = state.part(Executables).create(profile, rounding, frozen=frozen)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(executable, made.handle, 8)
    return SUCCESS


def hsa_executable_destroy(state: State, executable: int) -> Answer:
    """Give an executable back, with the code in it."""
    executables = state.part(Executables)
    executables.destroy(executables.by_handle[executable])
    return SUCCESS


def hsa_executable_freeze(state: State, executable: int, options: int) -> Answer:
    """Let an executable change no more; from now on its symbols tell their addresses."""
    state.part(Executables).by_handle[executable].frozen = True
    return SUCCESS


def hsa_executable_validate(state: State, executable: int, result: int) -> Answer:
    """Find an executable right: what does not fit into one is never loaded."""
    memory.store(result, 0, 4)
    return SUCCESS


def hsa_executable_validate_alt(state: State, executable: int, options: int, result: int) -> Answer:
    """Find an executable right."""
    return hsa_executable_validate(state, executable, result)


@unlocked
def hsa_executable_get_info(state: State, executable: int, attribute: int, value: int) -> Answer:
    """Write the value of an attribute."""
    found = state.part(Executables).by_handle[executable]
    values = {
        "HSA_EXECUTABLE_INFO_PROFILE": found.profile,
        "HSA_EXECUTABLE_INFO_STATE": int(found.frozen),
        "HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE": found.rounding,
    }
    known = write(state.registry, "hsa_executable_get_info", attribute, values, value)
    return SUCCESS if known else INVALID_ARGUMENT
