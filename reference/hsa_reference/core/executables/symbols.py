"""Symbols of executables: found by name, one after the other, and described."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_reference import memory
from hsa_reference.attributes import write
from hsa_reference.callbacks import iterate
from hsa_reference.core.executables import describing
from hsa_reference.core.executables.executable import PROGRAM, Symbol
from hsa_reference.core.executables.state import Executables
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, INVALID_SYMBOL_NAME, SUCCESS, Answer

_QUERY = "hsa_executable_symbol_get_info"
_PREFIX = "HSA_EXECUTABLE_SYMBOL_INFO_"


def hsa_executable_get_symbol(
    state: State,
    executable: int,
    module_name: int,
    symbol_name: int,
    agent: int,
    call_convention: int,
    symbol: int,
) -> Answer:
    """Find a symbol of an agent, or one that all share."""
    found = state.part(Executables).by_handle[executable].find(memory.text(symbol_name), agent)
    return _store(found, symbol)


def hsa_executable_get_symbol_by_name(
    state: State, executable: int, symbol_name: int, agent: int, symbol: int
) -> Answer:
    """Find a symbol of an agent, or without one a symbol that all share."""
    owner = memory.load(agent, 8) if agent else PROGRAM
    found = state.part(Executables).by_handle[executable].symbols
    return _store(found.get((memory.text(symbol_name), owner)), symbol)


@unlocked
def hsa_executable_iterate_symbols(
    state: State, executable: int, callback: int, data: int
) -> Answer:
    """Call the application with each symbol."""
    with LOCK:
        handles = [s.handle for s in _symbols(state, executable)]
    return iterate(callback, handles, data, executable)


@unlocked
def hsa_executable_iterate_agent_symbols(
    state: State, executable: int, agent: int, callback: int, data: int
) -> Answer:
    """Call the application with each symbol of an agent."""
    with LOCK:
        handles = [s.handle for s in _symbols(state, executable) if s.agent == agent]
    return iterate(callback, handles, data, executable, agent)


@unlocked
def hsa_executable_iterate_program_symbols(
    state: State, executable: int, callback: int, data: int
) -> Answer:
    """Call the application with each symbol that all agents share."""
    with LOCK:
        handles = [s.handle for s in _symbols(state, executable) if s.agent == PROGRAM]
    return iterate(callback, handles, data, executable)


@unlocked
def hsa_executable_symbol_get_info(
    state: State, executable_symbol: int, attribute: int, value: int
) -> Answer:
    """Write the value of an attribute."""
    found = _describe(state.part(Executables).symbols[executable_symbol])
    known = write(state.registry, _QUERY, attribute, found, value)
    return SUCCESS if known else INVALID_ARGUMENT


def _symbols(state: State, executable: int) -> list[Symbol]:
    return list(state.part(Executables).by_handle[executable].symbols.values())


def _store(found: Symbol | None, symbol: int) -> Answer:
    if found is None:
        return INVALID_SYMBOL_NAME
    memory.store(symbol, found.handle, 8)
    return SUCCESS


def _describe(symbol: Symbol) -> Mapping[str, object]:
    definition = symbol.definition
    address = symbol.address if symbol.executable.frozen else 0
    if definition and definition.kernel:
        values = {**describing.kernel(definition.kernel), "KERNEL_OBJECT": address}
    else:
        shared = symbol.agent == PROGRAM
        values = {
            **describing.variable(definition, program=shared, readonly=symbol.readonly),
            "VARIABLE_ADDRESS": address,
        }
    if symbol.agent != PROGRAM:
        values["AGENT"] = symbol.agent
    return {_PREFIX + name: v for name, v in (describing.named(symbol.name) | values).items()}
