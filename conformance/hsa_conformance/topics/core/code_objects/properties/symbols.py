"""Symbols of code objects."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.code_objects import generators as code_objects
from hsa_conformance.topics.core.code_objects.properties.scenes import (
    FIND,
    OF_SYMBOL,
    described_symbol,
    name_of_symbol,
    some,
)
from hsa_conformance.topics.shared.attributes import (
    ask_where_answered,
    attributes,
    require_bool,
    require_no_overrun,
    require_plain_name,
)
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()


def _look_up(scene: Scene, function: str, handle: int, name: str) -> Answer:
    values: dict[str, Value] = {"code_object": handle, "symbol": Out()}
    values["symbol_name"] = code.text(scene, name)
    if function == FIND[1]:
        values["module_name"] = scene.choose([0, code.text(scene, "")])
    answer = scene.call(function, **values)
    scene.require_status(answer, SUCCESS)
    return answer


@proves("hsa_code_object_get_symbol/same-name")
@proves("hsa_code_object_get_symbol_from_name/same-name")
def what_is_found_has_the_name(scene: Scene) -> None:
    """A symbol that is looked up has the name that was asked for."""
    handle, chosen = some(scene)
    name = scene.choose(chosen.symbols)
    symbol = _look_up(scene, scene.clause.function, handle, name)["symbol"]
    found = require_plain_name(name_of_symbol(scene, symbol), "hsa_code_symbol_get_info/name")
    scene.require(found == name.encode(), f"the symbol is not called {name}", found)


@proves("hsa_code_object_get_symbol_from_name/same-module")
def what_is_found_is_of_the_module(scene: Scene) -> None:
    """A symbol that is looked up without a module has an empty module name."""
    handle, chosen = some(scene)
    symbol = _look_up(scene, FIND[1], handle, scene.choose(chosen.symbols))["symbol"]
    found = described_symbol(scene, symbol, "MODULE_NAME_LENGTH")
    scene.require(found == 0, "the symbol is of a module", found)


@proves("hsa_code_object_get_symbol/same-handle")
@proves("hsa_code_object_get_symbol_from_name/same-handle")
def a_symbol_has_one_handle(scene: Scene) -> None:
    """Looking up one name twice gives equal handles."""
    handle, chosen = some(scene)
    name, function = scene.choose(chosen.symbols), scene.clause.function
    first, second = (_look_up(scene, function, handle, name)["symbol"] for _ in range(2))
    scene.require(first == second, "two look-ups differ", f"{first:#x} and {second:#x}")


def _symbol(scene: Scene) -> tuple[int, str]:
    handle, chosen = some(scene)
    name = scene.choose(chosen.symbols)
    return code_objects.symbol(scene, handle, name), name


def _suiting(scene: Scene, symbol: int, value_type: str | None = None) -> str:
    registry, model = scene.session.registry, scene.session.model
    return scene.choose(
        [
            name
            for name in attributes(scene.session, "hsa_code_symbol_info_t", value_type=value_type)
            if model.holds("suits_symbol", registry.constants[name], symbol)
        ]
    )


@proves("hsa_code_symbol_get_info/value-size", examples=4)
def nothing_is_written_behind_an_attribute_of_a_symbol(scene: Scene) -> None:
    """A query of a symbol leaves the bytes behind the attribute's type as they were."""
    symbol, _ = _symbol(scene)
    attribute = _suiting(scene, symbol)
    answer = ask_where_answered(scene, OF_SYMBOL, attribute, code_symbol=symbol)
    require_no_overrun(scene, answer, attribute)


@proves("hsa_code_symbol_get_info/value-bool", examples=2)
def a_bool_of_a_symbol_is_stored_as_0_or_1(scene: Scene) -> None:
    """An attribute of type bool is stored as 0 or 1."""
    symbol, _ = _symbol(scene)
    attribute = _suiting(scene, symbol, "bool")
    answer = ask_where_answered(scene, OF_SYMBOL, attribute, code_symbol=symbol)
    require_bool(scene, answer, attribute)


@proves("hsa_code_symbol_get_info/name")
def the_name_is_as_long_as_it_says(scene: Scene) -> None:
    """A symbol's name has as many bytes as its length says, and none of them is NUL."""
    symbol, name = _symbol(scene)
    found, length = name_of_symbol(scene, symbol), described_symbol(scene, symbol, "NAME_LENGTH")
    scene.require(
        len(name) == length and found == name.encode(),
        f"the name is not {name}, {len(name)} bytes",
        f"{found!r}, {length} bytes",
    )


@proves("hsa_code_symbol_get_info/module-name-empty")
def a_symbol_of_the_program_has_no_module(scene: Scene) -> None:
    """The module name of a symbol with program linkage is empty."""
    symbol, _ = _symbol(scene)
    if described_symbol(scene, symbol, "LINKAGE") != 1:
        raise CannotMake("the symbol is one of a module")
    found = described_symbol(scene, symbol, "MODULE_NAME_LENGTH")
    scene.require(found == 0, "a symbol of the program has a module", found)
