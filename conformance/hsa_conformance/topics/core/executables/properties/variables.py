"""Variables that the application defines."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS, VARIABLE_ALREADY_DEFINED
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import described
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.state import PROGRAM, VARIABLE
from hsa_reports import Verdict

proves = Proofs()

GLOBAL: Final = "hsa_executable_global_variable_define"
OF_AGENTS: Final = (
    "hsa_executable_agent_global_variable_define",
    "hsa_executable_readonly_variable_define",
)


def _owner(scene: Scene) -> int:
    if scene.clause.function == GLOBAL:
        return PROGRAM
    return scene.choose(known_agents(scene)).handle


def _define(scene: Scene, handle: int, owner: int, place: int, name: str = "apart") -> Answer:
    values: dict[str, Value] = {"executable": handle, "address": place}
    values["variable_name"] = code.text(scene, name)
    if owner:
        values["agent"] = owner
    return scene.call(scene.clause.function, **values)


def _defined(scene: Scene, handle: int, owner: int) -> int:
    """Define a variable with the function under test, and return where it lies."""
    place = scene.readable()
    scene.require_status(_define(scene, handle, owner, place), SUCCESS)
    return place


@proves.each((GLOBAL, *OF_AGENTS), "defined-once")
def a_variable_is_defined_once(scene: Scene) -> None:
    """Defining a variable a second time is refused, at the same address too."""
    handle, owner = executables.executable(scene), _owner(scene)
    place = _defined(scene, handle, owner)
    again = scene.choose([place, scene.readable()])
    scene.require_status(_define(scene, handle, owner, again), VARIABLE_ALREADY_DEFINED)


@proves.each((GLOBAL, *OF_AGENTS), "address")
def a_frozen_executable_has_the_variable_at_the_address(scene: Scene) -> None:
    """In the frozen executable, a variable has the address that it was defined at."""
    handle, owner = executables.executable(scene), _owner(scene)
    place = _defined(scene, handle, owner)
    executables.freeze(scene, handle)
    _require_place(scene, handle, owner, place)


def _require_place(scene: Scene, handle: int, owner: int, place: int) -> None:
    symbol = executables.symbol(scene, handle, "apart", owner)
    found = described(scene, symbol, "VARIABLE_ADDRESS")
    scene.require(found == place, "the variable lies elsewhere", f"{found:#x}, not {place:#x}")


@proves.each((GLOBAL, *OF_AGENTS), "symbol")
def a_variable_that_was_defined_is_found(scene: Scene) -> None:
    """A variable that was defined is found by its name, and is a variable."""
    handle, owner = executables.executable(scene), _owner(scene)
    _defined(scene, handle, owner)
    kind = described(scene, executables.symbol(scene, handle, "apart", owner), "TYPE")
    scene.require(kind == VARIABLE, "the symbol is no variable", kind)


@proves.each((GLOBAL, *OF_AGENTS), "failure-defines-nothing")
def a_second_definition_leaves_the_first(scene: Scene) -> None:
    """After a refused second definition, the variable is still at its first address."""
    handle, owner = executables.executable(scene), _owner(scene)
    place = _defined(scene, handle, owner)
    if _define(scene, handle, owner, scene.readable()).ok:
        raise CannotMake("a second definition is not refused")
    executables.freeze(scene, handle)
    _require_place(scene, handle, owner, place)


@proves("hsa_executable_agent_global_variable_define/each-agent")
@proves("hsa_executable_readonly_variable_define/each-agent")
def each_agent_has_a_variable_of_its_own(scene: Scene) -> None:
    """The name of an agent variable can be defined for a second agent."""
    agents = [a.handle for a in known_agents(scene)]
    if len(agents) < 2:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the machine has one agent alone")
    handle = executables.executable(scene)
    for owner in agents[:2]:
        _defined(scene, handle, owner)


@proves("hsa_executable_agent_global_variable_define/used-by-code")
@proves("hsa_executable_readonly_variable_define/used-by-code")
def code_uses_the_variable_that_was_defined(scene: Scene) -> None:
    """A pointer in loaded code to a variable that was defined holds its address."""
    agent = code.gpu(scene)
    handle, place = executables.executable(scene), scene.readable()
    answer = _define(scene, handle, agent, place, code.UNDEFINED)
    scene.require_status(answer, SUCCESS)
    chosen = code.code(scene, agent, declares=True)
    function, values = executables.loading(scene, handle, agent, code.origin(scene, chosen))
    loaded = scene.call(function, **values)
    scene.require_status(loaded, SUCCESS)
    executables.freeze(scene, handle)
    pointer = executables.symbol(scene, handle, "pointer", agent)
    stored = scene.session.read(described(scene, pointer, "VARIABLE_ADDRESS"), 8)
    if stored is None:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the host cannot read the memory of the agent")
    found = int.from_bytes(stored, "little")
    scene.require(found == place, "the code points elsewhere", f"{found:#x}, not {place:#x}")
