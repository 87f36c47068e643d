"""The engines that copy between two agents."""

from __future__ import annotations

from hsa_reference.core.agents import Agents
from hsa_reference.state import Part, State

_COUNTS = ("HSA_AMD_AGENT_INFO_NUM_SDMA_ENG", "HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG")


class Engines(Part):
    """How many engines each agent has; none of them is ever busy for long."""

    def __init__(self, state: State) -> None:
        known = state.registry.enums["hsa_amd_sdma_engine_id_t"].values
        counts = [state.registry.constants[name] for name in _COUNTS]
        self._agents = state.part(Agents)
        self._masks = {
            handle: sum(known)
            & (1 << sum(int.from_bytes(agent.attributes[c], "little") for c in counts)) - 1
            for handle, agent in self._agents.by_handle.items()
        }
        state.facts["engine_exists"] = lambda to, of, engine: bool(self.between(to, of) & engine)

    def between(self, destination: int, source: int) -> int:
        """Return the engines, bits of hsa_amd_sdma_engine_id_t, that copy between two agents.

        They are those of the destination, or of the source where the destination has none.
        """
        return self._masks.get(destination, 0) or self._masks.get(source, 0)
