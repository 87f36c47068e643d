"""Profiles with which something can be measured, and profiles that lack one thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.aqlprofile.aqlprofile.fixtures import (
    counting_gpu,
    lay_out,
    profile,
)
from hsa_conformance.topics.aqlprofile.aqlprofile.state import COUNTERS
from hsa_conformance.topics.core.agents.fixtures import known_agents

#: The number of a block that no GPU has.
_NO_BLOCK: Final = 0xFFFF


def _profile(b: Builder, name: str) -> None:
    b.values[name] = profile(b).address


def _no_profile(b: Builder, name: str) -> None:
    """Give a profile of which one part is wrong: its GPU, a counter, or the room for commands."""
    gpu, events = counting_gpu(b)
    hosts = [agent.handle for agent in known_agents(b, "cpu")]
    wrong = {
        "no agent": lambda: lay_out(b, 0, COUNTERS, events),
        "no such block": lambda: lay_out(b, gpu, COUNTERS, [replace(events[0], block=_NO_BLOCK)]),
        "no such instance": lambda: lay_out(
            b, gpu, COUNTERS, [*events[1:], replace(events[0], index=_NO_BLOCK)]
        ),
        "no room for commands": lambda: lay_out(b, gpu, COUNTERS, events, commands=4),
    }
    if hosts:
        wrong["agent of the host"] = lambda: lay_out(b, b.one_of(hosts), COUNTERS, events)
    b.values[name] = b.each("wrong profile", wrong)()


def _nobody_knows(*_: object) -> None:
    raise CannotMake("no header says which names there are")


GENERATORS: Mapping[str, Generators] = {
    "is_profile": Generators(_profile, _no_profile),
    "names_block": Generators(_nobody_knows, _nobody_knows),
}
