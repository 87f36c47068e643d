"""What properties of executables begin with, and what they look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.code_objects import Code
from hsa_conformance.engine.calls.comparing import counted, equal
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.judging.statuses import FROZEN_EXECUTABLE, INVALID_SYMBOL_NAME
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.shared.attributes import content, number, require_plain_name
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.state import PROGRAM

QUERY: Final = "hsa_executable_get_info"
OF_SYMBOL: Final = "hsa_executable_symbol_get_info"
FROZEN, UNFROZEN = 1, 0
OPTIONS: Final = ("", "-nobody_heard_of_it", "-hsa_unheard_of")


@dataclass(frozen=True)
class LoadedExecutable:
    """An executable with code, the agent that it is for, and a reader of the same code."""

    handle: int
    agent: int
    code: Code
    origin: int
    address: int
    loaded_code_object: int


def loaded(scene: Scene, *, frozen: bool = False, long_names: bool = False) -> LoadedExecutable:
    """Load code for an agent into a new executable.

    Args:
        scene: the property's scene.
        frozen: whether it is frozen.
        long_names: whether the last two symbols have long names; see `code.code`.

    Raises:
        Unavailable: the machine has no agent that code can be made for.

    """
    agent = code.gpu(scene)
    handle = executables.executable(scene)
    chosen = code.code(scene, agent, long_names=long_names)
    address, size = code.place(scene, chosen)
    origin = code.origin_at(scene, address, size)
    answer = executables.load(scene, handle, agent, origin)
    if frozen:
        executables.freeze(scene, handle)
    made = answer.symbols.get("loaded_code_object", 0)  # HSA 1.0 has no such object
    return LoadedExecutable(handle, agent, chosen, origin, address, made)


def some(scene: Scene) -> int:
    """Return an executable that is not frozen, with a variable or without."""
    handle = executables.executable(scene)
    if scene.choose([False, True]):
        executables.define(scene, handle, "apart")
    return handle


def options(scene: Scene) -> int:
    """Draw options that nobody knows."""
    return code.text(scene, scene.choose(OPTIONS))


def state(scene: Scene, handle: int) -> int:
    """Return the state of an executable."""
    return number(scene, QUERY, "HSA_EXECUTABLE_INFO_STATE", executable=handle)


def described(scene: Scene, symbol: int, attribute: str) -> int:
    """Return an attribute of a symbol that is a number."""
    name = f"HSA_EXECUTABLE_SYMBOL_INFO_{attribute}"
    return number(scene, OF_SYMBOL, name, executable_symbol=symbol)


def name_of(scene: Scene, symbol: int) -> bytes:
    """Return the name of a symbol.

    Raises:
        Blocked: there is a byte in it that no name has.

    """
    return require_plain_name(name_bytes(scene, symbol), f"{OF_SYMBOL}/name")


def name_bytes(scene: Scene, symbol: int) -> bytes:
    """Return as many bytes of the name of a symbol as it says to have, whatever they are."""
    length = described(scene, symbol, "NAME_LENGTH")
    attribute = scene.session.registry.constants["HSA_EXECUTABLE_SYMBOL_INFO_NAME"]
    answer = scene.set_up(
        OF_SYMBOL, executable_symbol=symbol, attribute=attribute, value=Out(length or 1)
    )
    return (answer.outputs["value"] or b"")[:length]


def named_symbol(scene: Scene) -> tuple[int, str, int]:
    """Return an executable, the name of a symbol of it, long or short, and the symbol's agent."""
    long = scene.each("names", {"short": False, "long": True})
    if code.wanted(scene):
        found = loaded(scene, long_names=long)
        return found.handle, scene.choose(found.code.symbols[-2 if long else 0 :]), found.agent
    handle = executables.executable(scene)
    owner = scene.choose([PROGRAM, *(a.handle for a in known_agents(scene))])
    names = code.two_long_names(scene) if long else ("apart", "beside")
    for name in names:
        executables.define(scene, handle, name, owner)
    return handle, scene.choose(names), owner


def found(scene: Scene, handle: int, agent: int = PROGRAM) -> list[int]:
    """Return the symbols that a traversal reports: those of an agent, or what all agents share."""
    return _reported(scene, handle, agent, *_by_owner(agent))


def _reported(scene: Scene, handle: int, agent: int, function: str, callback: str) -> list[int]:
    values: dict[str, Value] = {"executable": handle, "agent": agent, "data": 0}
    values["callback"] = Callback(callback)
    params = scene.session.registry.functions[function].parameter
    answer = scene.set_up(function, **{name: values[name] for name in params})
    return [symbol for *_, symbol, _ in answer.callbacks]


def _by_owner(agent: int) -> tuple[str, str]:
    """Return what reports the symbols of an agent, or what all agents share, and its callback."""
    if agent:
        return "hsa_executable_iterate_agent_symbols", "hsa_executable_agent_symbol_callback"
    return "hsa_executable_iterate_program_symbols", "hsa_executable_symbol_callback"


def _traversal(scene: Scene, agent: int) -> tuple[str, str]:
    """Return the same for a runtime that may have the traversal of HSA 1.0 alone."""
    if scene.session.offers("hsa_executable_iterate_agent_symbols"):
        return _by_owner(agent)
    return "hsa_executable_iterate_symbols", "hsa_executable_symbol_callback"


def names(scene: Scene, handle: int, agent: int = PROGRAM) -> set[str]:
    """Return the names of the symbols that a traversal reports.

    HSA 1.0 has one traversal alone: of all symbols, whosever they are.
    """
    symbols = _reported(scene, handle, agent, *_traversal(scene, agent))
    return {name_of(scene, s).decode("latin-1") for s in symbols}


def require_names(scene: Scene, handle: int, agent: int, content: Code) -> None:
    """Demand that an agent has the symbols of code, and no others."""
    seen, wanted = names(scene, handle, agent), set(content.symbols)
    scene.require(
        seen == wanted,
        "the symbols of the agent are not those that the code defines",
        f"{', '.join(sorted(seen))} instead of {', '.join(sorted(wanted))}",
    )


def everything(scene: Scene, handle: int) -> Mapping[int, set[str]]:
    """Return the names of all symbols of an executable by agent."""
    agents = [a.handle for a in known_agents(scene)]
    return {owner: names(scene, handle, owner) for owner in (PROGRAM, *agents)}


def require_definition_refused(scene: Scene, handle: int) -> None:
    """Demand that no variable can be defined in a frozen executable, for all agents or for one."""
    agent = scene.choose([PROGRAM, *(a.handle for a in known_agents(scene))])
    kind = scene.choose(["agent_global", "readonly"]) if agent else "global"
    answer = scene.call(
        f"hsa_executable_{kind}_variable_define",
        **({"agent": agent} if agent else {}),
        executable=handle,
        variable_name=code.text(scene, "late"),
        address=scene.readable(),
    )
    # The name is unknown as well, and the text gives the two errors no order.
    scene.require_status(answer, FROZEN_EXECUTABLE, INVALID_SYMBOL_NAME)


def require_unchanged(
    scene: Scene, handle: int, before: Mapping[int, set[str]], refused: Answer
) -> None:
    """Demand that a refused call left an executable with the symbols that it had, by agent."""
    after = everything(scene, handle)
    left = sorted(name for owner in after for name in after[owner] - before[owner])
    more = next((o for o in after if len(after[o]) != len(before[o])), None)
    demand = None
    if more is not None:
        function, _ = _traversal(scene, more)
        values = {"executable": handle, "agent": more}
        count = counted(after[more], scene.session.registry, function, values)
        demand = equal(count, len(before[more])).demand
    scene.require(
        after == before,
        "a refused call left symbols behind",
        ", ".join(left),
        demand,
        step_count=None if demand is None else refused.step_count,
    )


def attribute_bytes(scene: Scene, handle: int) -> dict[str, bytes]:
    """Return the attributes of an executable that do not change when it is frozen."""
    wanted = ("HSA_EXECUTABLE_INFO_PROFILE", "HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE")
    return {name: content(scene, QUERY, name, executable=handle) for name in wanted}
