"""Agents and their attributes."""

from __future__ import annotations

from ctypes import memmove

from hsa_reference.attributes import pack
from hsa_reference.callbacks import iterate
from hsa_reference.core.system import FREQUENCY, timestamp
from hsa_reference.effects import unlocked
from hsa_reference.objects import Agent
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer


@unlocked
def hsa_iterate_agents(state: State, callback: int, data: int) -> Answer:
    """Call the application with each agent."""
    return iterate(callback, state.agents, data)


@unlocked
def hsa_agent_get_info(state: State, agent: int, attribute: int, value: int) -> Answer:
    """Write the value of an agent's attribute."""
    found = state.agents[agent]
    data = found.attributes.get(attribute)
    if data is None:
        data = _changing(state, found, attribute)
    if data is None:
        return INVALID_ARGUMENT
    memmove(value, data, len(data))
    return SUCCESS


def _changing(state: State, agent: Agent, attribute: int) -> bytes | None:
    """Return the value of an attribute that changes while the runtime lives."""
    constants = state.registry.constants
    if attribute == constants["HSA_AMD_AGENT_INFO_MEMORY_AVAIL"]:
        pools = [p for p in agent.pools if p.model.segment == constants["HSA_AMD_SEGMENT_GLOBAL"]]
        return sum(p.model.size - p.used for p in pools).to_bytes(8, "little")
    if attribute == constants["HSA_AMD_AGENT_INFO_CLOCK_COUNTERS"]:
        now = timestamp()
        values = {
            "gpu_clock_counter": now,
            "cpu_clock_counter": now,
            "system_clock_counter": now,
            "system_clock_frequency": FREQUENCY,
        }
        return pack(state.registry, "hsa_amd_clock_counters_t", values, "the clock counters")
    return None
