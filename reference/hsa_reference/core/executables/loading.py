"""Loading code into executables."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.core.executables.executable import PROGRAM
from hsa_reference.core.executables.loaded_code import LoadedCode, put
from hsa_reference.core.executables.readers import Readers
from hsa_reference.core.executables.source import Source
from hsa_reference.core.executables.state import Executables
from hsa_reference.state import State
from hsa_reference.status import (
    INVALID_CODE_OBJECT,
    OUT_OF_RESOURCES,
    SUCCESS,
    VARIABLE_ALREADY_DEFINED,
    VARIABLE_UNDEFINED,
    Answer,
)
from hsa_reference.undoing import undoing


def hsa_executable_load_program_code_object(
    state: State, executable: int, code_object_reader: int, options: int, loaded_code_object: int
) -> Answer:
    """Load variables that all agents share."""
    source = state.part(Readers).by_handle[code_object_reader]
    return load(state, executable, PROGRAM, source, loaded_code_object)


def hsa_executable_load_agent_code_object(
    state: State,
    executable: int,
    agent: int,
    code_object_reader: int,
    options: int,
    loaded_code_object: int,
) -> Answer:
    """Load kernels and variables of an agent."""
    source = state.part(Readers).by_handle[code_object_reader]
    return load(state, executable, agent, source, loaded_code_object)


def load(state: State, executable: int, agent: int, source: Source, handle_at: int) -> Answer:
    """Load code into an executable.

    Args:
        state: of the runtime.
        executable: its handle.
        agent: the handle of the agent that the code is for, PROGRAM for all.
        source: what the code is read from.
        handle_at: where the handle of the loaded code object goes, 0 for nowhere.

    """
    executables = state.part(Executables)
    into, code = executables.by_handle[executable], source.code
    if code is None:
        return INVALID_CODE_OBJECT
    if into.defines(code, agent):
        return VARIABLE_ALREADY_DEFINED
    if not into.meets(code, agent):
        return VARIABLE_UNDEFINED

    def find(name: bytes) -> int:
        found = into.find(name, agent)
        return found.address if found else 0

    try:
        place = put(code, find)
        loaded = LoadedCode(executables.loaded_handle(), executable, agent, source, code, *place)
        with undoing(loaded.unload):
            executables.keep(loaded)
    except OSError:
        return OUT_OF_RESOURCES
    if handle_at:
        memory.store(handle_at, loaded.handle, 8)
    return SUCCESS
