"""What calls about readers, executables and their symbols change, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, File, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.shared.code.attributes import OF_CODE, OF_EXECUTABLES, suits
from hsa_conformance.topics.shared.code.state import (
    KERNEL,
    PROGRAM,
    VARIABLE,
    Executable,
    ExecutableSymbol,
    Source,
    code_in,
    code_in_file,
    executable,
    runs,
    source,
    text,
)

# what calls change


def _reader_of_file(model: Model, answer: Answer) -> None:
    args = answer.args
    code = code_in_file(model, args["file"], args.get("offset", 0), args.get("size"))
    model.add("code_object_reader", answer["code_object_reader"], thing=Source(code))


def _reader_of_memory(model: Model, answer: Answer) -> None:
    content = model.read(answer.args["code_object"], answer.args["size"])
    model.add("code_object_reader", answer["code_object_reader"], thing=Source(code_in(content)))


def _destroy_reader(model: Model, answer: Answer) -> None:
    model.remove("code_object_reader", answer.args["code_object_reader"])


def _create(model: Model, answer: Answer) -> None:
    frozen = answer.args.get("executable_state", 0) == 1
    thing = Executable(answer.args["profile"], frozen)
    model.add("executable", answer["executable"], thing=thing)


def _destroy(model: Model, answer: Answer) -> None:
    handle = answer.args["executable"]
    model.remove("executable", handle)
    for kind in ("executable_symbol", "loaded_code_object"):
        for key, thing in list(model.objects.get(kind, {}).items()):
            if thing.executable == handle:
                model.remove(kind, *key)


def load(model: Model, answer: Answer, agent: int, origin: int) -> None:
    """Keep what loading code into an executable changes."""
    code = source(model, origin)
    found = model.find("executable", answer.args["executable"])
    if code is None or not isinstance(found, Executable):
        return
    found.loaded.append((code, agent))
    for name in code.symbols:
        found.symbols[name, agent] = KERNEL if name.endswith(".kd") else VARIABLE


def _load_agent(model: Model, answer: Answer) -> None:
    load(model, answer, answer.args["agent"], answer.args["code_object_reader"])


def _load_program(model: Model, answer: Answer) -> None:
    load(model, answer, PROGRAM, answer.args["code_object_reader"])


def _freeze(model: Model, answer: Answer) -> None:
    executable(model, answer.args["executable"]).frozen = True


def _define(model: Model, answer: Answer) -> None:
    args = answer.args
    name = text(model, args["variable_name"])
    executable(model, args["executable"]).symbols[name, args.get("agent", PROGRAM)] = VARIABLE


def _symbol(model: Model, answer: Answer) -> None:
    args = answer.args
    found, name = executable(model, args["executable"]), text(model, args["symbol_name"])
    if answer.function.parameter["agent"].type.endswith("*"):
        owner = model.words(args["agent"], 1)[0] if args["agent"] else PROGRAM
    else:
        owner = PROGRAM if (name, PROGRAM) in found.symbols else args["agent"]
    kind = found.symbols.get((name, owner))
    if kind is not None:
        thing = ExecutableSymbol(args["executable"], kind, owner == PROGRAM)
        model.add("executable_symbol", answer["symbol"], thing=thing)


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_code_object_reader_create_from_file": _reader_of_file,
    "hsa_code_object_reader_create_from_memory": _reader_of_memory,
    "hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size": _reader_of_file,
    "hsa_code_object_reader_destroy": _destroy_reader,
    "hsa_executable_create": _create,
    "hsa_executable_create_alt": _create,
    "hsa_executable_destroy": _destroy,
    "hsa_executable_load_agent_code_object": _load_agent,
    "hsa_executable_load_program_code_object": _load_program,
    "hsa_executable_freeze": _freeze,
    "hsa_executable_global_variable_define": _define,
    "hsa_executable_agent_global_variable_define": _define,
    "hsa_executable_readonly_variable_define": _define,
    "hsa_executable_get_symbol": _symbol,
    "hsa_executable_get_symbol_by_name": _symbol,
}

#: Executables go first: they may still use what the readers read.
CLEAN_UP = (
    CleanUp(
        "executable",
        "hsa_executable_destroy",
        "executable",
        makers=["hsa_executable_create", "hsa_executable_create_alt"],
    ),
    CleanUp(
        "code_object_reader",
        "hsa_code_object_reader_destroy",
        "code_object_reader",
        makers=[
            "hsa_code_object_reader_create_from_file",
            "hsa_code_object_reader_create_from_memory",
            "hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size",
        ],
    ),
)


# what is known


def _file_is_readable(model: Model, file: int) -> bool:
    found = model.find("file", file)
    if isinstance(found, File):
        return found.readable
    if model.is_open(file):
        raise ProvesNothing("the suite does not know what it is")
    return False


def _whole_file_holds_code(model: Model, file: int) -> bool:
    return code_in_file(model, file, 0, None) is not None


def _file_holds_code(model: Model, file: int, offset: int, size: int) -> bool:
    return code_in_file(model, file, offset, size) is not None


def _holds_code(model: Model, address: int, size: int) -> bool:
    return code_in(model.read(address, size) if address else None) is not None


def _reads_code(model: Model, reader: int) -> bool:
    return source(model, reader) is not None


def _loadable(model: Model, executable_: int, origin: int) -> bool:
    """Return whether code fits an executable; only old code says enough to deny it.

    Raises:
        ProvesNothing: nothing is known against it.

    """
    code = source(model, origin)
    if code is None or (
        code.version == 2 and code.profile != executable(model, executable_).profile
    ):
        return False
    raise ProvesNothing("no format of code says that it is for all agents alike")


def loadable_on(model: Model, executable_: int, origin: int, agent: int) -> bool:
    """Return whether code is for the agent's processor and the executable's profile."""
    code = source(model, origin)
    if code is None:
        return False
    if code.version == 2:
        if code.profile != executable(model, executable_).profile:
            return False
        raise ProvesNothing("old code may be too old")
    return runs(model, agent, code)


def _program_code_was_loaded(model: Model, executable_: int) -> bool:
    found = executable(model, executable_)
    return any(agent == PROGRAM for _, agent in found.loaded)


def was_loaded(model: Model, executable_: int, origin: int, agent: int) -> bool:
    """Return whether the same code was loaded into an executable for an agent."""
    return (source(model, origin), agent) in executable(model, executable_).loaded


def declarations_are_met(model: Model, executable_: int, origin: int, agent: int) -> bool:
    """Return whether everything that code leaves undefined is defined for an agent, or for all."""
    code, found = source(model, origin), executable(model, executable_)
    if code is None:
        return True
    return all(
        (name, owner) in found.symbols or (name, PROGRAM) in found.symbols
        for name in code.undefined
        for owner in (agent,)
    )


def _variables_defined(model: Model, executable_: int) -> bool:
    found = executable(model, executable_)
    return all(
        (name, agent) in found.symbols or (name, PROGRAM) in found.symbols
        for code, agent in found.loaded
        for name in code.undefined
    )


def _is_variable(model: Model, executable_: int, name: int, agent: int) -> bool:
    found, wanted = executable(model, executable_), text(model, name)
    kind = found.symbols.get((wanted, agent))
    if kind is None and found.names(wanted):
        raise ProvesNothing("the text does not say whether agents and the program share names")
    return kind == VARIABLE


def _has_variable(model: Model, executable_: int, name: int) -> bool:
    return _is_variable(model, executable_, name, PROGRAM)


def _has_variable_for(model: Model, executable_: int, agent: int, name: int) -> bool:
    found, wanted = executable(model, executable_), text(model, name)
    if (wanted, PROGRAM) in found.symbols:
        raise ProvesNothing("the text does not say whether agents and the program share names")
    return found.symbols.get((wanted, agent)) == VARIABLE


def _has_symbol(model: Model, executable_: int, name: int) -> bool:
    return bool(executable(model, executable_).names(text(model, name)))


def _has_symbol_in(model: Model, executable_: int, module: int, name: int, agent: int) -> bool:
    symbols, wanted = executable(model, executable_).symbols, text(model, name)
    if module and text(model, module):
        return False
    return (wanted, PROGRAM) in symbols or (wanted, agent) in symbols


def _has_symbol_for(model: Model, executable_: int, name: int, agent: int) -> bool:
    found = executable(model, executable_)
    if not agent:
        return (text(model, name), PROGRAM) in found.symbols
    owner = model.words(agent, 1)
    return bool(owner) and owner[0] != 0 and (text(model, name), owner[0]) in found.symbols


def suits_symbol(model: Model, attribute: int, symbol: int) -> bool:
    """Return whether an attribute is one of a symbol."""
    found = model.find("executable_symbol", symbol)
    if isinstance(found, ExecutableSymbol):
        return suits(OF_EXECUTABLES, attribute, found.kind, found.program)
    of_code = model.find("code_symbol", symbol)
    return of_code is not None and suits(OF_CODE, attribute, of_code.kind)


FACTS: dict[str, Fact] = {
    "file_is_readable": _file_is_readable,
    "whole_file_holds_code": _whole_file_holds_code,
    "file_holds_code": _file_holds_code,
    "holds_code": _holds_code,
    "reads_code": _reads_code,
    "code_is_loadable": _loadable,
    "code_is_loadable_on": loadable_on,
    "program_code_was_loaded": _program_code_was_loaded,
    "code_was_loaded": was_loaded,
    "declarations_are_met": declarations_are_met,
    "variables_defined": _variables_defined,
    "has_variable": _has_variable,
    "variable_is_defined": _has_variable,
    "has_variable_for": _has_variable_for,
    "variable_is_defined_for": _has_variable_for,
    "has_symbol": _has_symbol,
    "has_symbol_in": _has_symbol_in,
    "has_symbol_for": _has_symbol_for,
    "suits_symbol": suits_symbol,
}
