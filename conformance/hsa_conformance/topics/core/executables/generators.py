"""Generators of executables, readers, names and symbols, and of code that can be loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.code_objects import Code
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.generators import Comparison, Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import find_agent
from hsa_conformance.topics.core.executables.fixtures import (
    BASE,
    UNKNOWN,
    define,
    executable,
    freeze,
    half_defined,
    load,
    symbol,
)
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.generators import put, text
from hsa_conformance.topics.shared.code.state import PROGRAM, Executable
from hsa_conformance.topics.shared.code.state import executable as live

# handles


def _executable(b: Builder, x: str) -> None:
    b.values[x] = executable(b)
    if not b.choose([False, True]):
        return  # without symbols
    if b.session.offers("hsa_executable_global_variable_define"):
        define(b, b.number(x), "apart")
    lists = any(p.type.startswith("callback:") for p in b.function.params)
    if lists and b.session.offers("hsa_executable_agent_global_variable_define"):
        for agent in known_agents(b):
            define(b, b.number(x), "apart for an agent", agent.handle)


def _no_object(b: Builder, x: str) -> None:
    b.values[x] = b.readable()


def _frozen(b: Builder, names: Sequence[str], attribute: str, op: str, wanted: object) -> None:
    if attribute != "frozen" or op not in ("==", "!="):
        raise CannotMake("executables are compared by whether they are frozen")
    found = _live(b, names[0])
    frozen = bool(wanted) is (op == "==")
    if found is None or (found.frozen and not frozen):
        b.values[names[0]] = executable(b)
        found = live(b.session.model, b.number(names[0]))
    if frozen and not found.frozen:
        freeze(b, b.number(names[0]))


def _live(b: Builder, x: str) -> Executable | None:
    found = b.session.model.find("executable", b.number(x))
    return found if isinstance(found, Executable) else None


def _open(b: Builder, x: str) -> int:
    """Return the executable of a call, if more can be put into it, or a new one."""
    found = _live(b, x)
    if found is None or found.frozen:
        b.values[x] = executable(b)
    return b.number(x)


def _reader(b: Builder, x: str) -> None:
    put(b, x, _fitting(b))


def _fitting(b: Builder) -> Code:
    """Return code of which it is known whether the call can load it."""
    if b.function.name == "hsa_executable_load_program_code_object":
        return code.other_profile(BASE)
    return code.code(b)


def _symbol(b: Builder, x: str) -> None:
    """Look up a symbol of a kind that the attribute of the call is for, if there is one."""
    attribute = b.values.get("attribute")
    gpus = code.gpus(b)
    if gpus and attribute is not None and b.choose([False, True]):
        _symbol_of_kernel(b, x)
        return
    handle = executable(b)
    owner = b.choose([PROGRAM, *(a.handle for a in known_agents(b))])
    define(b, handle, "apart", owner)
    b.values[x] = symbol(b, handle, "apart", owner)


def _symbol_of_kernel(b: Builder, x: str) -> None:
    agent, handle = code.gpu(b), executable(b)
    load(b, handle, agent, code.origin(b, code.code(b, agent)))
    b.values[x] = symbol(b, handle, "first.kd", agent)


# loading


def _reads_code(b: Builder, x: str) -> None:
    put(b, x, _fitting(b))


def _reads_no_code(b: Builder, x: str) -> None:
    put(b, x, code.no_code(b))


def _program_code(b: Builder, *_: str) -> None:
    raise code.not_available()


def _no_program_code(b: Builder, x: str, origin: str) -> None:
    put(b, origin, code.other_profile(live(b.session.model, _open(b, x)).profile))


def _loadable(b: Builder, x: str, origin: str, agent: str) -> None:
    handle = _open(b, x)
    if live(b.session.model, handle).loaded:
        b.values[x] = executable(b)
    b.values[agent] = code.gpu(b)
    put(b, origin, code.code(b, b.number(agent)))


def _not_loadable(b: Builder, x: str, origin: str, agent: str) -> None:
    profile = live(b.session.model, _open(b, x)).profile
    match b.choose(["processor", "profile"]):
        case "processor":
            put(b, origin, code.other_code(b))
        case _:
            put(b, origin, code.other_profile(profile))
    if find_agent(b.session.model, b.number(agent)) is None:
        b.values[agent] = b.one_of(known_agents(b)).handle


def _loaded(b: Builder, x: str, origin: str, agent: str) -> None:
    b.values[x], b.values[agent] = executable(b), code.gpu(b)
    chosen = code.code(b, b.number(agent))
    load(b, b.number(x), b.number(agent), code.origin(b, chosen))
    put(b, origin, chosen)


def _not_loaded(b: Builder, x: str, origin: str, agent: str) -> None:
    b.values[x] = executable(b)


def _met(b: Builder, x: str, origin: str, agent: str) -> None:
    _declaring(b, x, origin, agent)
    define(b, b.number(x), code.UNDEFINED, b.number(agent))


def _not_met(b: Builder, x: str, origin: str, agent: str) -> None:
    _declaring(b, x, origin, agent)


def _declaring(b: Builder, x: str, origin: str, agent: str) -> None:
    b.values[x], b.values[agent] = executable(b), code.gpu(b)
    put(b, origin, code.code(b, b.number(agent), declares=True))


def _all_defined(b: Builder, x: str) -> None:
    b.values[x] = executable(b)


def _some_undefined(b: Builder, x: str) -> None:
    b.values[x] = half_defined(b)


# names


def _variable(b: Builder, x: str, name: str) -> None:
    define(b, _open(b, x), "apart2" if _taken(b, x, "apart") else "apart")
    b.values[name] = text(b, "apart")


def _taken(b: Builder, x: str, name: str) -> bool:
    found = _live(b, x)
    return found is not None and bool(found.names(name))


def _variable_for(b: Builder, x: str, agent: str, name: str) -> None:
    if find_agent(b.session.model, b.number(agent)) is None:
        b.values[agent] = b.one_of(known_agents(b)).handle
    b.values[x] = executable(b)
    define(b, b.number(x), "apart", b.number(agent))
    b.values[name] = text(b, "apart")


def _unknown(b: Builder, _: str, name: str) -> None:
    b.values[name] = text(b, UNKNOWN)


def _unknown_for(b: Builder, _: str, __: str, name: str) -> None:
    b.values[name] = text(b, UNKNOWN)


def _named(b: Builder, x: str, name: str) -> None:
    b.values[name] = text(b, _any_symbol(b, x)[0])


def _any_symbol(b: Builder, x: str) -> tuple[str, int]:
    """Return a symbol of the executable, and its agent, after defining two if there is none."""
    found = _live(b, x)
    if found is None or not found.symbols:
        owner = b.choose([PROGRAM, *(a.handle for a in known_agents(b))])
        for name in ("apart", "beside"):
            define(b, _open(b, x), name, owner)
        found = live(b.session.model, b.number(x))
    return b.choose(list(found.symbols))


def _named_in(b: Builder, x: str, module: str, name: str, agent: str) -> None:
    words, owner = _any_symbol(b, x)
    b.values[module], b.values[name] = b.choose([0, text(b, "")]), text(b, words)
    b.values[agent] = owner or b.one_of(known_agents(b)).handle


def _named_elsewhere(b: Builder, x: str, module: str, name: str, agent: str) -> None:
    words, owner = _any_symbol(b, x)
    b.values[name] = text(b, words)
    others = [a.handle for a in known_agents(b) if a.handle != owner]
    if b.choose(["module", "agent"]) == "agent" and owner and others:
        b.values[module], b.values[agent] = 0, b.one_of(others)
    else:
        b.values[module] = text(b, "module")
        b.values[agent] = owner or b.one_of(known_agents(b)).handle


def _named_for(b: Builder, x: str, name: str, agent: str) -> None:
    words, owner = _any_symbol(b, x)
    b.values[name] = text(b, words)
    b.values[agent] = b.session.lay_out(handle_array([owner])) if owner else 0


def _named_for_others(b: Builder, x: str, name: str, agent: str) -> None:
    words, owner = _any_symbol(b, x)
    b.values[name] = text(b, words)
    others = [a.handle for a in known_agents(b) if a.handle != owner]
    arrays = [b.session.lay_out(handle_array([other])) for other in others]
    b.values[agent] = b.choose([*arrays, *([0] if owner else [])])


def _agent_at(b: Builder, x: str) -> None:
    b.values[x] = b.session.lay_out(handle_array([b.choose(known_agents(b)).handle]))


def _no_agent_at(b: Builder, x: str) -> None:
    b.values[x] = b.session.lay_out(handle_array([b.readable()]))


def _suiting(b: Builder, attribute: str, x: str) -> None:
    """Choose a symbol that has the attribute, or an attribute that the symbol has."""
    b.values[attribute] = b.choose(_attributes(b, attribute, x, suits=True))


def _not_suiting(b: Builder, attribute: str, x: str) -> None:
    b.values[attribute] = b.choose(_attributes(b, attribute, x, suits=False))


def _attributes(b: Builder, attribute: str, x: str, *, suits: bool) -> list[int]:
    enum = b.session.registry.enums[b.function.parameter[attribute].type]
    model = b.session.model
    return [
        e.value
        for e in enum.enumerators
        if b.session.release.has(e.versions) is True
        and model.holds("suits_symbol", e.value, b.number(x)) is suits
    ]


GENERATORS: Mapping[str, Generators] = {
    **code.GENERATORS,
    "is_executable": Generators(_executable, _no_object),
    "is_code_object_reader": Generators(_reader, _no_object),
    "is_executable_symbol": Generators(_symbol, _no_object),
    "reads_code": Generators(_reads_code, _reads_no_code),
    "code_is_loadable": Generators(_program_code, _no_program_code),
    "code_is_loadable_on": Generators(_loadable, _not_loadable),
    "program_code_was_loaded": Generators(_program_code, _all_defined),
    "code_was_loaded": Generators(_loaded, _not_loaded),
    "declarations_are_met": Generators(_met, _not_met),
    "variables_defined": Generators(_all_defined, _some_undefined),
    "has_variable": Generators(_variable, _unknown),
    "variable_is_defined": Generators(_variable, _unknown),
    "has_variable_for": Generators(_variable_for, _unknown_for),
    "variable_is_defined_for": Generators(_variable_for, _unknown_for),
    "has_symbol": Generators(_named, _unknown),
    "has_symbol_in": Generators(_named_in, _named_elsewhere),
    "points_to_agent": Generators(_agent_at, _no_agent_at),
    "has_symbol_for": Generators(_named_for, _named_for_others),
    "suits_symbol": Generators(_suiting, _not_suiting),
}

COMPARISONS: Mapping[str, Comparison] = {"executable": _frozen}
