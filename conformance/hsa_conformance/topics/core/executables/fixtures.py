"""Executables, what is defined in them and loaded into them, and their symbols."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.generators import text
from hsa_conformance.topics.shared.code.state import PROGRAM
from hsa_conformance.topics.shared.code.state import executable as live
from hsa_reports import Verdict

BASE, NEAREST = 0, 2
UNFROZEN = 0
NO_CONVENTION = 0  # of calls; it is for indirect functions
LOAD = "hsa_executable_load_agent_code_object"
UNKNOWN = "nobody_knows_me"
#: What an executable is created with, where nothing hangs on it.
BLANK: Mapping[str, int] = {
    "profile": BASE,
    "default_float_rounding_mode": NEAREST,
    "options": 0,
}
#: The same in HSA 1.0.
OLD_BLANK: Mapping[str, int] = {"profile": BASE, "executable_state": UNFROZEN, "options": 0}


def executable(fixtures: Fixtures, profile: int = BASE) -> int:
    """Create an executable that is not frozen."""
    function, values = "hsa_executable_create_alt", {**BLANK, "profile": profile}
    if not fixtures.session.offers(function):
        function, values = "hsa_executable_create", {**OLD_BLANK, "profile": profile}
    answer = fixtures.session.set_up(function, **values, executable=Out())
    return answer["executable"]


def freeze(fixtures: Fixtures, handle: int) -> None:
    """Freeze an executable.

    Raises:
        Blocked: it cannot be frozen; this says nothing against freezing others.
        Unavailable: it has code in it, which this library copies with a kernel, and the imitated
            machine runs none.

    """
    if not live(fixtures.session.model, handle).loaded:
        fixtures.session.set_up("hsa_executable_freeze", executable=handle, options=0)
        return
    clause = "hsa_executable_freeze/success"
    try:
        answer = fixtures.session.call("hsa_executable_freeze", executable=handle, options=0)
    except Ended as end:
        if not fixtures.session.runs_kernels:
            reason = "this library freezes code with a kernel, which imitations do not run"
            raise Unavailable(Verdict.UNTESTED, reason) from None
        raise Blocked(clause, f"{end.kind} ({end.detail}) with code in it", deadly=True) from None
    if not answer.ok:
        raise Blocked(clause, answer.name)


def define(fixtures: Fixtures, handle: int, name: str, agent: int = PROGRAM, place: int = 0) -> int:
    """Define a variable for an agent, or for all, and return where it lies."""
    address = place or fixtures.readable()
    where = {"executable": handle, "variable_name": text(fixtures, name), "address": address}
    if agent:
        fixtures.session.set_up("hsa_executable_agent_global_variable_define", agent=agent, **where)
    else:
        fixtures.session.set_up("hsa_executable_global_variable_define", **where)
    return address


def load(fixtures: Fixtures, handle: int, agent: int, origin: int) -> Answer:
    """Load code for an agent; see `loading`."""
    function, values = loading(fixtures, handle, agent, origin)
    return fixtures.session.set_up(function, **values)


def loading(
    fixtures: Fixtures, handle: int, agent: int, origin: int
) -> tuple[str, dict[str, Value]]:
    """Return the call that loads code for an agent: a function that is offered, and its arguments.

    Args:
        fixtures: the process.
        handle: the executable.
        agent: the agent.
        origin: what the code is loaded from; see `code.origin`.

    """
    values: dict[str, Value] = {"executable": handle, "agent": agent, "options": 0}
    if not fixtures.session.offers(LOAD):
        return "hsa_executable_load_code_object", {**values, "code_object": origin}
    return LOAD, {**values, "code_object_reader": origin, "loaded_code_object": Out()}


def symbol(fixtures: Fixtures, handle: int, name: str, agent: int = PROGRAM) -> int:
    """Look up a symbol."""
    session, function = fixtures.session, "hsa_executable_get_symbol_by_name"
    words = text(fixtures, name)
    if session.offers(function):
        of_version = {"agent": session.lay_out(handle_array([agent])) if agent else 0}
    else:
        function = "hsa_executable_get_symbol"
        of_version = {"module_name": 0, "agent": agent, "call_convention": NO_CONVENTION}
    answer = session.set_up(
        function, executable=handle, symbol_name=words, symbol=Out(), **of_version
    )
    return answer["symbol"]


def half_defined(fixtures: Fixtures) -> int:
    """Return an executable with a variable that code declares and nobody defines.

    Raises:
        Unavailable: such code is not loaded.

    """
    handle, agent = executable(fixtures), code.gpu(fixtures)
    origin = code.origin(fixtures, code.code(fixtures, agent, declares=True))
    function, values = loading(fixtures, handle, agent, origin)
    answer = fixtures.session.call(function, **values)
    if not answer.ok:
        live(fixtures.session.model, handle).load_failed = True
        raise Unavailable(
            Verdict.NOT_APPLICABLE, "code that lacks a definition is not loaded at all"
        )
    return handle
