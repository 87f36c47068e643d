"""What validating says, and that it changes nothing."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import (
    everything,
    loaded,
    options,
    some,
    state,
)
from hsa_conformance.topics.shared.code import generators as code
from hsa_reports import Verdict

proves = Proofs()

PLAIN, ALT = "hsa_executable_validate", "hsa_executable_validate_alt"


def _validate(scene: Scene, function: str, handle: int, asked: int = 0) -> Answer:
    values: dict[str, Value] = {"executable": handle, "result": Out()}
    if function == ALT:
        values["options"] = asked
    return scene.set_up(function, **values)


def _frozen(scene: Scene) -> int:
    """Return a frozen executable in which all fits: empty, with a variable, or with code."""
    if code.wanted(scene):
        return loaded(scene, frozen=True).handle
    handle = some(scene)
    executables.freeze(scene, handle)
    return handle


def _lacking(scene: Scene) -> int:
    """Return a frozen executable that lacks a definition.

    Raises:
        Unavailable: it cannot be frozen.

    """
    handle = executables.half_defined(scene)
    if not scene.call("hsa_executable_freeze", executable=handle, options=0).ok:
        raise Unavailable(
            Verdict.NOT_APPLICABLE, "code that lacks a definition is not frozen at all"
        )
    return handle


@proves("hsa_executable_validate/passes")
@proves("hsa_executable_validate_alt/passes")
def what_fits_passes(scene: Scene) -> None:
    """Validating a frozen executable whose code and definitions match gives 0."""
    found = _validate(scene, scene.clause.function, _frozen(scene)).number("result")
    scene.require(found == 0, "an executable in which all fits does not pass", found)


@proves("hsa_executable_validate_alt/options-unknown")
def unknown_options_do_not_change_the_result(scene: Scene) -> None:
    """With unknown options, validating gives 0 where it does without."""
    handle = _frozen(scene)
    answer = scene.call(ALT, executable=handle, options=options(scene), result=Out())
    scene.require_status(answer, SUCCESS)
    found = answer.number("result")
    scene.require(found == 0, "options changed the result", found)


@proves("hsa_executable_validate/same-as-alt")
def both_functions_say_the_same(scene: Scene) -> None:
    """Both validating functions give the same result for an executable."""
    _require_same(scene, _frozen(scene))


@proves("hsa_executable_validate/same-as-alt")
def both_functions_say_the_same_of_what_does_not_fit(scene: Scene) -> None:
    """Both validating functions give the same result for an executable that lacks a definition.

    Where such an executable cannot be frozen, nothing is judged.
    """
    _require_same(scene, _lacking(scene))


def _require_same(scene: Scene, handle: int) -> None:
    plain = _validate(scene, PLAIN, handle).number("result")
    alt = _validate(scene, ALT, handle).number("result")
    scene.require(plain == alt, "the two functions differ", f"{plain}, and {alt} with no options")


@proves("hsa_executable_validate/changes-nothing")
@proves("hsa_executable_validate_alt/changes-nothing")
def validating_changes_nothing(scene: Scene) -> None:
    """Validating leaves the state and symbols of the executable as they were."""
    handle = _frozen(scene)
    before = state(scene, handle), everything(scene, handle)
    _validate(scene, scene.clause.function, handle)
    after = state(scene, handle), everything(scene, handle)
    scene.require(after == before, "the executable changed", after)


@proves("hsa_executable_validate/does-not-pass")
@proves("hsa_executable_validate_alt/does-not-pass")
def what_does_not_fit_does_not_pass(scene: Scene) -> None:
    """Validating gives no 0 for a frozen executable that lacks a definition.

    Where such an executable cannot be frozen, nothing is judged.
    """
    found = _validate(scene, scene.clause.function, _lacking(scene)).number("result")
    scene.require(found != 0, "an executable that lacks a definition passes", found)
