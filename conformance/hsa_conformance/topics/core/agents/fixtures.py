"""Agents for calls to be made with."""

from __future__ import annotations

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.agents.state import Agent, agents


def known_agents(fixtures: Fixtures, device: str | None = None) -> list[Agent]:
    """Return the agents of the machine, or those of one kind such as "gpu"."""
    return [a for a in agents(fixtures.session.model) if device in (None, a.device)]


def some_gpu(fixtures: Fixtures) -> Agent:
    """Return a GPU agent.

    Raises:
        Unavailable: the machine has none.

    """
    return fixtures.available(known_agents(fixtures, "gpu"), "GPU agent")
