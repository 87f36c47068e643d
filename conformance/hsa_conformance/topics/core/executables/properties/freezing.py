"""What freezing makes final, and what attributes an executable has before and after."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import FROZEN_EXECUTABLE, SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import (
    FROZEN,
    QUERY,
    UNFROZEN,
    attribute_bytes,
    loaded,
    name_of,
    options,
    require_definition_refused,
    some,
    state,
)
from hsa_conformance.topics.shared.attributes import (
    ask,
    ask_where_answered,
    attributes,
    require_no_overrun,
)
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.state import PROGRAM
from hsa_reports import Verdict

proves = Proofs()

FREEZE = "hsa_executable_freeze"


def _require_frozen(scene: Scene, handle: int) -> None:
    found = state(scene, handle)
    scene.require(found == FROZEN, "the executable is not frozen", found)


@proves("hsa_executable_freeze/is-frozen")
def freezing_makes_the_state_frozen(scene: Scene) -> None:
    """After an executable is frozen, its state is FROZEN."""
    handle = some(scene)
    executables.freeze(scene, handle)
    _require_frozen(scene, handle)


@proves("hsa_executable_freeze/options-unknown")
def unknown_options_do_not_keep_from_freezing(scene: Scene) -> None:
    """Freezing with unknown options succeeds, and the executable is frozen."""
    handle = some(scene)
    answer = scene.call(FREEZE, executable=handle, options=options(scene))
    scene.require_status(answer, SUCCESS)
    _require_frozen(scene, handle)


@proves("hsa_executable_freeze/no-definitions")
def nothing_is_defined_in_a_frozen_executable(scene: Scene) -> None:
    """Defining a new variable in a frozen executable is refused."""
    handle = some(scene)
    executables.freeze(scene, handle)
    require_definition_refused(scene, handle)


@proves("hsa_executable_freeze/no-loading")
def nothing_is_loaded_into_a_frozen_executable(scene: Scene) -> None:
    """Loading code into a frozen executable is refused."""
    handle, agent = some(scene), code.gpu(scene)
    executables.freeze(scene, handle)
    origin = code.origin(scene, code.code(scene, agent))
    function, values = executables.loading(scene, handle, agent, origin)
    answer = scene.call(function, **values)
    scene.require_status(answer, FROZEN_EXECUTABLE)


@proves("hsa_executable_freeze/attributes-readable")
def freezing_changes_no_attribute_but_the_state(scene: Scene) -> None:
    """Freezing leaves the profile and rounding mode of an executable as they were."""
    handle = some(scene)
    before = attribute_bytes(scene, handle)
    executables.freeze(scene, handle)
    after = attribute_bytes(scene, handle)
    scene.require(after == before, "an attribute changed", after)


@proves("hsa_executable_freeze/symbols-stay")
def symbols_are_valid_after_freezing(scene: Scene) -> None:
    """A symbol found before freezing has the same name, and is what a look-up gives after it."""
    handle = executables.executable(scene)
    owner = scene.choose([PROGRAM, *(a.handle for a in known_agents(scene))])
    executables.define(scene, handle, "apart", owner)
    _require_stays(scene, handle, "apart", owner)


@proves("hsa_executable_freeze/symbols-stay")
def symbols_of_code_are_valid_after_freezing(scene: Scene) -> None:
    """A symbol of code, found before freezing, has the same name and is looked up after it."""
    found = loaded(scene)
    name = scene.choose(found.code.symbols)
    try:
        _require_stays(scene, found.handle, name, found.agent)
    except Unavailable as missing:
        # What the symbols of other executables show still counts.
        raise Unavailable(Verdict.VACUOUS, missing.reason) from None


def _require_stays(scene: Scene, handle: int, name: str, owner: int) -> None:
    symbol = executables.symbol(scene, handle, name, owner)
    executables.freeze(scene, handle)
    found = name_of(scene, symbol)
    scene.require(found == name.encode(), "the symbol has another name", found)
    again = executables.symbol(scene, handle, name, owner)
    scene.require(again == symbol, "the symbol has another handle", f"{again:#x}")


@proves("hsa_executable_freeze/failure-stays-unfrozen")
def what_lacks_a_variable_stays_unfrozen(scene: Scene) -> None:
    """An executable that lacks a variable is not frozen by the call that fails."""
    handle = executables.half_defined(scene)
    if scene.call(FREEZE, executable=handle, options=0).ok:
        raise CannotMake("the executable is frozen all the same")
    found = state(scene, handle)
    scene.require(found == UNFROZEN, "a refused call froze the executable", found)


@proves("hsa_executable_get_info/value-size")
def nothing_is_written_behind_an_attribute_of_an_executable(scene: Scene) -> None:
    """A query of an executable leaves the bytes behind the attribute's type as they were."""
    attribute = scene.choose(attributes(scene.session, "hsa_executable_info_t"))
    answer = ask_where_answered(scene, QUERY, attribute, executable=some(scene))
    require_no_overrun(scene, answer, attribute)


@proves("hsa_executable_get_info/either-state", examples=2)
def attributes_are_readable_in_either_state(scene: Scene) -> None:
    """Each attribute of an executable is answered before and after freezing."""
    handle = some(scene)
    if code.wanted(scene):
        handle = loaded(scene).handle
    attribute = scene.choose(attributes(scene.session, "hsa_executable_info_t"))
    for frozen in (False, True):
        if frozen:
            executables.freeze(scene, handle)
        answer = ask(scene, QUERY, attribute, executable=handle)
        scene.require_status(answer, SUCCESS)
