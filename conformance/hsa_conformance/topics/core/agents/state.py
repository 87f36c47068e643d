"""Agents that the library listed."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_conformance.engine.model import Model


@dataclass(frozen=True)
class Agent:
    """An agent: its handle, and "cpu", "gpu", "dsp", "aie" or another name for its kind."""

    handle: int
    device: str


def agents(model: Model) -> list[Agent]:
    """Return the agents in the order in which the library listed them."""
    return model.live("agent")


def find_agent(model: Model, handle: int) -> Agent | None:
    """Return the agent with this handle."""
    found: Agent | None = model.find("agent", handle)
    return found
