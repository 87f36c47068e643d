"""Which queues an agent has, and what their dispatches may ask for."""

from __future__ import annotations

from hsa_reference.core.agents import Agents
from hsa_reference.state import State


class AgentLimits:
    """What the agents of a machine say of their queues.

    Args:
        state: with the agents.

    Attributes:
        group_segment: the most bytes that a work-group shares, by agent.

    """

    def __init__(self, state: State) -> None:
        self._agents = state.part(Agents)
        self._constants = state.registry.constants
        segment = self._constants["HSA_AMD_SEGMENT_GROUP"]
        self.group_segment = {
            self._agents.handle[a.name]: max(
                (p.size for p in a.pools if p.segment == segment), default=0
            )
            for a in state.machine.agents
        }

    def supports_type(self, agent: int, type_of: int) -> bool:
        """Return whether an agent has queues of a hsa_queue_type_t."""
        if not self.most(agent):
            return False
        if type_of == self._constants["HSA_QUEUE_TYPE_COOPERATIVE"]:
            return bool(self._attribute(agent, "HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES"))
        single = self._constants["HSA_QUEUE_TYPE_SINGLE"]
        return type_of in (single, self._attribute(agent, "HSA_AGENT_INFO_QUEUE_TYPE"))

    def supports_size(self, agent: int, size: int) -> bool:
        """Return whether an agent has queues of so many packets."""
        return 0 < size <= self._attribute(agent, "HSA_AGENT_INFO_QUEUE_MAX_SIZE")

    def most(self, agent: int) -> int:
        """Return how many queues an agent has at most."""
        return self._attribute(agent, "HSA_AGENT_INFO_QUEUES_MAX")

    def smallest(self, agent: int) -> int:
        """Return how many packets the queues of an agent hold at least."""
        return self._attribute(agent, "HSA_AGENT_INFO_QUEUE_MIN_SIZE")

    def work_items(self, agent: int) -> int:
        """Return how many work-items a work-group has at most."""
        return self._attribute(agent, "HSA_AGENT_INFO_WORKGROUP_MAX_SIZE")

    def compute_units(self, agent: int) -> int:
        """Return how many compute units an agent has."""
        return self._attribute(agent, "HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT")

    def _attribute(self, agent: int, name: str) -> int:
        return int.from_bytes(
            self._agents.by_handle[agent].attributes[self._constants[name]], "little"
        )
