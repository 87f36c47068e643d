"""Agents that the library listed."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.session.model import Model


@dataclass(frozen=True)
class Agent:
    """An agent.

    Attributes:
        handle: its handle.
        kind: "cpu", "gpu", "dsp", "aie" or another name for its kind, or why that is unknown.

    """

    handle: int
    kind: str | Blocked | Unavailable

    @property
    def device(self) -> str:
        """Return the name of its kind.

        Raises:
            Blocked: the library did not say.
            Unavailable: it does not offer to.

        """
        if isinstance(self.kind, str):
            return self.kind
        raise self.kind


def agents(model: Model) -> list[Agent]:
    """Return the agents in the order in which the library listed them."""
    return model.live("agent")


def find_agent(model: Model, handle: int) -> Agent | None:
    """Return the agent with this handle."""
    found: Agent | None = model.find("agent", handle)
    return found
