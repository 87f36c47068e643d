"""Streaming counters of GPUs."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures, Lacking
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents


def discover(fixtures: Fixtures) -> None:
    """Find out, once, which GPUs give their counters to those who ask."""
    session = fixtures.session
    if session.model.find("discover", 1) is not None:
        return
    session.model.add("discover", 1, thing="streaming counters")
    for gpu in known_agents(fixtures, "gpu"):
        if session.call("hsa_amd_spm_acquire", preferred_agent=gpu.handle).ok:
            session.set_up("hsa_amd_spm_release", preferred_agent=gpu.handle)
            session.model.add("counters_offered", gpu.handle, thing=gpu.handle)


def offering(fixtures: Fixtures) -> int:
    """Return a GPU that gives its counters.

    Raises:
        Lacking: there is none.

    """
    discover(fixtures)
    found = fixtures.session.model.live("counters_offered")
    if not found:
        raise Lacking("the driver gives nobody a GPU's streaming counters")
    gpu: int = fixtures.choose(found)
    return gpu


def _held(b: Builder, agent: str) -> None:
    b.values[agent] = offering(b)
    b.session.set_up("hsa_amd_spm_acquire", preferred_agent=b.number(agent))


def _not_held(b: Builder, agent: str) -> None:
    gpu = b.values[agent] = offering(b)
    # Another atom of the condition may have had them acquired.
    if b.session.model.find("counters", gpu) is not None:
        b.session.set_up("hsa_amd_spm_release", preferred_agent=gpu)


GENERATORS: Mapping[str, Generators] = {"holds_counters": Generators(_held, _not_held)}
