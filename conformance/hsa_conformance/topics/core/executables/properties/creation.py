"""What a new executable is."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.executables.properties.scenes import (
    FROZEN,
    QUERY,
    UNFROZEN,
    everything,
    options,
    require_definition_refused,
    state,
)
from hsa_conformance.topics.shared.attributes import number

proves = Proofs()

OLD, NEW = "hsa_executable_create", "hsa_executable_create_alt"
_ZERO, _NEAR = 1, 2
_STATE, _ROUNDING = "executable_state", "default_float_rounding_mode"


def _drawn(scene: Scene, function: str, asked: int = 0) -> dict[str, Value]:
    """Draw a profile, and a state or a rounding mode, to create an executable with."""
    profile = scene.draw(drawing.sampled_from([0, 1]))
    values: dict[str, Value] = {"profile": profile, "options": asked, "executable": Out()}
    if function == OLD:
        values[_STATE] = scene.draw(drawing.sampled_from([UNFROZEN, FROZEN]))
    else:
        values[_ROUNDING] = scene.draw(drawing.sampled_from([_NEAR, _ZERO]))
    return values


def _new(scene: Scene, function: str) -> Answer:
    return scene.set_up(function, **_drawn(scene, function))


def _require_argument(scene: Scene, answer: Answer, attribute: str, argument: str) -> None:
    name = f"HSA_EXECUTABLE_INFO_{attribute}"
    stored = number(scene, QUERY, name, executable=answer["executable"])
    scene.require(
        stored == answer.args[argument],
        f"{name} of the new executable is not {argument}",
        f"{argument} {answer.args[argument]}, attribute {stored}",
    )


@proves("hsa_executable_create/profile")
@proves("hsa_executable_create_alt/profile")
def a_new_executable_has_the_profile_asked_for(scene: Scene) -> None:
    """The profile of a new executable is the one asked for."""
    _require_argument(scene, _new(scene, scene.clause.function), "PROFILE", "profile")


@proves("hsa_executable_create/state")
def a_new_executable_has_the_state_asked_for(scene: Scene) -> None:
    """The state of a new executable is the one asked for."""
    _require_argument(scene, _new(scene, OLD), "STATE", _STATE)


@proves("hsa_executable_create_alt/rounding")
def a_new_executable_has_the_rounding_asked_for(scene: Scene) -> None:
    """The rounding mode of a new executable is the one asked for."""
    _require_argument(scene, _new(scene, NEW), "DEFAULT_FLOAT_ROUNDING_MODE", _ROUNDING)


@proves("hsa_executable_create_alt/unfrozen")
def a_new_executable_is_not_frozen(scene: Scene) -> None:
    """A new executable, created without a state, is not frozen."""
    found = state(scene, _new(scene, NEW)["executable"])
    scene.require(found == UNFROZEN, "the new executable is frozen", found)


@proves("hsa_executable_create/empty")
@proves("hsa_executable_create_alt/empty")
def a_new_executable_has_no_symbols(scene: Scene) -> None:
    """No traversal of a new executable reports a symbol, for any agent or for all."""
    found = everything(scene, _new(scene, scene.clause.function)["executable"])
    scene.require(not any(found.values()), "the new executable has symbols", dict(found))


@proves("hsa_executable_create/frozen-stays-empty")
def nothing_is_defined_in_what_was_created_frozen(scene: Scene) -> None:
    """Defining a variable, for all agents or for one, is refused in what was created frozen."""
    values = {**_drawn(scene, OLD), _STATE: FROZEN}
    require_definition_refused(scene, scene.set_up(OLD, **values)["executable"])


@proves("hsa_executable_create/options-unknown")
@proves("hsa_executable_create_alt/options-unknown")
def unknown_options_do_not_change_what_is_created(scene: Scene) -> None:
    """An executable created with unknown options has the attributes asked for."""
    function = scene.clause.function
    answer = scene.call(function, **_drawn(scene, function, options(scene)))
    scene.require_status(answer, SUCCESS)
    _require_argument(scene, answer, "PROFILE", "profile")
    if function == OLD:
        _require_argument(scene, answer, "STATE", _STATE)
        return
    _require_argument(scene, answer, "DEFAULT_FLOAT_ROUNDING_MODE", _ROUNDING)
    found = state(scene, answer["executable"])
    scene.require(found == UNFROZEN, "options changed the state", found)
