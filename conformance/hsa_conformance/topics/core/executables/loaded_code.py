"""Code that is loaded into executables, and the addresses of what it defines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hsa_conformance.code_objects import Code, Kernel, Variable
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.state import LoadedCodeObject
from hsa_conformance.topics.shared.code.state import executable as live

#: What a variable of loaded code holds.
VALUE: Final = 7


@dataclass(frozen=True)
class LoadedCode:
    """A code object of an executable: its handle, what is in it, and the agent that it is for."""

    handle: int
    executable: int
    agent: int
    code: Code


def loadable(fixtures: Fixtures, agent: int, name: str = "first") -> Code:
    """Return code with a kernel and two variables, whose names start with a word."""
    target = code.target(fixtures, agent)
    assert target is not None, "code cannot be made for the agent"
    variables = (Variable(f"{name}_counter", VALUE), Variable(f"{name}_limit", 9, constant=True))
    return Code(target, (Kernel(name),), variables, fixtures.choose([4, 5]))


def loaded(
    fixtures: Fixtures,
    executable: int = 0,
    *,
    name: str = "first",
    make: Callable[[Fixtures, int], Code] | None = None,
    origin: Callable[[Fixtures, Code], int] = code.reader,
) -> LoadedCode:
    """Load code for an agent.

    Args:
        fixtures: where choices come from.
        executable: what it is loaded into; 0 for a new executable.
        name: what the names in the code start with, where no other code is made.
        make: makes the code for an agent; None for that of `loadable`.
        origin: makes what the code is loaded from, such as a reader of it.

    Raises:
        Unavailable: the machine has no agent that code can be made for.

    """
    agent = code.gpu(fixtures)
    handle = executable or executables.executable(fixtures)
    content = make(fixtures, agent) if make else loadable(fixtures, agent, name)
    answer = executables.load(fixtures, handle, agent, origin(fixtures, content))
    found = answer.symbols.get("loaded_code_object", 0)  # HSA 1.0 has no such object
    if found:
        fixtures.session.model.add("loaded_code_object", found, thing=LoadedCodeObject(handle))
    return LoadedCode(found, handle, agent, content)


def symbol_address(fixtures: Fixtures, found: LoadedCode, name: str, attribute: str) -> Symbol:
    """Return an address that a symbol has, as soon as it has one.

    Symbols of frozen executables have one. An imitated machine does not freeze for every library,
    and some give addresses before.

    Args:
        fixtures: the process.
        found: the code that defines it.
        name: its name.
        attribute: the address: VARIABLE_ADDRESS or KERNEL_OBJECT.

    Raises:
        Blocked: it has none, frozen or not.

    """
    executable = live(fixtures.session.model, found.executable)
    if fixtures.session.runs_kernels and not executable.frozen:
        executables.freeze(fixtures, found.executable)
    symbol = executables.symbol(fixtures, found.executable, name, found.agent)
    address = _ask(fixtures, symbol, attribute)
    if not address and not executable.frozen:
        executables.freeze(fixtures, found.executable)
        address = _ask(fixtures, symbol, attribute)
    if not address:
        slug = attribute.lower().replace("_", "-")
        raise Blocked(f"hsa_executable_symbol_get_info/{slug}-frozen", "0")
    return address


def _ask(fixtures: Fixtures, symbol: int, attribute: str) -> Symbol:
    number = fixtures.session.registry.constants[f"HSA_EXECUTABLE_SYMBOL_INFO_{attribute}"]
    answer = fixtures.session.set_up(
        "hsa_executable_symbol_get_info", executable_symbol=symbol, attribute=number, value=Out()
    )
    return answer.symbols["value"]
