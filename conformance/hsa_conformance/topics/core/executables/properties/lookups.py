"""Looking symbols up by name."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import (
    OF_SYMBOL,
    name_of,
    named_symbol,
)
from hsa_conformance.topics.shared.attributes import number
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()

OLD, NEW = "hsa_executable_get_symbol", "hsa_executable_get_symbol_by_name"


def _look_up(scene: Scene, handle: int, name: str, owner: int, convention: int = 0) -> Answer:
    """Look a symbol up with the function under test; it has to be found."""
    text = code.text(scene, name)
    if scene.clause.function == OLD:
        answer = scene.call(
            OLD,
            executable=handle,
            module_name=0,
            symbol_name=text,
            agent=owner or scene.choose(known_agents(scene)).handle,
            call_convention=convention,
            symbol=Out(),
        )
    else:
        where = scene.session.lay_out(handle_array([owner])) if owner else 0
        answer = scene.call(NEW, executable=handle, symbol_name=text, agent=where, symbol=Out())
    scene.require_status(answer, SUCCESS)
    return answer


@proves("hsa_executable_get_symbol/same-name")
@proves("hsa_executable_get_symbol_by_name/same-name")
def what_is_found_has_the_name(scene: Scene) -> None:
    """A symbol that is looked up has the name that was asked for."""
    handle, name, owner = named_symbol(scene)
    found = name_of(scene, _look_up(scene, handle, name, owner)["symbol"])
    scene.require(found == name.encode(), f"the symbol is not called {name}", found)


@proves("hsa_executable_get_symbol/same-handle")
@proves("hsa_executable_get_symbol_by_name/same-handle")
def a_symbol_has_one_handle(scene: Scene) -> None:
    """Looking up one name twice gives equal handles."""
    handle, name, owner = named_symbol(scene)
    first, second = (_look_up(scene, handle, name, owner)["symbol"] for _ in range(2))
    scene.require(first == second, "two look-ups differ", f"{first:#x} and {second:#x}")


@proves("hsa_executable_get_symbol_by_name/same-agent")
def a_symbol_of_an_agent_says_so(scene: Scene) -> None:
    """A symbol that was looked up for an agent names that agent."""
    handle, owner = executables.executable(scene), scene.choose(known_agents(scene)).handle
    executables.define(scene, handle, "apart", owner)
    symbol = _look_up(scene, handle, "apart", owner)["symbol"]
    attribute = "HSA_EXECUTABLE_SYMBOL_INFO_AGENT"
    found = number(scene, OF_SYMBOL, attribute, executable_symbol=symbol)
    scene.require(found == owner, "the symbol is of another agent", f"{found:#x}")


@proves("hsa_executable_get_symbol/agent-ignored")
def a_variable_of_the_program_is_found_for_any_agent(scene: Scene) -> None:
    """A variable with program allocation is found as the same symbol with any agent."""
    handle = executables.executable(scene)
    executables.define(scene, handle, "apart")
    found = {int(_look_up(scene, handle, "apart", a.handle)["symbol"]) for a in known_agents(scene)}
    scene.require(len(found) == 1, "agents find different symbols", len(found))


@proves("hsa_executable_get_symbol/call-convention-ignored")
def the_call_convention_does_not_matter(scene: Scene) -> None:
    """A symbol that is no indirect function is found with any call convention."""
    handle, name, owner = named_symbol(scene)
    convention = scene.draw(drawing.integers(-(2**31), 2**31 - 1))
    _look_up(scene, handle, name, owner, convention)
