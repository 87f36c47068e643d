"""Agents and their attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hsa_reference.attributes import answer, defaults, pack, pack_all
from hsa_reference.callbacks import iterate
from hsa_reference.core.system import FREQUENCY, timestamp
from hsa_reference.effects import unlocked
from hsa_reference.handles import AGENTS
from hsa_reference.machine import AgentModel
from hsa_reference.state import Part, State
from hsa_reference.status import Answer
from hsa_spec import Registry


@dataclass(frozen=True)
class Agent:
    """An agent: its handle, device ("cpu" or "gpu") and packed attributes."""

    handle: int
    device: str
    attributes: Mapping[int, bytes]


class Agents(Part):
    """The agents.

    Attributes:
        handle: of an agent, by its name in the machine.
        by_handle: in the machine's order.
        changing: how other topics compute attributes of an agent, given its handle, that change
            while the runtime lives, by attribute.

    """

    def __init__(self, state: State) -> None:
        models = state.machine.agents
        self.handle = {a.name: AGENTS + 1 + i for i, a in enumerate(models)}
        agents = (
            Agent(self.handle[a.name], a.device, self._attributes(state, i, a))
            for i, a in enumerate(models)
        )
        self.by_handle = {a.handle: a for a in agents}
        self.changing: dict[int, Callable[[int], bytes]] = {}
        limits = state.registry.enums["hsa_ext_agent_info_t"].enumerators
        self._narrow = {each.value for each in limits if state.machine.narrow_limits}
        state.things["agent"] = self.by_handle.get

    def on_host(self, handle: int) -> bool:
        """Return whether the agent is a CPU, on which the process runs."""
        return self.by_handle[handle].device == "cpu"

    def written(self, agent: int, attribute: int) -> bytes | None:
        """Return what a query writes of an attribute that never changes, None where it has none."""
        data = self.by_handle[agent].attributes.get(attribute)
        if data is not None and attribute in self._narrow:
            return b"".join(data[start : start + 4] for start in range(0, len(data), 8))
        return data

    def _attributes(self, state: State, index: int, agent: AgentModel) -> Mapping[int, bytes]:
        cpus = [a for a in state.machine.agents if a.device == "cpu"]
        values = {
            **defaults()[agent.device],
            "HSA_AGENT_INFO_NODE": index,
            "HSA_AMD_AGENT_INFO_DRIVER_NODE_ID": index,
            "HSA_AMD_AGENT_INFO_DRIVER_UID": index,
            "HSA_AMD_AGENT_INFO_NEAREST_CPU": self.handle[
                (agent if agent in cpus else cpus[0]).name
            ],
            **agent.attributes,
        }
        enums = ["hsa_agent_info_t", "hsa_amd_agent_info_t", "hsa_ext_agent_info_t"]
        return pack_all(state.registry, enums, values)


PART = Agents


@unlocked
def hsa_iterate_agents(state: State, callback: int, data: int) -> Answer:
    """Call the application with each agent."""
    return iterate(callback, state.part(Agents).by_handle, data)


@unlocked
def hsa_agent_get_info(state: State, agent: int, attribute: int, value: int) -> Answer:
    """Write the value of an agent's attribute."""
    agents = state.part(Agents)
    data = agents.written(agent, attribute)
    if data is None and attribute in agents.changing:
        data = agents.changing[attribute](agent)
    if data is None and attribute == state.registry.constants["HSA_AMD_AGENT_INFO_CLOCK_COUNTERS"]:
        data = _clock_counters(state.registry)
    return answer(data, value)


def _clock_counters(registry: Registry) -> bytes:
    now = timestamp()
    values = {
        "gpu_clock_counter": now,
        "cpu_clock_counter": now,
        "system_clock_counter": now,
        "system_clock_frequency": FREQUENCY,
    }
    return pack(registry, "hsa_amd_clock_counters_t", values, "the clock counters")
