"""Properties of programs and of the modules in them."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.finalizer.programs.brig import Module
from hsa_conformance.topics.finalizer.programs.generators import (
    ADD,
    add,
    fitting,
    known,
    place,
    program,
)
from hsa_conformance.topics.finalizer.programs.state import NOT_KNOWN
from hsa_conformance.topics.shared.attributes import (
    ask,
    attributes,
    number,
    require_enumerator,
    require_no_overrun,
)
from hsa_conformance.topics.shared.traversal import Traversal
from hsa_reports import Verdict

proves = Proofs()

DESTROY: Final = "hsa_ext_program_destroy"
ITERATE: Final = "hsa_ext_program_iterate_modules"
QUERY: Final = "hsa_ext_program_get_info"
_CALLBACK: Final = "hsa_ext_program_module_callback"
_ENUM: Final = "hsa_ext_program_info_t"
_INFO: Final = "HSA_EXT_PROGRAM_INFO_"
_INVALID: Final = "HSA_EXT_STATUS_ERROR_INVALID_PROGRAM"


def _modules(scene: Scene, least: int = 0) -> tuple[int, list[int]]:
    """Create a program with some modules, each with a variable of its own."""
    handle = program(scene)
    module = fitting(scene, handle)
    names = range(scene.draw(drawing.integers(least, 3)))
    return handle, [
        add(scene, handle, Module(module.machine_model, module.profile, f"&v{n}")) for n in names
    ]


def _traversal(scene: Scene, handle: int) -> Traversal:
    return Traversal(scene, ITERATE, _CALLBACK, program=handle)


@proves("hsa_ext_program_create/reads-back")
def a_program_tells_what_it_was_created_with(scene: Scene) -> None:
    """A new program has the machine model, the profile and the rounding that were asked for."""
    handle = program(scene)
    wanted = known(scene, handle)
    values = {
        "MACHINE_MODEL": wanted.machine_model,
        "PROFILE": wanted.profile,
        "DEFAULT_FLOAT_ROUNDING_MODE": wanted.rounding,
    }
    for name in scene.parts("attribute", {name: name for name in values}):
        value = values[name]
        found = number(scene, QUERY, f"{_INFO}{name}", program=handle)
        scene.require(found == value, f"{_INFO}{name} is not {value}", found)


@proves("hsa_ext_program_create/starts-empty")
def a_new_program_has_no_modules(scene: Scene) -> None:
    """A traversal of a new program's modules finds none, though another program has some."""
    _modules(scene, 1)
    found = _traversal(scene, program(scene)).handles()
    scene.require(not found, "a new program has modules", found)


@proves("hsa_ext_program_destroy/code-lives-on")
@proves("hsa_ext_program_finalize/code-independent")
def code_stays_when_its_program_is_gone(scene: Scene) -> None:
    """Code that was made of a program can be used when the program is destroyed."""
    raise Unavailable(Verdict.UNTESTED, NOT_KNOWN)


@proves("hsa_ext_program_destroy/handle-ends")
def a_destroyed_program_is_none(scene: Scene) -> None:
    """A program that was destroyed is refused as one."""
    handle, _ = _modules(scene)
    scene.set_up(DESTROY, program=handle)
    answer = ask(scene, QUERY, f"{_INFO}PROFILE", program=handle)
    scene.require_status(answer, _INVALID)


@proves("hsa_ext_program_add_module/module-not-copied")
@proves("hsa_ext_program_iterate_modules/each-once")
def each_module_is_reported_where_the_caller_has_it(scene: Scene) -> None:
    """A traversal reports each module of a program once, at the address that it was added with."""
    handle, modules = _modules(scene)
    _modules(scene, 1)
    found = _traversal(scene, handle).handles()
    scene.require(sorted(found) == sorted(map(int, modules)), "other modules are reported", found)


@proves("hsa_ext_program_add_module/failure-adds-nothing")
def what_is_refused_is_not_added(scene: Scene) -> None:
    """A module that is refused is none of the program's modules."""
    handle, modules = _modules(scene, 1)
    module = fitting(scene, handle)
    other = Module(1 - module.machine_model, module.profile)
    bad = {
        "module that does not fit": place(scene, other),
        "memory without a module": scene.readable(),
        "module that is there already": modules[0],
    }
    answer = scene.call(ADD, program=handle, module=scene.each("module", bad))
    if answer.ok:
        raise CannotMake("the call succeeds")
    found = _traversal(scene, handle).handles()
    scene.require(sorted(found) == sorted(map(int, modules)), "a module was added", found)


@proves("hsa_ext_program_iterate_modules/passes-data")
def the_callers_data_and_the_program_are_passed_on(scene: Scene) -> None:
    """Each call of the callback gets the program and the caller's data."""
    handle, _ = _modules(scene, 1)
    data = scene.draw(drawing.integers(0, 2**64 - 1))
    answer = scene.set_up(ITERATE, program=handle, callback=Callback(_CALLBACK), data=data)
    if not answer.callbacks:
        raise CannotMake("no module is reported")
    scene.require(
        all((program, given) == (handle, data) for program, _, given in answer.callbacks),
        f"the callback received another program, or other data than {data:#x}",
        "; ".join(f"{program:#x}, {given:#x}" for program, _, given in answer.callbacks),
    )


@proves("hsa_ext_program_iterate_modules/stops")
def the_callback_ends_the_traversal(scene: Scene) -> None:
    """No module is reported after the callback answers anything but success."""
    _traversal(scene, _modules(scene, 2)[0]).stops()


@proves("hsa_ext_program_iterate_modules/returns-callback-status")
def the_traversal_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of modules answers the status with which the callback ended it."""
    _traversal(scene, _modules(scene, 1)[0]).returns_callback_status()


@proves("hsa_ext_program_get_info/value-of-type")
def an_attribute_has_a_name(scene: Scene) -> None:
    """The value of each attribute is one of the enumeration that the attribute names."""
    handle = program(scene)
    attribute = scene.choose(attributes(scene.session, _ENUM))
    enum = scene.session.registry.attributes[attribute].type
    answer = ask(scene, QUERY, attribute, program=handle)
    scene.require_status(answer, SUCCESS)
    require_enumerator(scene, answer.number("value"), attribute, enum)


@proves("hsa_ext_program_get_info/nothing-beyond-value")
def nothing_is_written_behind_an_attribute(scene: Scene) -> None:
    """A query of a program writes no more than the attribute's type."""
    attribute = scene.choose(attributes(scene.session, _ENUM))
    require_no_overrun(scene, ask(scene, QUERY, attribute, program=program(scene)), attribute)
