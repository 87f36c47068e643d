"""Loading code objects into executables."""

from __future__ import annotations

from hsa_conformance.code_objects import Code
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.code_objects.properties.scenes import LOAD
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import (
    UNFROZEN,
    described,
    everything,
    names,
    options,
    require_unchanged,
    state,
)
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()


def _loaded(scene: Scene, asked: int = 0) -> tuple[int, int, Code]:
    agent, handle = code.gpu(scene), executables.executable(scene)
    chosen = code.code(scene, agent)
    answer = scene.call(
        LOAD,
        executable=handle,
        agent=agent,
        code_object=code.code_object(scene, chosen),
        options=asked,
    )
    scene.require_status(answer, SUCCESS)
    return handle, agent, chosen


def _require_symbols(scene: Scene, handle: int, agent: int, chosen: Code) -> None:
    found = names(scene, handle, agent)
    scene.require(
        found == set(chosen.symbols), "the symbols are not those of the code", sorted(found)
    )


@proves("hsa_executable_load_code_object/symbols-appear")
def every_symbol_of_the_code_object_is_found(scene: Scene) -> None:
    """After a code object is loaded, exactly its kernels and variables are found by name."""
    _require_symbols(scene, *_loaded(scene))


@proves("hsa_executable_load_code_object/options-unknown")
def unknown_options_do_not_change_what_is_loaded(scene: Scene) -> None:
    """A code object is loaded with unknown options, and its symbols are there."""
    _require_symbols(scene, *_loaded(scene, options(scene)))


@proves("hsa_executable_load_code_object/variables-allocated")
def a_variable_of_the_code_object_has_an_address(scene: Scene) -> None:
    """A variable of a code object has an address once the executable is frozen."""
    handle, agent, chosen = _loaded(scene)
    if not chosen.variables:
        raise CannotMake("the code has no variables")
    executables.freeze(scene, handle)
    name = scene.choose(chosen.variables).name
    address = described(scene, executables.symbol(scene, handle, name, agent), "VARIABLE_ADDRESS")
    scene.require(address != 0, "a variable of frozen code has no address", address)


@proves("hsa_executable_load_code_object/failure-loads-nothing")
def a_refused_code_object_leaves_the_executable_as_it_was(scene: Scene) -> None:
    """A code object that is refused adds no symbol, and leaves the executable unfrozen."""
    handle = executables.executable(scene)
    executables.define(scene, handle, "apart")
    declares = bool(code.gpus(scene)) and scene.choose([False, True])
    agent = code.gpu(scene) if declares else scene.choose(known_agents(scene)).handle
    content = code.code(scene, agent, declares=True) if declares else code.other_profile(0)
    before = everything(scene, handle)
    answer = scene.call(
        LOAD,
        executable=handle,
        agent=agent,
        code_object=code.code_object(scene, content),
        options=0,
    )
    if answer.ok:
        raise CannotMake("the call succeeds")
    require_unchanged(scene, handle, before, answer)
    seen = state(scene, handle)
    scene.require(seen == UNFROZEN, "a refused call froze the executable", seen)
