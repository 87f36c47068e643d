"""Variables that the application defines."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.core.executables.executable import PROGRAM
from hsa_reference.core.executables.state import Executables
from hsa_reference.state import State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer


def hsa_executable_global_variable_define(
    state: State, executable: int, variable_name: int, address: int
) -> Answer:
    """Define a variable that all agents share."""
    return _define(state, executable, PROGRAM, variable_name, address)


def hsa_executable_agent_global_variable_define(
    state: State, executable: int, agent: int, variable_name: int, address: int
) -> Answer:
    """Define a variable of an agent."""
    return _define(state, executable, agent, variable_name, address)


def hsa_executable_readonly_variable_define(
    state: State, executable: int, agent: int, variable_name: int, address: int
) -> Answer:
    """Define a variable that the kernels of an agent only read."""
    return _define(state, executable, agent, variable_name, address, readonly=True)


def _define(
    state: State, executable: int, agent: int, name: int, address: int, *, readonly: bool = False
) -> Answer:
    executables = state.part(Executables)
    into = executables.by_handle[executable]
    try:
        executables.define(into, memory.text(name), agent, address, readonly=readonly)
    except OSError:
        return OUT_OF_RESOURCES
    return SUCCESS
