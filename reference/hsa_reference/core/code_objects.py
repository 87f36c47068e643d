"""The deprecated code objects, and their symbols."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from ctypes import memmove
from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.amdgpu.code import Code, Definition, read_code
from hsa_reference.amdgpu.notes import OldNotes
from hsa_reference.attributes import write
from hsa_reference.callbacks import iterate, provide
from hsa_reference.core.executables import describing
from hsa_reference.core.executables.executable import ANY_ROUNDING
from hsa_reference.core.executables.loading import load
from hsa_reference.core.executables.source import Source
from hsa_reference.core.isas import Isas
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.handles import CODE_OBJECTS, CODE_SYMBOLS
from hsa_reference.objects import Objects
from hsa_reference.state import Part, State
from hsa_reference.status import (
    INVALID_ARGUMENT,
    INVALID_CODE_OBJECT,
    OUT_OF_RESOURCES,
    SUCCESS,
    Answer,
)


@dataclass(frozen=True)
class CodeObject:
    """A code object.

    Args:
        handle: its value.
        code: what it holds.
        symbols: the handles of its symbols, by name.
        memory: where its bytes are.

    """

    handle: int
    code: Code
    symbols: Mapping[bytes, int]
    memory: ctypes.Array[ctypes.c_char]


class CodeObjects(Part):
    """The code objects.

    Attributes:
        by_handle: of a code object.
        symbols: what those of all code objects define, by handle.

    """

    def __init__(self, state: State) -> None:
        self.by_handle: Objects[int, CodeObject] = Objects()
        self.symbols: dict[int, Definition] = {}
        self._serial = 0
        state.things["code_object"] = self.by_handle.get
        state.things["code_symbol"] = self.symbols.get
        state.facts["object_has_symbol"] = self._has
        state.facts["object_has_symbol_in"] = self._has_in

    def add(self, code: Code) -> CodeObject:
        """Return a new code object.

        Raises:
            OSError: there is no memory.

        """
        symbols = {name: CODE_SYMBOLS + self._number() for name in code.definitions}
        buffer = ctypes.create_string_buffer(code.content, len(code.content))
        made = CodeObject(CODE_OBJECTS + self._number(), code, symbols, buffer)
        self.by_handle[made.handle] = made
        self.symbols |= {handle: code.definitions[name] for name, handle in symbols.items()}
        return made

    def remove(self, handle: int) -> None:
        """Forget a code object, and its symbols."""
        for symbol in self.by_handle.pop(handle).symbols.values():
            del self.symbols[symbol]

    def release(self) -> None:
        """Forget every code object."""
        self.by_handle.clear()
        self.symbols.clear()

    def _number(self) -> int:
        self._serial += 1
        return self._serial

    def _has(self, code_object: int, name: int) -> bool:
        return memory.text(name) in self.by_handle[code_object].symbols

    def _has_in(self, code_object: int, module: int, name: int) -> bool:
        """Return whether there is a symbol without a module: none here has one."""
        return self._has(code_object, name) and not (module and memory.text(module))


PART = CodeObjects


@unlocked
def hsa_code_object_serialize(
    state: State,
    code_object: int,
    alloc_callback: int,
    callback_data: int,
    options: int,
    serialized_code_object: int,
    serialized_code_object_size: int,
) -> Answer:
    """Copy a code object into memory that the application provides."""
    content = state.part(CodeObjects).by_handle[code_object].code.content
    status, address = provide(alloc_callback, len(content), callback_data)
    if status:
        return status
    if address == 0:
        return OUT_OF_RESOURCES
    memmove(address, content, len(content))
    memory.store(serialized_code_object, address, 8)
    memory.store(serialized_code_object_size, len(content), 8)
    return SUCCESS


def hsa_code_object_deserialize(
    state: State,
    serialized_code_object: int,
    serialized_code_object_size: int,
    options: int,
    code_object: int,
) -> Answer:
    """Make a code object of a copy of what is in memory."""
    code = read_code(memory.copy(serialized_code_object, serialized_code_object_size))
    if code is None:
        return INVALID_CODE_OBJECT
    try:
        made = state.part(CodeObjects).add(code)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(code_object, made.handle, 8)
    return SUCCESS


def hsa_code_object_destroy(state: State, code_object: int) -> Answer:
    """Forget a code object."""
    state.part(CodeObjects).remove(code_object)
    return SUCCESS


def hsa_code_object_get_info(state: State, code_object: int, attribute: int, value: int) -> Answer:
    """Write the value of an attribute."""
    code = state.part(CodeObjects).by_handle[code_object].code
    values = _describe(code) | {
        "HSA_CODE_OBJECT_INFO_ISA": state.part(Isas).of_code(code.target).handle
    }
    known = write(state.registry, "hsa_code_object_get_info", attribute, values, value)
    return SUCCESS if known else INVALID_ARGUMENT


def hsa_executable_load_code_object(
    state: State, executable: int, agent: int, code_object: int, options: int
) -> Answer:
    """Load a code object into an executable, for an agent."""
    content = state.part(CodeObjects).by_handle[code_object].memory
    source = Source(ctypes.addressof(content), len(content))
    return load(state, executable, agent, source, 0)


def hsa_code_object_get_symbol(
    state: State, code_object: int, symbol_name: int, symbol: int
) -> Answer:
    """Find a symbol by its name."""
    symbols = state.part(CodeObjects).by_handle[code_object].symbols
    memory.store(symbol, symbols[memory.text(symbol_name)], 8)
    return SUCCESS


def hsa_code_object_get_symbol_from_name(
    state: State, code_object: int, module_name: int, symbol_name: int, symbol: int
) -> Answer:
    """Find a symbol by its name; none is one of a module."""
    return hsa_code_object_get_symbol(state, code_object, symbol_name, symbol)


@unlocked
def hsa_code_symbol_get_info(state: State, code_symbol: int, attribute: int, value: int) -> Answer:
    """Write the value of an attribute."""
    definition = state.part(CodeObjects).symbols[code_symbol]
    if definition.kernel:
        wavefront = definition.kernel.wavefront
        found = {**describing.kernel(definition.kernel), "KERNEL_WAVEFRONT_SIZE": wavefront}
    else:
        found = describing.variable(definition, program=False)
    values = describing.named(definition.name) | found
    named = {f"HSA_CODE_SYMBOL_INFO_{name}": v for name, v in values.items()}
    known = write(state.registry, "hsa_code_symbol_get_info", attribute, named, value)
    return SUCCESS if known else INVALID_ARGUMENT


@unlocked
def hsa_code_object_iterate_symbols(
    state: State, code_object: int, callback: int, data: int
) -> Answer:
    """Call the application with each symbol."""
    with LOCK:
        symbols = list(state.part(CodeObjects).by_handle[code_object].symbols.values())
    return iterate(callback, symbols, data, code_object)


def _describe(code: Code) -> dict[str, object]:
    """Return what is said of a code object; modern ones leave the profile to who loads them."""
    modes = {kernel.rounding for kernel in code.kernels}
    rounding = modes.pop() if len(modes) == 1 else None
    said = code.old or OldNotes(str(code.version), code.target, 1, 0, rounding or ANY_ROUNDING)
    return {
        "HSA_CODE_OBJECT_INFO_VERSION": said.version,
        "HSA_CODE_OBJECT_INFO_TYPE": "HSA_CODE_OBJECT_TYPE_PROGRAM",
        "HSA_CODE_OBJECT_INFO_MACHINE_MODEL": said.machine_model,
        "HSA_CODE_OBJECT_INFO_PROFILE": said.profile,
        "HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE": said.rounding,
    }
