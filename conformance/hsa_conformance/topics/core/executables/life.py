"""Executables in random sequences: several at a time, destroyed in any order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.session.model import Model
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables.fixtures import (
    BASE,
    NEAREST,
    define,
    executable,
    load,
    symbol,
)
from hsa_conformance.topics.core.executables.loaded_code import loadable
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.state import PROGRAM, Executable, LoadedCodeObject, source
from hsa_conformance.topics.shared.code.state import executable as live

_NAMES: Final = ("first", "second", "third")
_STATE: Final = "HSA_EXECUTABLE_INFO_STATE"
_SYMBOLS: Final = "hsa_executable_iterate_agent_symbols"


def _open(p: Player) -> int:
    """Draw an executable that more can be put into, or create one."""
    handles = [
        key[0]
        for key, thing in p.model.objects.get("executable", {}).items()
        if not (thing.frozen or thing.load_failed)
    ]
    return p.one_of([0, *handles]) or executable(p)


def load_code(p: Player) -> None:
    """Load code for an agent, beside what is loaded already."""
    handle, agent = _open(p), p.one_of(code.gpus(p)).handle
    used = {name for name, _ in live(p.model, handle).symbols}
    name = p.one_of([n for n in _NAMES if f"{n}.kd" not in used])
    origin = code.origin(p, loadable(p, agent, name))
    try:
        answer = load(p, handle, agent, origin)
    except Blocked:
        live(p.model, handle).load_failed = True
        raise
    if "loaded_code_object" in answer.symbols:
        made = LoadedCodeObject(handle)
        p.model.add("loaded_code_object", answer["loaded_code_object"], thing=made)


def define_variable(p: Player) -> None:
    """Define a variable for an agent, or for all."""
    handle = _open(p)
    owner = p.one_of([PROGRAM, *(a.handle for a in known_agents(p))])
    used = {name for name, _ in live(p.model, handle).symbols}
    name = p.one_of([n for n in _NAMES if n not in used])
    define(p, handle, name, owner)


def look_at_states(p: Player) -> None:
    """Ask each executable whether it is frozen."""
    number = p.session.registry.constants[_STATE]
    for (handle,), thing in p.some(list(p.model.objects.get("executable", {}).items())):
        answer = p.call("hsa_executable_get_info", executable=handle, attribute=number, value=Out())
        clause = "freeze/is-frozen" if thing.frozen else "create_alt/unfrozen"
        p.demand(f"hsa_executable_{clause}").require(
            answer.number("value") == thing.frozen,
            f"an executable is not {'frozen' if thing.frozen else 'unfrozen'}",
            answer.number("value"),
        )


def look_at_symbols(p: Player) -> None:
    """Look up every symbol of an executable, twice, and count those of each agent."""
    for (handle,), thing in p.some(list(p.model.objects.get("executable", {}).items())):
        for name, owner in thing.symbols:
            first, second = (symbol(p, handle, name, owner) for _ in range(2))
            p.demand("hsa_executable_get_symbol_by_name/same-handle").require(
                int(first) == int(second), f"{name} has two handles", f"{first:#x}, {second:#x}"
            )
        for agent in known_agents(p):
            _count(p, handle, thing, agent.handle)


def _count(p: Player, handle: int, thing: Executable, agent: int) -> None:
    if thing.load_failed or not p.session.offers(_SYMBOLS):
        return
    wanted = len([owner for _, owner in thing.symbols if owner == agent])
    answer = p.session.set_up(
        _SYMBOLS,
        executable=handle,
        agent=agent,
        callback=Callback("hsa_executable_agent_symbol_callback"),
        data=0,
    )
    found = [call[2] for call in answer.callbacks]
    p.demand(f"{_SYMBOLS}/once-per-symbol").require(
        len(set(found)) == len(found) == wanted,
        f"there are not {wanted} symbols of {agent}",
        f"{len(found)} calls",
    )


def _is_read(model: Model, arguments: Mapping[str, int]) -> bool:
    """Return whether an executable lives that has the code of a reader in it."""
    read = source(model, arguments["code_object_reader"])
    return any(read == loaded for e in model.live("executable") for loaded, _ in e.loaded)


def _holds_code(model: Model, arguments: Mapping[str, int]) -> bool:
    """Return whether an executable has code, or may have: some libraries freeze it with that."""
    thing = live(model, arguments["executable"])
    return thing.load_failed or bool(thing.loaded)


LIFE = Life(
    clause="hsa_executable_destroy/success",
    functions=(
        "hsa_executable_create",
        "hsa_executable_create_alt",
        "hsa_executable_freeze",
        "hsa_executable_destroy",
        "hsa_code_object_reader_create_from_memory",
        "hsa_code_object_reader_destroy",
    ),
    openings=(("hsa_executable_create_alt", "hsa_executable_create_alt"), ()),
    acts=(load_code, load_code, define_variable),
    looks=(look_at_states, look_at_symbols),
    # Code with another rounding mode than that of its executable may be refused.
    values={
        "hsa_executable_create_alt.default_float_rounding_mode": lambda _: [NEAREST],
        "hsa_executable_create_alt.profile": lambda _: [BASE],
        "hsa_executable_create.profile": lambda _: [BASE],
    },
    exclusions={
        "hsa_code_object_reader_destroy": _is_read,
        "hsa_executable_freeze": _holds_code,
    },
    beside=("loader/loader",),
)
