"""Attributes of symbols of any kind, and of variables."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import (
    OF_SYMBOL,
    described,
    loaded,
    name_bytes,
    named_symbol,
)
from hsa_conformance.topics.shared.attributes import (
    ask_where_answered,
    attributes,
    require_bool,
    require_no_overrun,
)
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.state import PROGRAM, VARIABLE
from hsa_reports import Verdict

proves = Proofs()

ENUM: Final = "hsa_executable_symbol_info_t"
_PROGRAM_LINKAGE: Final = 1


def _any(scene: Scene) -> tuple[int, str, int]:
    """Return a symbol, its name and its agent."""
    if code.wanted(scene):
        found = loaded(scene)
        name = scene.choose(found.code.symbols)
        return executables.symbol(scene, found.handle, name, found.agent), name, found.agent
    handle = executables.executable(scene)
    owner = scene.choose([PROGRAM, *(a.handle for a in known_agents(scene))])
    executables.define(scene, handle, "apart", owner)
    return executables.symbol(scene, handle, "apart", owner), "apart", owner


def _suiting(scene: Scene, symbol: int, value_type: str | None = None) -> str:
    registry, model = scene.session.registry, scene.session.model
    return scene.choose(
        [
            name
            for name in attributes(scene.session, ENUM, value_type=value_type)
            if model.holds("suits_symbol", registry.constants[name], symbol)
        ]
    )


@proves("hsa_executable_symbol_get_info/value-size", examples=4)
def nothing_is_written_behind_an_attribute_of_a_symbol(scene: Scene) -> None:
    """A query of a symbol leaves the bytes behind the attribute's type as they were."""
    symbol, *_ = _any(scene)
    attribute = _suiting(scene, symbol)
    answer = ask_where_answered(scene, OF_SYMBOL, attribute, executable_symbol=symbol)
    require_no_overrun(scene, answer, attribute)


@proves("hsa_executable_symbol_get_info/value-bool", examples=2)
def a_bool_of_a_symbol_is_stored_as_0_or_1(scene: Scene) -> None:
    """An attribute of type bool is stored as 0 or 1."""
    symbol, *_ = _any(scene)
    attribute = _suiting(scene, symbol, "bool")
    answer = ask_where_answered(scene, OF_SYMBOL, attribute, executable_symbol=symbol)
    require_bool(scene, answer, attribute)


@proves("hsa_executable_symbol_get_info/name")
def the_name_is_as_long_as_it_says(scene: Scene) -> None:
    """The name of each of two symbols has as many bytes as its length says, none of them NUL."""
    for handle, name, owner in (named_symbol(scene), named_symbol(scene)):
        symbol = executables.symbol(scene, handle, name, owner)
        length = described(scene, symbol, "NAME_LENGTH")
        scene.require(length == len(name), f"{name} has not as many bytes", f"{length} bytes")
        found = name_bytes(scene, symbol)
        scene.require(found == name.encode(), f"the name is not {name}", f"{found!r}")


@proves("hsa_executable_symbol_get_info/module-name-empty")
def a_symbol_of_the_program_has_no_module(scene: Scene) -> None:
    """The module name of a symbol with program linkage is empty."""
    symbol, *_ = _any(scene)
    if described(scene, symbol, "LINKAGE") != _PROGRAM_LINKAGE:
        raise CannotMake("the symbol is one of a module")
    found = described(scene, symbol, "MODULE_NAME_LENGTH")
    scene.require(found == 0, "a symbol of the program has a module", found)


@proves("hsa_executable_symbol_get_info/agent")
def a_symbol_is_of_the_agent_that_it_was_made_for(scene: Scene) -> None:
    """A symbol's agent is the one its code was loaded for, or its variable was defined for."""
    symbol, _, owner = _any(scene)
    if owner == PROGRAM:
        raise CannotMake("the symbol is for the whole program")
    found = described(scene, symbol, "AGENT")
    scene.require(found == owner, "the symbol is of another agent", f"{found:#x}")


@proves("hsa_executable_symbol_get_info/variable-address-unfrozen")
def a_variable_has_no_address_before_freezing(scene: Scene) -> None:
    """The address of a variable is 0 before the executable is frozen."""
    symbol, *_ = _any(scene)
    if described(scene, symbol, "TYPE") != VARIABLE:
        raise CannotMake("the symbol is no variable")
    found = described(scene, symbol, "VARIABLE_ADDRESS")
    scene.require(equal(found, 0), "a variable has an address before freezing", f"{found:#x}")


@proves("hsa_executable_symbol_get_info/variable-address-frozen")
def a_variable_of_code_has_an_address(scene: Scene) -> None:
    """The address of a variable of loaded code is not 0 once the executable is frozen."""
    found = loaded(scene, frozen=True)
    variables = [v.name for v in found.code.variables]
    symbol = executables.symbol(scene, found.handle, scene.choose(variables), found.agent)
    address = described(scene, symbol, "VARIABLE_ADDRESS")
    scene.require(address != 0, "a variable of frozen code has no address", address)


@proves("hsa_executable_symbol_get_info/indirect-function-unfrozen")
def no_code_has_indirect_functions(_: Scene) -> None:
    """The suite has no code with indirect functions, so their objects are not tested."""
    raise Unavailable(
        Verdict.NOT_APPLICABLE, "code for AMD GPUs has no symbols of indirect functions"
    )
