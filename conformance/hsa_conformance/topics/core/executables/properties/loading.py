"""What loading code does, and what a refusal leaves behind."""

from __future__ import annotations

from dataclasses import replace

from hsa_conformance.code_objects import Code, Kernel
from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import FROZEN_EXECUTABLE, SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.loaded_code import loaded
from hsa_conformance.topics.core.executables.properties.scenes import (
    UNFROZEN,
    LoadedExecutable,
    everything,
    options,
    require_names,
    require_unchanged,
    state,
)
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.traversal import require_known
from hsa_reports import Verdict

proves = Proofs()

AGENT = "hsa_executable_load_agent_code_object"
OF_LOADED = "hsa_ven_amd_loader_loaded_code_object_get_info"


def _load(scene: Scene, asked: int = 0, out: Value | None = None) -> LoadedExecutable:
    """Make the call, and demand that it succeeds."""
    agent = code.gpu(scene)
    chosen, handle = code.code(scene, agent), executables.executable(scene)
    reader = code.reader(scene, chosen)
    answer = scene.call(
        AGENT,
        executable=handle,
        agent=agent,
        code_object_reader=reader,
        options=asked,
        loaded_code_object=Out() if out is None else out,
    )
    scene.require_status(answer, SUCCESS)
    return LoadedExecutable(
        handle, agent, chosen, reader, 0, answer.symbols.get("loaded_code_object", 0)
    )


def _require_symbols(scene: Scene, found: LoadedExecutable) -> None:
    require_names(scene, found.handle, found.agent, found.code)


@proves("hsa_executable_load_agent_code_object/symbols-appear")
def every_symbol_of_the_code_is_found(scene: Scene) -> None:
    """After code is loaded, exactly its kernels and variables are reported by name."""
    _require_symbols(scene, _load(scene))


@proves("hsa_executable_load_agent_code_object/loaded-code-object-null")
def code_is_loaded_without_asking_for_a_handle(scene: Scene) -> None:
    """With NULL for the loaded code object, code is loaded all the same."""
    _require_symbols(scene, _load(scene, out=0))


@proves("hsa_executable_load_agent_code_object/options-unknown")
def unknown_options_do_not_change_what_is_loaded(scene: Scene) -> None:
    """Code is loaded with unknown options, and its symbols are there."""
    _require_symbols(scene, _load(scene, asked=options(scene)))


@proves("hsa_executable_load_agent_code_object/other-agents-unchanged")
def other_agents_get_no_symbols(scene: Scene) -> None:
    """Code loaded for one agent adds no symbols for other agents, nor for all."""
    if len(known_agents(scene, "gpu")) < 2:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the machine has no second GPU agent")
    found = _load(scene)
    others = {
        str(owner): seen
        for owner, seen in everything(scene, found.handle).items()
        if owner != found.agent
    }
    for seen in scene.parts("other agent", others):
        scene.require(not seen, "another agent has symbols of the code", ", ".join(seen))


@proves("hsa_executable_load_agent_code_object/loaded-code-object")
def the_handle_is_a_code_object_of_the_executable(scene: Scene) -> None:
    """Each load gives a loaded code object of its own, which is not 0, also in one executable."""
    first, other = loaded(scene), _load(scene)
    second = loaded(scene, first.executable, name="second")
    handles = [int(first.handle), int(second.handle), other.loaded_code_object]
    scene.require(
        0 not in handles and len({*handles}) == len(handles),
        "two loaded code objects are not told apart",
        ", ".join(f"{handle:#x}" for handle in handles),
    )


@proves("hsa_executable_load_agent_code_object/loaded-code-object")
def the_loader_knows_the_executable_of_the_handle(scene: Scene) -> None:
    """The loader names the right executable for the loaded code object that each load gives.

    It is asked where the library has the extension for that.
    """
    if not scene.session.offers(OF_LOADED):
        raise Unavailable(Verdict.NOT_APPLICABLE, f"the library has no {OF_LOADED}")
    both = [_load(scene), _load(scene)]
    attribute = "HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE"
    answers = [
        ask(scene, OF_LOADED, attribute, loaded_code_object=found.loaded_code_object)
        for found in both
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT")
    for found, answer in zip(both, answers, strict=True):
        executable = answer.number("value")
        scene.require(
            equal(executable, found.handle),
            "a loaded code object is of another executable",
            f"{executable:#x}",
        )


@proves("hsa_executable_load_agent_code_object/stays-unfrozen")
def more_can_be_put_into_an_executable_with_code(scene: Scene) -> None:
    """After code is loaded, the executable is not frozen, and more code can be loaded into it.

    Nor is the definition of a variable refused as that in a frozen executable.
    """
    found = _load(scene)
    seen = state(scene, found.handle)
    scene.require(seen == UNFROZEN, "loading froze the executable", seen)
    answer = scene.call(
        "hsa_executable_global_variable_define",
        executable=found.handle,
        variable_name=code.text(scene, "late"),
        address=scene.readable(),
    )
    frozen = answer.name == FROZEN_EXECUTABLE
    scene.require(not frozen, "loading froze the executable", answer.name)
    further = replace(found.code, kernels=(Kernel("third"),), variables=())
    origin = code.reader(scene, further)
    function, values = executables.loading(scene, found.handle, found.agent, origin)
    scene.require_status(scene.call(function, **values), SUCCESS)


@proves("hsa_executable_load_program_code_object/symbols-appear")
@proves("hsa_executable_load_program_code_object/loaded-code-object-null")
@proves("hsa_executable_load_program_code_object/loaded-code-object")
@proves("hsa_executable_load_program_code_object/stays-unfrozen")
@proves("hsa_executable_load_program_code_object/options-unknown")
def code_for_all_agents_is_not_to_be_had(_: Scene) -> None:
    """The suite has no code for all agents, so what loading it does is not tested."""
    raise code.not_available()


def _refused(scene: Scene, function: str, handle: int) -> Answer:
    """Try to load what does not fit.

    Raises:
        CannotMake: the call succeeds.

    """
    kind = scene.choose(["no code", "other profile", *(["undefined"] if code.gpus(scene) else [])])
    agent = code.gpu(scene) if code.gpus(scene) else scene.choose(known_agents(scene)).handle
    match kind:
        case "no code":
            content: Code | bytes = code.no_code(scene)
        case "undefined" if function == AGENT:
            content = code.code(scene, agent, declares=True)
        case _:
            content = code.other_profile(executables.BASE)
    values: dict[str, Value] = {"executable": handle, "options": 0, "loaded_code_object": Out()}
    values["code_object_reader"] = code.reader(scene, content)
    if function == AGENT:
        values["agent"] = agent
    answer = scene.call(function, **values)
    if answer.ok:
        raise CannotMake("the call succeeds")
    return answer


@proves("hsa_executable_load_agent_code_object/failure-loads-nothing")
@proves("hsa_executable_load_program_code_object/failure-loads-nothing")
def what_is_refused_leaves_the_executable_as_it_was(scene: Scene) -> None:
    """Code that is refused adds no symbol, and leaves the executable unfrozen."""
    handle = executables.executable(scene)
    executables.define(scene, handle, "apart")
    before = everything(scene, handle)
    refused = _refused(scene, scene.clause.function, handle)
    require_unchanged(scene, handle, before, refused)
    seen = state(scene, handle)
    scene.require(seen == UNFROZEN, "a refused call froze the executable", seen)
