"""Programs, and modules that fit to them or do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.engine.session.extensions import NEEDED, denied
from hsa_conformance.topics.finalizer.programs.brig import U32, U64, Module
from hsa_conformance.topics.finalizer.programs.state import NOT_KNOWN, Program
from hsa_reports import Verdict

CREATE = "hsa_ext_program_create"
ADD = "hsa_ext_program_add_module"


def discover(fixtures: Fixtures) -> None:
    """Ask each process, once, whether there is a finalizer."""
    session = fixtures.session
    if session.model.find("finalizer", 0) is None:
        with session.learning():
            there = NEEDED["finalizer"] not in denied(session)
        session.model.add("finalizer", 0, thing=there)


def program(fixtures: Fixtures) -> int:
    """Create a program and return its handle."""
    answer = fixtures.session.set_up(
        CREATE,
        machine_model=fixtures.choose([1, 0]),
        profile=fixtures.choose([0, 1]),
        default_float_rounding_mode=fixtures.choose([0, 1, 2]),
        options=0,
        program=Out(),
    )
    return answer["program"]


def known(fixtures: Fixtures, handle: int) -> Program:
    """Return what is known of a program."""
    found: Program = fixtures.session.model.find("program", handle)
    return found


def place(fixtures: Fixtures, module: Module) -> int:
    """Lay a module out and return its address."""
    address = fixtures.session.lay_out(Data(module.content, "module"))
    fixtures.session.model.add("module", address, thing=module)
    return address


def fitting(fixtures: Fixtures, handle: int) -> Module:
    """Return a module that has the machine model and the profile of a program."""
    found = known(fixtures, handle)
    return Module(found.machine_model, found.profile)


def add(fixtures: Fixtures, handle: int, module: Module) -> int:
    """Add a module to a program and return its address."""
    address = place(fixtures, module)
    fixtures.session.set_up(ADD, program=handle, module=address)
    return address


def _anything(b: Builder) -> None:
    """Leave a call as it is: no argument decides it."""


def _program(b: Builder, name: str) -> None:
    b.values[name] = program(b)


def _no_program(b: Builder, name: str) -> None:
    b.values[name] = b.readable()


def _module(b: Builder, name: str) -> None:
    b.values[name] = place(b, Module(b.choose([0, 1]), b.choose([0, 1])))


def _no_module(b: Builder, name: str) -> None:
    """Give NULL, memory without a module, or a module of another format."""
    spoilt = bytearray(Module(1, 0).content)
    spoilt[b.choose([0, 7, 8])] ^= 0xFF
    broken = b.session.place(bytes(spoilt), "broken module")
    b.values[name] = b.choose([0, b.readable(), broken])


def _fits(b: Builder, of: str, name: str) -> None:
    b.values[of] = handle = program(b)
    b.values[name] = place(b, fitting(b, handle))


def _does_not_fit(b: Builder, of: str, name: str) -> None:
    b.values[of] = handle = program(b)
    module = fitting(b, handle)
    other = [
        replace(module, machine_model=1 - module.machine_model),
        replace(module, profile=1 - module.profile),
    ]
    b.values[name] = place(b, b.choose(other))


def _included(b: Builder, of: str, name: str) -> None:
    b.values[of] = handle = program(b)
    b.values[name] = add(b, handle, fitting(b, handle))


def _mismatched(b: Builder, of: str, name: str) -> None:
    b.values[of] = handle = program(b)
    module = fitting(b, handle)
    types = b.choose([(U32, U64), (U64, U32)])
    add(b, handle, replace(module, type=types[0]))
    b.values[name] = place(b, replace(module, type=types[1]))


def _no_directives(b: Builder, _: str, directives: str) -> None:
    b.values[directives] = b.session.place(bytes(256), directives)


def _not_known(*_: object) -> None:
    raise Unavailable(Verdict.UNTESTED, NOT_KNOWN)


GENERATORS: Mapping[str, Generators] = {
    "has_finalizer": Generators(_anything, _anything),
    "is_program": Generators(_program, _no_program),
    "is_module": Generators(_module, _no_module),
    "module_fits": Generators(_fits, _does_not_fit),
    "module_included": Generators(_included, _fits),
    "symbols_match": Generators(_fits, _mismatched),
    "directives_match": Generators(_no_directives, _not_known),
    "compiles": Generators(_not_known, _not_known),
}
