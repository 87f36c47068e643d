"""Deprecated code objects, and their symbols."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.code_objects import TARGETS, Code, Variable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.generators import code_object, put, text
from hsa_conformance.topics.shared.code.state import Source
from hsa_conformance.topics.shared.code.state import executable as live


def old_code(profile: int = 0) -> Code:
    """Return code of version 2, the last one that the attributes of code objects fit."""
    variables = (Variable("counter", 7), Variable("limit", 9, constant=True))
    return Code(TARGETS["gfx900"], (), variables, version=2, profile=profile)


def symbol(fixtures: Fixtures, handle: int, name: str) -> int:
    """Look up a symbol of a code object."""
    answer = fixtures.session.set_up(
        "hsa_code_object_get_symbol",
        code_object=handle,
        symbol_name=text(fixtures, name),
        symbol=Out(),
    )
    return answer["symbol"]


def _code_object(b: Builder, x: str) -> None:
    put(b, x, b.choose([old_code(), code.code(b)]))


def _no_object(b: Builder, x: str) -> None:
    b.values[x] = b.readable()


def _symbol(b: Builder, x: str) -> None:
    chosen = b.choose([old_code(), code.code(b)])
    b.values[x] = symbol(b, code_object(b, chosen), b.choose(chosen.symbols))


def _code(b: Builder, x: str) -> Code:
    found = b.session.model.find("code_object", b.number(x))
    if not isinstance(found, Source) or found.code is None:
        raise CannotMake("there is no code object yet")
    return found.code


def _has(b: Builder, x: str, name: str) -> None:
    b.values[name] = text(b, b.choose(_code(b, x).symbols))


def _has_not(b: Builder, x: str, name: str) -> None:
    b.values[name] = text(b, executables.UNKNOWN)


def _has_in(b: Builder, x: str, module: str, name: str) -> None:
    _has(b, x, name)
    b.values[module] = b.choose([0, text(b, "")])


def _has_not_in(b: Builder, x: str, module: str, name: str) -> None:
    _has(b, x, name)
    b.values[module] = text(b, "module")


def _loadable(b: Builder, x: str, origin: str, agent: str) -> None:
    b.values[x], b.values[agent] = executables.executable(b), code.gpu(b)
    put(b, origin, code.code(b, b.number(agent)))


def _not_loadable(b: Builder, x: str, origin: str, agent: str) -> None:
    profile = live(b.session.model, b.number(x)).profile
    other = b.choose([code.other_code(b), code.other_profile(profile)])
    put(b, origin, other)


GENERATORS: Mapping[str, Generators] = {
    "is_code_object": Generators(_code_object, _no_object),
    "is_code_symbol": Generators(_symbol, _no_object),
    "object_has_symbol": Generators(_has, _has_not),
    "object_has_symbol_in": Generators(_has_in, _has_not_in),
    "object_is_loadable_on": Generators(_loadable, _not_loadable),
}
