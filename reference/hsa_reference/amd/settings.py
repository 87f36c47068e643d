"""Settings of the runtime: how much scratch memory can be reclaimed, and what is logged."""

from __future__ import annotations

from hsa_reference.core.agents import Agents
from hsa_reference.core.queues.state import Queues
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer


class ScratchLimits(Part):
    """How much scratch memory of each agent can be reclaimed while it runs.

    Attributes:
        most: bytes by the agent's handle, 0 where nothing can be reclaimed.
        current: what was set, at most that much.

    """

    def __init__(self, state: State) -> None:
        agents, constants = state.part(Agents), state.registry.constants
        most = constants["HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX"]
        self.most = {
            handle: int.from_bytes(agent.attributes[most], "little")
            for handle, agent in agents.by_handle.items()
        }
        self.current = dict(self.most)
        current = constants["HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT"]
        agents.changing[current] = lambda agent: self.current[agent].to_bytes(8, "little")
        state.facts["reclaims_scratch"] = lambda agent: self.most[agent] > 0

    def release(self) -> None:
        """Forget what was set."""
        self.current = dict(self.most)


PART = ScratchLimits


def hsa_amd_agent_set_async_scratch_limit(state: State, agent: int, threshold: int) -> Answer:
    """Set how much scratch memory of an agent can be reclaimed.

    What dispatches use beyond that is taken when they are complete.
    """
    limits = state.part(ScratchLimits)
    if threshold > limits.most[agent]:
        return INVALID_ARGUMENT
    limits.current[agent] = threshold
    state.part(Queues).scratch[agent].wait(threshold)
    return SUCCESS


@unlocked
def hsa_amd_enable_logging(state: State, flags: int, file: int) -> Answer:
    """Accept the choice: no text says what is logged, and nothing is."""
    del state, flags, file
    return SUCCESS
