"""Programs and modules, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.finalizer.programs.brig import Module
from hsa_reports import Verdict

#: Why nothing is judged of which somebody would have to know whether it can be compiled.
NOT_KNOWN: Final = "the suite has no module of which it is known whether code comes of it"


@dataclass
class Program:
    """A live program.

    Attributes:
        machine_model: a hsa_machine_model_t.
        profile: a hsa_profile_t.
        rounding: a hsa_default_float_rounding_mode_t.
        modules: the addresses of its modules.

    """

    machine_model: int
    profile: int
    rounding: int
    modules: list[int] = field(default_factory=list)


def _create(model: Model, answer: Answer) -> None:
    args = answer.args
    thing = Program(args["machine_model"], args["profile"], args["default_float_rounding_mode"])
    model.add("program", answer["program"], thing=thing)


def _destroy(model: Model, answer: Answer) -> None:
    model.remove("program", answer.args["program"])


def _add(model: Model, answer: Answer) -> None:
    found = model.find("program", answer.args["program"])
    if isinstance(found, Program):
        found.modules.append(answer.args["module"])


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_ext_program_create": _create,
    "hsa_ext_program_destroy": _destroy,
    "hsa_ext_program_add_module": _add,
}

CLEAN_UP = (
    CleanUp("program", "hsa_ext_program_destroy", "program", makers=["hsa_ext_program_create"]),
)


def module_at(model: Model, address: int) -> Module | None:
    """Return the module that the suite has laid out at an address, None where there is none."""
    found = model.find("module", address)
    return found if isinstance(found, Module) else None


def _fits(model: Model, program: int, address: int) -> bool:
    found, module = _program(model, program), module_at(model, address)
    return (
        found is not None
        and module is not None
        and ((module.machine_model, module.profile) == (found.machine_model, found.profile))
    )


def _included(model: Model, program: int, address: int) -> bool:
    found = _program(model, program)
    return found is not None and address in found.modules


def _symbols_match(model: Model, program: int, address: int) -> bool:
    """Return whether no variable of a module has another type in the program."""
    found, module = _program(model, program), module_at(model, address)
    others = [module_at(model, each) for each in found.modules] if found else []
    return module is not None and all(
        other.type == module.type or other.variable != module.variable for other in others if other
    )


def _program(model: Model, handle: int) -> Program | None:
    found: Program | None = model.find("program", handle)
    return found


def _directives_match(model: Model, program: int, directives: int) -> bool:
    del program
    if any(model.words(directives, 1)):
        raise ProvesNothing("no module of the suite has directives")
    return True


def _compiles(model: Model, program: int, isa: int) -> bool:
    raise Unavailable(Verdict.UNTESTED, NOT_KNOWN)


FACTS: Mapping[str, Fact] = {
    "has_finalizer": lambda model: bool(model.find("finalizer", 0)),
    "is_module": lambda model, address: module_at(model, address) is not None,
    "module_fits": _fits,
    "module_included": _included,
    "symbols_match": _symbols_match,
    "directives_match": _directives_match,
    "compiles": _compiles,
}
