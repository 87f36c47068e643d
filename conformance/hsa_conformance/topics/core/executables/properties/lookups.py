"""Looking symbols up by name."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.loaded_code import loadable, loaded
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
    answer = _asked(scene, handle, name, owner, convention)
    scene.require_status(answer, SUCCESS)
    return answer


def _asked(scene: Scene, handle: int, name: str, owner: int, convention: int = 0) -> Answer:
    text = code.text(scene, name)
    if scene.clause.function == OLD:
        return scene.call(
            OLD,
            executable=handle,
            module_name=0,
            symbol_name=text,
            agent=owner or scene.choose(known_agents(scene)).handle,
            call_convention=convention,
            symbol=Out(),
        )
    where = scene.session.lay_out(handle_array([owner])) if owner else 0
    return scene.call(NEW, executable=handle, symbol_name=text, agent=where, symbol=Out())


@proves("hsa_executable_get_symbol/same-name")
@proves("hsa_executable_get_symbol_by_name/same-name")
def what_is_found_has_the_name(scene: Scene) -> None:
    """A symbol that is looked up has the name that was asked for."""
    handle, name, owner = named_symbol(scene)
    found = name_of(scene, _look_up(scene, handle, name, owner)["symbol"])
    scene.require(found == name.encode(), f"the symbol is not called {name}", found)


@proves("hsa_executable_get_symbol/same-name")
@proves("hsa_executable_get_symbol_by_name/same-name")
def a_name_is_found_once_its_code_is_loaded(scene: Scene) -> None:
    """A name whose look-up was refused is found once there is such a symbol."""
    handle, loads = executables.executable(scene), code.wanted(scene)
    agents = code.gpus(scene) if loads else [scene.choose(known_agents(scene))]
    owner = agents[0].handle
    name = loadable(scene, owner).symbols[0] if loads else "apart"
    for agent in agents:
        if _asked(scene, handle, name, agent.handle).ok:
            raise CannotMake("a name is found that nothing has")
    if loads:
        owner = loaded(scene, handle).agent
    else:
        executables.define(scene, handle, name, owner)
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
