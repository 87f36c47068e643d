"""Agents for calls to be made with."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import put_handles
from hsa_conformance.topics.core.agents.state import Agent, agents


def known_agents(fixtures: Fixtures, device: str | None = None) -> list[Agent]:
    """Return the agents of the machine, or those of one kind such as "gpu".

    Raises:
        Blocked: the library did not list them, or does not say of which kind they are.
        Unavailable: it does not offer to.

    """
    if obstacle := fixtures.session.missing_kinds.get("agent"):
        raise obstacle
    listed = agents(fixtures.session.model)
    return [a for a in listed if device is None or a.device == device]


def some_gpu(fixtures: Fixtures) -> Agent:
    """Return a GPU agent.

    Raises:
        Unavailable: the machine has none.

    """
    return fixtures.available(known_agents(fixtures, "gpu"), "GPU agent")


def put_agents(b: Builder, array: str, count: str, agents: Sequence[Agent], least: int = 1) -> None:
    """Give a call an array of some of these agents, whichever is the first, and its length."""
    first = b.choose(agents)
    handles = [first.handle, *(a.handle for a in agents if a is not first)]
    put_handles(b, array, count, handles[: b.elements(array, len(handles), least)])
