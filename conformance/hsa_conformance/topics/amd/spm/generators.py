"""Streaming counters of GPUs."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures, NotOnMachine, Unsuitable
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.discovery import is_lacking


def discover(fixtures: Fixtures) -> None:
    """Find out, once, which GPUs give their counters to those who ask."""
    session = fixtures.session
    if session.model.find("discover", 1) is not None:
        return
    session.model.add("discover", 1, thing="streaming counters")
    for gpu in known_agents(fixtures, "gpu"):
        answer = session.call("hsa_amd_spm_acquire", preferred_agent=gpu.handle)
        if not is_lacking(answer):
            session.model.add("counters_offered", gpu.handle, thing=gpu.handle)
        if answer.ok:
            session.call("hsa_amd_spm_release", preferred_agent=gpu.handle)


def offering(fixtures: Fixtures) -> int:
    """Return a GPU that gives its counters.

    Raises:
        NotOnMachine: there is none.

    """
    discover(fixtures)
    found = fixtures.session.model.live("counters_offered")
    if not found:
        raise NotOnMachine("the driver gives nobody a GPU's streaming counters")
    gpu: int = fixtures.choose(found)
    return gpu


def _held(b: Builder, agent: str) -> None:
    gpu = _offered(b, agent)
    if b.session.model.find("counters", gpu) is None:
        b.session.set_up("hsa_amd_spm_acquire", preferred_agent=gpu)


def _not_held(b: Builder, agent: str) -> None:
    gpu = _offered(b, agent)
    # Another atom of the condition may have had them acquired.
    if b.session.model.find("counters", gpu) is not None:
        b.session.set_up("hsa_amd_spm_release", preferred_agent=gpu)


def _offered(b: Builder, agent: str) -> int:
    """Give a parameter a GPU that gives its counters, unless it has one that it is to have."""
    b.values[agent] = offering(b)
    gpu = b.values[agent]
    if gpu not in b.session.model.live("counters_offered"):
        raise Unsuitable("the driver gives nobody the streaming counters of this agent")
    return b.number(agent)


GENERATORS: Mapping[str, Generators] = {"holds_counters": Generators(_held, _not_held)}
