"""Traversals of symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.code_objects import Kernel
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import MANY
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import (
    OF_SYMBOL,
    described,
    found,
    loaded,
)
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.state import PROGRAM, VARIABLE
from hsa_conformance.topics.shared.code.state import executable as live
from hsa_conformance.topics.shared.traversal import Traversal, require_known

proves = Proofs()

ALL: Final = "hsa_executable_iterate_symbols"
AGENT: Final = "hsa_executable_iterate_agent_symbols"
SHARED: Final = "hsa_executable_iterate_program_symbols"
NAMES: Final = ("apart", "besides", "close")


class _Symbols:
    """An executable with two or more symbols that the traversal under test reports.

    They are defined, and of none, one or two code objects.

    Args:
        scene: the property's scene.
        most: how many kernels the second code object may have.

    """

    def __init__(self, scene: Scene, most: int = 2) -> None:
        self.function = scene.clause.function
        self.agent = scene.choose(known_agents(scene)).handle
        if code.wanted(scene):
            with_code = loaded(scene)
            self.handle, self.agent = with_code.handle, with_code.agent
            if count := scene.elements("further kernels", most, least=0):
                kernels = tuple(Kernel(f"further{number}") for number in range(count))
                further = replace(with_code.code, kernels=kernels, variables=())
                executables.load(scene, self.handle, self.agent, code.origin(scene, further))
        else:
            self.handle = executables.executable(scene)
        shared = self.function == SHARED or (self.function == ALL and scene.choose([False, True]))
        for name in NAMES[: scene.draw(drawing.integers(2, 3))]:
            executables.define(scene, self.handle, name, PROGRAM if shared else self.agent)
        if self.function != ALL:
            # What belongs elsewhere must not be reported.
            other = self.agent if self.function == SHARED else PROGRAM
            executables.define(scene, self.handle, "away", other)
        self.traversal = Traversal(scene, self.function, self.callback, **self.subject)

    @property
    def subject(self) -> dict[str, int]:
        agent = {"agent": self.agent} if self.function == AGENT else {}
        return {"executable": self.handle, **agent}

    @property
    def callback(self) -> str:
        kind = "agent_symbol" if self.function == AGENT else "symbol"
        return f"hsa_executable_{kind}_callback"


def _expected(scene: Scene, symbols: _Symbols) -> list[tuple[str, int]]:
    known = live(scene.session.model, symbols.handle).symbols
    return [
        (name, owner)
        for name, owner in known
        if symbols.function == ALL or owner == (symbols.agent if symbols.function == AGENT else 0)
    ]


@proves.each((ALL, AGENT, SHARED), "once-per-symbol")
def each_symbol_is_reported_once(scene: Scene) -> None:
    """Each symbol is reported once, and the handles are those that look-ups give."""
    symbols = _Symbols(scene, MANY)
    expected = {
        int(executables.symbol(scene, symbols.handle, name, owner))
        for name, owner in _expected(scene, symbols)
    }
    handles = symbols.traversal.handles()
    scene.require(
        len(handles) == len(expected) and set(handles) == expected,
        "the traversal does not report each symbol once",
        f"{len(handles)} handles, {len(set(handles) & expected)} of {len(expected)} symbols",
    )


@proves.each((ALL, AGENT, SHARED), "passes-arguments")
def the_callback_receives_what_it_should(scene: Scene) -> None:
    """The callback gets the executable, the agent if there is one, a symbol and the data."""
    symbols, data = _Symbols(scene), scene.draw(drawing.integers(0, 2**64 - 1))
    answer = scene.set_up(
        symbols.function, **symbols.subject, callback=Callback(symbols.callback), data=data
    )
    known = set(symbols.traversal.handles())
    for *subject, symbol, received in answer.callbacks:
        scene.require(
            subject == list(symbols.subject.values()) and symbol in known and received == data,
            "the callback received something else",
            f"{[hex(s) for s in subject]}, {symbol:#x}, {received:#x}",
        )


@proves.each((ALL, AGENT, SHARED), "stops")
def the_callback_ends_the_traversal(scene: Scene) -> None:
    """No symbol is reported after the callback answers anything but success."""
    _Symbols(scene).traversal.stops()


@proves.each((ALL, AGENT, SHARED), "returns-callback-status")
def the_traversal_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of symbols answers the status with which the callback ended it."""
    _Symbols(scene).traversal.returns_callback_status()


@proves.each((ALL, AGENT, SHARED), "valid-symbols")
def what_is_reported_can_be_queried(scene: Scene) -> None:
    """Each handle that the traversal reports is a symbol that has a kind."""
    answers = [
        ask(scene, OF_SYMBOL, "HSA_EXECUTABLE_SYMBOL_INFO_TYPE", executable_symbol=handle)
        for handle in _Symbols(scene).traversal.handles()
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL")


@proves("hsa_executable_iterate_symbols/agent-and-program")
def all_symbols_are_those_of_agents_and_program(scene: Scene) -> None:
    """All symbols of an executable are those of the program and of every agent together."""
    symbols = _Symbols(scene)
    together = [
        handle
        for owner in (PROGRAM, *(a.handle for a in known_agents(scene)))
        for handle in found(scene, symbols.handle, owner)
    ]
    handles = symbols.traversal.handles()
    scene.require(
        sorted(handles) == sorted(together),
        "the traversals do not report the same symbols",
        f"{len(handles)} together, {len(together)} one by one",
    )


@proves("hsa_executable_iterate_agent_symbols/no-program-variables")
def an_agent_does_not_have_what_all_share(scene: Scene) -> None:
    """A variable with program allocation is not among the symbols of an agent."""
    symbols = _Symbols(scene)
    shared = int(executables.symbol(scene, symbols.handle, "away"))
    handles = symbols.traversal.handles()
    scene.require(shared not in handles, "a variable of the program is reported", f"{shared:#x}")


@proves("hsa_executable_iterate_program_symbols/only-variables")
def what_all_share_are_variables(scene: Scene) -> None:
    """Each symbol of the program traversal is a variable."""
    for handle in _Symbols(scene).traversal.handles():
        kind = described(scene, handle, "TYPE")
        scene.require(kind == VARIABLE, "a symbol of the program is no variable", kind)
